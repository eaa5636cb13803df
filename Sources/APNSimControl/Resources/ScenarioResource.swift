internal import APNSimCore
internal import APNSimScenario
internal import APNSimServer
internal import APNSimWire
internal import HTTPTypes
internal import Hummingbird

/// `/scenario`: what the simulator was last begun from, and beginning another.
enum ScenarioResource {
  static let routes: [Route] = [
    Route(.get, "/scenario", answer: get),
    Route(.put, "/scenario", body: .scenario, answer: put),
  ]

  /// A body may be JSON or YAML, which JSON is part of.
  static let types = [
    "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml",
  ]

  private static func get(_ call: Call) async throws -> Response {
    return answer(call)
  }

  private static func answer(_ call: Call) -> Response {
    var writer = JSONWriter()
    call.simulator.scenario.write(to: &writer)
    writer.newline()
    return .bytes(writer.bytes, type: "application/json")
  }

  /// Begins the scenario, a reset into it, with the clock of the start where it says none.
  private static func put(_ call: Call) async throws -> Response {
    var scenario = try await call.read(of: types) { text throws(DocumentError) in
      do throws(DocumentError) {
        try BodyText.requireSome(text, "a scenario in JSON or YAML")
        return try ScenarioBody.read(
          text,
          name: "request body",
          serverSettings: serverSettings,
          environment: call.space.environment
        )
      } catch {
        throw error.pointed(in: text)
      }
    }
    scenario.clock = scenario.clock ?? call.simulator.initialClock
    try call.perform(.replaceScenario(scenario))
    return answer(call)
  }

  static let serverSettings = ServerSetting.all.map(\.name)
}
