package import APNSimCore

extension SimulatorServer {
  /// Starts a sandbox beside this server: another simulator on free ports, with this one's settings and clock unless the
  /// scenario has others. It shares certificates and event loops, and ends before this server.
  /// - Parameter seed: of all randomness; nil for the scenario's, or a random one.
  /// - Throws: `CommandError` if the scenario cannot be, `ServerError` if this server is not running or a port cannot be had.
  package func startSandbox(_ scenario: Scenario, seed: UInt64? = nil) async throws -> SimulatorServer {
    var scenario = scenario
    scenario.clock = scenario.clock ?? simulator.initialClock
    var core = simulator.configuration
    core.rules = .current
    for setting in scenario.settings {
      do {
        try Setting.named(setting.name)?.apply(setting.text, to: &core)
      } catch {
        throw CommandError.badSetting("\(error)")
      }
    }
    var configuration = configuration
    configuration.listening.ephemeral = true
    configuration.files.record = nil
    configuration.files.endpoints = nil
    let sandbox = try Simulator(
      configuration: core,
      scenario: scenario,
      seed: seed ?? scenario.seed ?? UInt64.random(in: 1...UInt64(UInt32.max)),
      start: wallTime,
      tokenIssuer: simulator.tokenIssuer
    )
    let server = try SimulatorServer(sharing: self, configuration: configuration, simulator: sandbox)
    try await server.start()
    return server
  }
}
