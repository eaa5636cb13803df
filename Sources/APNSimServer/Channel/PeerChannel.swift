import APNSimCore
import APNSimTLS
import APNSimWire
import Logging
import NIOCore
import SystemPackage

/// The state that a connection of any listener has: the peer, the handshake, the output that faults hold back.
final class PeerChannel {
  let services: ConnectionServices
  let tls: TLSHandler
  let loop: LoopContext
  let coalescer: ReadCoalescer
  /// The output that faults hold back; nil without such faults.
  var load: OutputLoad?
  /// The reminder of the end that a fault has scheduled.
  var closing: Reminder?
  private let entrance: Entrance
  /// Makes the handler of the service that a client may ask for in the handshake, in place of the port's own.
  typealias Successor = (_ peer: PeerChannel, _ channel: any Channel, _ isDraining: Bool) throws ->
    any ChannelHandler
  private var successor: Successor?
  private(set) var address = "unknown peer"
  private var isHandshaking = false

  init(
    services: ConnectionServices,
    entrance: Entrance,
    successor: Successor? = nil,
    tls: TLSHandler,
    loop: LoopContext,
    coalescer: ReadCoalescer
  ) {
    self.services = services
    self.entrance = entrance
    self.successor = successor
    self.tls = tls
    self.loop = loop
    self.coalescer = coalescer
  }

  /// The listener that the connection belongs to; another from the ClientHello on, where that says so.
  var plan: ListenerPlan { entrance.plan }
  var simulator: Simulator { services.simulator }
  var timing: ServerConfiguration.Timing { services.configuration.timing }

  /// The maker of another service's handler, once, if the client has asked for that service.
  func takeSuccessor() -> Successor? {
    defer { successor = nil }
    return entrance.hasGoneOver ? successor : nil
  }

  /// Begins the handshake of a connection that was accepted.
  func begin(_ channel: any Channel) {
    address = channel.remoteAddress?.readable ?? address
    isHandshaking = true
    guard let evicted = loop.handshakes.begin(channel) else { return }
    services.log.write(
      .halfOpen,
      "too many unfinished handshakes: dropped the oldest, from \(evicted.remoteAddress?.readable ?? "?")"
    )
    evicted.close(promise: nil)
  }

  /// True if the simulator is shutting down already, so that this connection gets no event about it.
  var isLate: Bool { services.table.isDraining }

  /// The time that the peer may take to close its side after ours.
  var linger: TimeAmount { TimeAmount(timing.linger) }

  /// Opens a provider's connection in the simulator once the handshake is complete; nil when it is not admitted.
  func admit<Connection>(
    _ open: (ConnectionOpening) throws(TurnedAway) -> Connection
  ) -> Connection? {
    guard let certificate = tls.peer, case .admitted(let provider) = entrance.admission.judge(certificate)
    else {
      return nil
    }
    return self.open(provider, open)
  }

  /// Opens a provider's connection in the simulator; nil when it is turned away.
  func open<Connection>(
    _ provider: ProviderIdentity,
    _ open: (ConnectionOpening) throws(TurnedAway) -> Connection
  ) -> Connection? {
    var opening = ConnectionOpening(
      peer: address,
      provider: provider,
      tlsVersion: tls.version?.rawValue ?? "",
      cipher: tls.cipher ?? ""
    )
    opening.ordinal = entrance.arrival.ordinal
    do throws(TurnedAway) {
      return try open(opening)
    } catch {
      services.log.write(.limit, level: .warning, "\(plan.name): turned \(address) away: \(error)")
      return nil
    }
  }

  /// Judges the certificate of a connection of requests, if it has one.
  func judgeForRequests() -> RequestAdmission { entrance.admission.judgeForRequests(tls.peer) }

  /// Reports that a certificate was turned away after the handshake.
  func noteTurnedAway(_ reason: String, _ cause: String) {
    note("\(reason): \(cause)", subject: tls.peer?.subject ?? "")
    services.log.write(.handshake, "\(plan.name): turned \(address) away, \(reason): \(cause)")
  }

  func identify(_ channel: any Channel, as id: ConnectionID) { services.table.identify(channel, as: id) }

  /// The connection has closed.
  func end(_ channel: any Channel, _ id: ConnectionID?) {
    endHandshake(channel)
    cancelFaults()
    if let id { services.table.forget(id) }
  }

  /// Logs that the connection was closed to make way for others.
  func madeWay() {
    services.log.write(.limit, level: .notice, "\(plan.name): \(address) was silent and made way for others")
  }

  /// Reports an error of the transport or of TLS, and returns the closing reason that it means.
  func report(_ error: any Error) -> ClosingReason {
    guard let error = error as? TLSError else {
      let isReset = [.connectionReset, .brokenPipe].contains((error as? IOError)?.code)
      if !isReset {
        services.log.write(
          .connection,
          level: .info,
          "\(plan.name): connection from \(address) broke: \(error)"
        )
      }
      return isReset ? .reset : .failed
    }
    guard error.duringHandshake else {
      services.log.write(.connection, level: .info, "\(plan.name): \(address): \(error)")
      return .failed
    }
    // A port probe that leaves without a byte is not an error.
    guard error.kind != .closedBeforeHandshake else {
      services.log.write(.handshake, level: .debug, "\(plan.name): \(address): \(error)")
      return .failed
    }
    note(error.reason, subject: error.peer?.subject ?? "")
    services.log.write(Self.kind(of: error), "\(plan.name): refused \(address): \(error)")
    return .failed
  }

  /// Reports that a feedback client sent bytes, which the service discards.
  func reportUnexpectedBytes() {
    services.log.write(
      .unexpected,
      "\(plan.name): \(address) sends bytes to a service that only writes; discarded"
    )
  }

  /// Reports that the connection ended within a frame, of which nothing else tells.
  func reportUnfinished(_ frame: UnfinishedFrame, of connection: ConnectionID) {
    services.log.write(
      .connection,
      "\(plan.name): \(address) (\(connection)) ended within a frame, which was not judged: \(frame)"
    )
  }

  private static func kind(of error: TLSError) -> LogKind {
    switch error.kind {
    case .plainHTTP, .plainFrames, .notTLS: .notTLS
    case .handshakeTimeout: .halfOpen
    default: .handshake
    }
  }

  private func note(_ reason: String, subject: String) {
    simulator.noteRefusedConnection(
      plan.listener,
      peer: address,
      reason: reason,
      subject: subject,
      at: WallClock.now()
    )
  }

  func endHandshake(_ channel: any Channel) {
    guard isHandshaking else { return }
    isHandshaking = false
    loop.handshakes.end(channel)
  }
}

extension SocketAddress {
  /// The address for people: `127.0.0.1:51234`, `[::1]:51234`.
  var readable: String {
    guard let ipAddress, let port else { return "\(self)" }
    return HostPort(ipAddress, port).description
  }
}

extension TimeAmount {
  /// Saturates at a value of which neither a deadline nor five times as much overflows.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    self = .nanoseconds(overflow || overflowed ? .max / 16 : min(sum, .max / 16))
  }
}
