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
    configuration: ServerConfiguration,
    simulator: Simulator,
    tls: TLSContext,
    deviceTLS: TLSContext,
    requestTLS: TLSContext,
    providerTokens: ProviderTokenVerifier,
    table: ConnectionTable,
    timers: SimulatedTimers,
    served: ServedTimes,
    log: ServerLog,
    loops: [ObjectIdentifier: NIOLoopBound<LoopContext>]
  ) {
    self.configuration = configuration
    self.simulator = simulator
    self.tls = tls
    self.deviceTLS = deviceTLS
    self.requestTLS = requestTLS
    self.providerTokens = providerTokens
    self.table = table
    self.timers = timers
    self.served = served
    self.log = log
    self.loops = loops
  }

  /// The state that the connections of a loop share; called on that loop.
  func context(of loop: any EventLoop) -> LoopContext? { loops[ObjectIdentifier(loop)]?.value }
}
