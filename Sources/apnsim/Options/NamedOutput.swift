import APNSimCapture
import APNSimServer
import APNSimSystem
import APNSimTLS

extension CaptureOutput {
  /// The file that a user has named, after a look at what is there.
  /// - Parameters:
  ///   - place: replaces a file in one step with the same permissions; nil writes to the path directly.
  ///   - kind: what is going to be written.
  convenience init(_ path: String, _ place: FileReplacement?, for kind: NamedFile.Kind) throws(CaptureFailure)
  {
    try NamedFile.look(path, for: kind)
    guard let place else {
      try self.init(path: path)
      return
    }
    try self.init(path: path, draft: place.draft, mode: place.draftMode) { place.adopt($0) }
  }
}

extension FileReplacement {
  /// Puts the file in its place, which is looked at again.
  func commit(_ path: String, for kind: NamedFile.Kind) throws(CaptureFailure) {
    try NamedFile.look(path, for: kind)
    do throws(SystemError) { try commit() } catch { throw .notWritten(path, error) }
  }
}

extension NamedFile {
  fileprivate static func look(_ path: String, for kind: Kind) throws(CaptureFailure) {
    do throws(OutputFailure) {
      try check(path, for: kind)
    } catch {
      throw CaptureFailure(.unwritable, path: error.path, reason: "cannot be written: \(error.reason)")
    }
  }
}
