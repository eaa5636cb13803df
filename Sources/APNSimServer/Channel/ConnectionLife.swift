internal import APNSimCore
internal import NIOCore

/// How far one connection has come, from the accepted socket to its end.
struct ConnectionLife<Peer: Conversation> {
  enum Phase {
    case handshaking
    case open
    /// Our side is closed: what still comes is discarded, until the peer's end of input or the linger time.
    case lingering
    case closed
  }

  private(set) var phase = Phase.handshaking
  /// The conversation with the peer, from the handshake's end to the connection's.
  private(set) var conversation: Peer?
  /// How the connection will have ended, as far as it is known yet.
  var reason = ClosingReason.failed
  /// When the conversation last went on: something came in from a provider, something was sent to a reader.
  var lastActivity = Timestamp(rawValue: 0)
  /// The simulator is shutting down.
  var isDraining = false
  /// What the phase is bounded by; the next one takes its place.
  var timer: Scheduled<Void>? {
    willSet { timer?.cancel() }
  }

  mutating func open(_ conversation: Peer, at now: Timestamp) {
    phase = .open
    lastActivity = now
    self.conversation = conversation
    timer = nil
  }

  mutating func linger(_ reason: ClosingReason) {
    phase = .lingering
    self.reason = reason
    timer = nil
  }

  /// The connection is gone.
  /// - Returns: the conversation that has ended, if there was one.
  mutating func close() -> Peer? {
    if isDraining, reason == .failed { reason = .drained }
    phase = .closed
    timer = nil
    defer { conversation = nil }
    return conversation
  }
}
