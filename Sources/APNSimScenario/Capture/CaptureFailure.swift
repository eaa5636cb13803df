/// Why a capture cannot be used at all.
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

  package init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): \(reason)" }
}
