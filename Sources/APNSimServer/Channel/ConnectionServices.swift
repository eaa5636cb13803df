import APNSimCore
import APNSimTLS
import NIOCore

/// The services that all connections of a server share, the simulator first.
final class ConnectionServices: Sendable {
  let configuration: ServerConfiguration
  let simulator: Simulator
  let tls: TLSContext
  let deviceTLS: TLSContext
  let requestTLS: TLSContext
  let providerTokens: ProviderTokenVerifier
  let table: ConnectionTable
  let timers: SimulatedTimers
  let served: ServedTimes
  let log: ServerLog
  let held: HeldMemory
  private let loops: [ObjectIdentifier: NIOLoopBound<LoopContext>]

  init(
    _ configuration: ServerConfiguration,
    _ simulator: Simulator,
    _ credentials: ServerCredentials,
    _ wakeTimer: WakeTimer,
    _ served: ServedTimes,
    _ log: ServerLog,
    _ loops: [ObjectIdentifier: NIOLoopBound<LoopContext>]
  ) {
    (self.configuration, self.simulator, self.served) = (configuration, simulator, served)
    held = HeldMemory(configuration.capacity.heldBytes)
    (tls, deviceTLS, requestTLS) = (credentials.tls, credentials.deviceTLS, credentials.requestTLS)
    (self.log, self.loops) = (log, loops)
    providerTokens = ProviderTokenVerifier(
      credentials.providerKeys,
      acceptsAny: configuration.requests.providerTokens == .any,
      rules: simulator.configuration.rules,
      log
    )
    table = ConnectionTable(limit: configuration.capacity.connections)
    timers = SimulatedTimers(simulator, wakeTimer)
  }

  /// The state that the connections of a loop share; called on that loop.
  func context(of loop: any EventLoop) -> LoopContext? { loops[ObjectIdentifier(loop)]?.value }
}

/// The things that the ports of a server show, and judge providers by.
struct ServerCredentials: Sendable {
  let tls: TLSContext
  /// The context of the device port, which accepts certificates of the simulator's own CA only.
  let deviceTLS: TLSContext
  /// The context of ports of requests: today's TLS, certificates asked for and not required.
  let requestTLS: TLSContext
  let providerKeys: ProviderKeyRing
}
