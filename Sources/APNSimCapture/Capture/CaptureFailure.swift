package import APNSimSystem

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

  package static func notWritten(_ path: String, _ error: SystemError) -> CaptureFailure {
    CaptureFailure(.unwritable, path: path, reason: "cannot be written: \(error.text)")
  }

  package var description: String { "\(path): \(reason)" }
}
