/// Something that goes wrong on purpose. Deciding is the core's, performing the listener's.
package enum Fault: Hashable, Sendable {
  // Of one notification.

  /// The notification vanishes: accepted, delivered to nobody, no word of it.
  case swallow
  /// The connection is closed in order, without an error response.
  case close(Trigger)
  /// The connection is reset.
  case reset(Trigger)
  /// Nothing more is read: the provider's writes fill the pipe.
  case stopReading(Trigger)

  // Of a whole connection, decided when it opens.

  /// The certificate is refused in the handshake.
  case refuseHandshake(HandshakeRefusal)
  /// The handshake begins this much later.
  case acceptDelay(TimeSpan)
  /// Whatever the simulator sends arrives this much later.
  case latency(TimeSpan)
  /// What the simulator sends comes in TLS records of so many bytes, with a pause between them.
  case slice(bytes: Int, pause: TimeSpan)
  /// The handshake succeeds and the connection is closed at once, without a byte (seen for certificates of the
  /// wrong environment, node-apn #301).
  case closeAfterHandshake(TimeSpan)
  /// Closed in order after so much simulated time without a notification; Apple's own was two hours (uniqush #47).
  case idleClose(TimeSpan)
  /// Everything is read and nothing ever answered or closed.
  case blackHole

  // Of a feedback connection.

  case feedbackHoldOpen
  /// The list ends after so many bytes, in the middle of a tuple if it falls there.
  case feedbackTruncate(bytes: Int)
  /// The list stays as it is, whoever reads it.
  case feedbackKeep

  /// When a fault of the stream strikes.
  package enum Trigger: Hashable, Sendable {
    /// At the notification that the rule matched.
    case now
    /// When exactly so many bytes of the connection have been read.
    case afterBytes(Int)
    /// When so many frames of the connection have been read.
    case afterFrames(Int)
  }

  /// The shapes of a refused certificate (observed of the real gateway).
  package enum HandshakeRefusal: Hashable, Sendable {
    /// A fatal TLS alert: 44 revoked, 45 expired, 46 unknown, 48 unknown authority, 40 handshake failure.
    case alert(UInt8)
    /// TCP is closed in the middle of the handshake.
    case close
  }

  /// To whose connections it can happen.
  package var listeners: [Listener] {
    switch self {
    case .swallow, .close, .reset, .stopReading: [.gateway]
    case .feedbackHoldOpen, .feedbackTruncate, .feedbackKeep: [.feedback]
    case .refuseHandshake, .acceptDelay, .latency, .slice, .closeAfterHandshake, .idleClose, .blackHole:
      [.gateway, .feedback]
    }
  }

  /// Whether the fault belongs to a connection as a whole, so that it is decided when that opens.
  package var isOfConnection: Bool {
    switch self {
    case .swallow: false
    case .close(let trigger), .reset(let trigger), .stopReading(let trigger): trigger != .now
    default: true
    }
  }
}
