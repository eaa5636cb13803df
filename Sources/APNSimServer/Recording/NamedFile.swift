import APNSimSystem
import SystemPackage

/// The look at a file that a user has named to be written, before it is replaced: nothing replaces a recording that is
/// being written to, and no command replaces a recording, key or certificate unless it writes such files itself.
package enum NamedFile {
  /// The kinds of file that are not replaced by others.
  package enum Kind: Sendable {
    /// One of a server; what an import made is another file.
    case recording
    case key
    case keyLog
    /// Anything else.
    case other

    fileprivate var name: String {
      switch self {
      case .recording: "a recording"
      case .key: "a key or certificate"
      case .keyLog: "a key log"
      case .other: "another file"
      }
    }
  }

  /// Looks at the file at a path, if it is a regular one.
  /// - Parameter kind: what is going to be written, which may replace its like.
  /// - Throws: the reason why it must not be replaced.
  package static func check(_ path: String, for kind: Kind) throws(OutputFailure) {
    guard path != "-", let file = try? SystemFile(path, .readOnly, .nonBlocking), file.isRegular else {
      return
    }
    if file.isLocked {
      throw OutputFailure(
        path: path,
        reason: "another process is recording to it\(file.lockHolder)",
        isInUse: true
      )
    }
    let found = Self.kind(of: file)
    guard found != .other, found != kind else { return }
    throw OutputFailure(
      path: path,
      reason: "it is \(found.name), which this does not replace; choose another name, or remove it"
    )
  }

  private static func kind(of file: SystemFile) -> Kind {
    if RecordingContent.isRecording(file) { return .recording }
    let content = KeptContent(file)
    if content.isKeyLog { return .keyLog }
    return content.isKey ? .key : .other
  }
}
