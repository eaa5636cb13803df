import APNSimCore
import APNSimWire
import NIOCore

/// The phase of one connection, from the accepted socket to its end.
struct ConnectionLife<Connection: ServiceConnection> {
  enum Phase {
    case handshaking
    case open
    /// Our side is closed: input is discarded until the peer closes or the linger time ends.
    case lingering
    case closed
  }

  private(set) var phase = Phase.handshaking
  /// The connection in the simulator, from the end of the handshake on.
  private(set) var connection: Connection?
  /// The reason for the connection's end, as far as it is known yet.
  var reason = ClosingReason.failed
  /// The time of the last activity: input from a provider, or output to a reader.
  var lastActivity = Timestamp(rawValue: 0)
  /// True once the simulator is shutting down.
  var isDraining = false
  /// The timer that bounds the phase; setting another cancels it.
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

  /// The connection has closed.
  /// - Returns: the connection in the simulator that has ended, if there was one.
  mutating func close() -> Connection? {
    if isDraining, reason == .failed { reason = .drained }
    phase = .closed
    timer = nil
    defer { connection = nil }
    return connection
  }
}

/// The simulator's side of one connection to any of the services.
protocol ServiceConnection: AnyObject {
  var id: ConnectionID { get }
  /// The faults of the connection.
  var plan: ConnectionPlan { get }
  /// The frame that the peer has begun and not finished.
  var unfinished: UnfinishedFrame? { get }
  /// The TCP connection has closed.
  func closed(_ reason: ClosingReason, at now: Timestamp)
}

extension ServiceConnection {
  var unfinished: UnfinishedFrame? { nil }
}

extension GatewayConnection: ServiceConnection {}
extension FeedbackConnection: ServiceConnection {}
extension RequestConnection: ServiceConnection {}

extension DeviceConnection: ServiceConnection {
  /// Faults apply to providers only.
  var plan: ConnectionPlan { .usual }
}
