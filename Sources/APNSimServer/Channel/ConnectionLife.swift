internal import APNSimCore
internal import NIOCore

/// How far one connection has come, from the accepted socket to its end.
struct ConnectionLife<Connection: ServiceConnection> {
  enum Phase {
    case handshaking
    case open
    /// Our side is closed: what still comes is discarded, until the peer's end of input or the linger time.
    case lingering
    case closed
  }

  private(set) var phase = Phase.handshaking
  /// The conversation with the peer, from the handshake's end to the connection's.
  private(set) var connection: Connection?
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

  mutating func open(_ connection: Connection, at now: Timestamp) {
    phase = .open
    lastActivity = now
    self.connection = connection
    timer = nil
  }

  mutating func linger(_ reason: ClosingReason) {
    phase = .lingering
    self.reason = reason
    timer = nil
  }

  /// The connection is gone.
  /// - Returns: the conversation that has ended, if there was one.
  mutating func close() -> Connection? {
    if isDraining, reason == .failed { reason = .drained }
    phase = .closed
    timer = nil
    defer { connection = nil }
    return connection
  }
}

/// The simulator's side of one peer's connection, whichever service it came to.
protocol ServiceConnection: AnyObject {
  var id: ConnectionID { get }
  /// What is unusual about the connection.
  var plan: ConnectionPlan { get }
  /// The TCP connection is gone.
  func closed(_ reason: ClosingReason, at now: Timestamp)
}

extension GatewayConnection: ServiceConnection {}
extension FeedbackConnection: ServiceConnection {}

extension DeviceConnection: ServiceConnection {
  /// Faults are for providers.
  var plan: ConnectionPlan { .usual }
}
