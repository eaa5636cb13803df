import APNSimCore
import APNSimWire

/// One frame of a decoded stream, or what is left where no frame could be made out.
struct DecodedPiece: Sendable {
  /// What the piece is.
  enum Kind: Sendable {
    /// A notification frame and what a gateway makes of it on a connection of its own.
    case notification(NotificationView, answer: ErrorResponse?)
    /// The stream ended in the middle of a frame.
    case incomplete
    /// Nothing can be made of what follows a frame that broke.
    case unreadable
  }

  var kind: Kind
  /// Where it is in the stream, in bytes.
  var range: Range<Int>
  var lines: [AnnotatedHex.Line]

  var isRefused: Bool {
    guard case .notification(let view, _) = kind else { return false }
    return !view.outcome.isAccepted
  }
}
