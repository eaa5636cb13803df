internal import APNSimScenario

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
  /// Whether the file is something else altogether, which may be one that can be imported.
  package internal(set) var isOfAnotherKind = false

  package init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// The last call of the system could not write the file. To be made at once, as ``FileFailure/last`` is asked for.
  package static func notWritten(_ path: String) -> CaptureFailure {
    let reason = FileFailure.last
    return CaptureFailure(.unwritable, path: path, reason: "cannot be written: \(reason)")
  }

  package var description: String { "\(path): \(reason)" }
}
