import APNSimCore
import APNSimServer

/// The simulator that a path is for: the main one, or a sandbox.
final class Space: Sendable {
  /// The sandbox's name; nil for the main simulator.
  let id: String?
  let server: SimulatorServer
  /// The signal that ends the long-running answers of this simulator.
  let ending = EndSignal()
  /// Its events, in numbers.
  let digests: DigestBoard

  init(id: String? = nil, server: SimulatorServer) {
    self.id = id
    self.server = server
    digests = DigestBoard(server.simulator)
  }

  var simulator: Simulator { server.simulator }

  /// The default environment, for requests that name none.
  var environment: PushEnvironment { server.configuration.listening.environment.first }
}
