import APNSimScenario

/// The error of a capture that cannot be used at all.
package struct CaptureFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The file cannot be read.
    case unreadable
    /// It is no journal, or one of a version that this program does not know.
    case notAJournal
    /// The file cannot be written.
    case unwritable
  }

  package var kind: Kind
  package var path: String
  package var reason: String
  /// True for a file of another kind, which can perhaps be imported.
  package internal(set) var isOfAnotherKind = false

  package init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// The error of a file that the last system call could not write. Must be made at once, as ``SystemError/last`` is
  /// read.
  package static func notWritten(_ path: String) -> CaptureFailure {
    let reason = SystemError.last
    return CaptureFailure(.unwritable, path: path, reason: "cannot be written: \(reason)")
  }

  package var description: String { "\(path): \(reason)" }
}
