import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import HTTPTypes
import Hummingbird

/// `/scenario`: the scenario of the last reset, and replacing it.
enum ScenarioResource {
  static let routes: [Route] = [
    Route(.get, "/scenario", answer: get),
    Route(.put, "/scenario", body: .scenario, answer: put),
  ]

  /// The media types of a body in JSON or YAML, of which JSON is a subset.
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

  /// Resets the simulator into the scenario, with the clock of the start if the scenario has none.
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
