internal import APNSimCore
internal import APNSimServer

/// What a path is about: the main simulator, or one sandbox.
final class Space: Sendable {
  /// The sandbox's name; nil for the main simulator.
  let id: String?
  let server: SimulatorServer
  /// When what runs for long here is to end.
  let ending = Ending()

  init(id: String? = nil, server: SimulatorServer) {
    self.id = id
    self.server = server
  }

  var simulator: Simulator { server.simulator }

  /// The environment that is meant where a request names none.
  var environment: PushEnvironment { server.configuration.listening.environment.first }
}
