import APNSimSystem

/// The reason why a file could not be made or written.
package struct OutputFailure: Error, Hashable, CustomStringConvertible {
  package var path: String
  package var reason: String
  /// True if another process has the file.
  package var isInUse = false

  /// Makes calls for a file, with an error that names it.
  static func naming<Result>(
    _ path: String,
    _ calls: () throws(SystemError) -> Result
  ) throws(OutputFailure) -> Result {
    do throws(SystemError) { return try calls() } catch { throw OutputFailure(path, error) }
  }

  package var description: String { "cannot write \(path): \(reason)" }
}

extension OutputFailure {
  init(_ path: String, _ error: SystemError) { self.init(path: path, reason: error.reason) }
}
