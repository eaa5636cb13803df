import APNSimSystem

/// The reason why a file could not be made or written.
package struct OutputFailure: Error, Hashable, CustomStringConvertible {
  package var path: String
  package var reason: String
  /// True if another process has the file.
  package var isInUse = false

  package init(path: String, reason: String, isInUse: Bool = false) {
    (self.path, self.reason, self.isInUse) = (path, reason, isInUse)
  }

  init(_ path: String, _ error: SystemError) { self.init(path: path, reason: error.reason) }

  /// Makes calls for a file, with an error that names it.
  static func naming<Result>(
    _ path: String,
    _ calls: () throws(SystemError) -> Result
  ) throws(OutputFailure) -> Result {
    do throws(SystemError) { return try calls() } catch { throw OutputFailure(path, error) }
  }

  package var description: String { "cannot write \(path): \(reason)" }
}
