import APNSimCapture
import APNSimTLS

extension CaptureOutput {
  /// A file in the place of the one that is there, for the same people; nil writes it as it is.
  convenience init(_ path: String, _ place: FileReplacement?) throws(CaptureFailure) {
    guard let place else {
      try self.init(path: path)
      return
    }
    try self.init(path: path, draft: place.draft, mode: place.draftMode) { place.adopt($0) }
  }
}
