import APNSimCore
import APNSimTLS
import NIOCore

/// The services that all connections of a server share, the simulator first.
final class ConnectionServices: Sendable {
  let configuration: ServerConfiguration
  let simulator: Simulator
  let tls: TLSContext
  /// The context of the device port, which accepts certificates of the simulator's own CA only.
  let deviceTLS: TLSContext
  /// The context of ports of requests: today's TLS, certificates asked for and not required.
  let requestTLS: TLSContext
  let providerTokens: ProviderTokenVerifier
  let table: ConnectionTable
  let timers: SimulatedTimers
  let served: ServedTimes
  let log: ServerLog
  private let loops: [ObjectIdentifier: NIOLoopBound<LoopContext>]

  init(
    of server: SimulatorServer,
    on foundation: ServerFoundation,
    _ wakeTimer: WakeTimer,
    _ loops: [ObjectIdentifier: NIOLoopBound<LoopContext>]
  ) {
    (configuration, simulator) = (server.configuration, server.simulator)
    (served, log) = (server.served, server.log)
    (tls, deviceTLS, requestTLS) = (foundation.tls, foundation.deviceTLS, foundation.requestTLS)
    providerTokens = ProviderTokenVerifier(
      foundation.providerKeys,
      acceptsAny: configuration.requests.providerTokens == .any,
      log
    )
    table = ConnectionTable(limit: configuration.capacity.connections)
    timers = SimulatedTimers(simulator, wakeTimer)
    self.loops = loops
  }

  /// The state that the connections of a loop share; called on that loop.
  func context(of loop: any EventLoop) -> LoopContext? { loops[ObjectIdentifier(loop)]?.value }
}
