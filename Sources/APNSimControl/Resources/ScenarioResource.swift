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
    Route(.put, "/scenario", mostBytes: 16 << 20, answer: put),
  ]

  /// A body may be JSON or YAML, which JSON is part of.
  static let types = [
    "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml",
  ]

  private static func get(_ call: Call) async throws -> Response {
    _ = try call.query()
    return answer(call)
  }

  private static func answer(_ call: Call) -> Response {
    var writer = JSONWriter()
    call.simulator.scenario.write(to: &writer)
    writer.newline()
    return .bytes(writer.bytes, type: "application/json")
  }

  /// Begins the scenario: a reset into it.
  private static func put(_ call: Call) async throws -> Response {
    let text = try await call.body(types).text
    let scenario: Scenario
    do throws(DocumentError) {
      scenario = try ScenarioFile.parse(text, name: "request body", serverSettings: serverSettings)
    } catch {
      throw Problem(error.pointed(in: text))
    }
    try call.perform(.replaceScenario(scenario))
    return answer(call)
  }

  static let serverSettings = ServerSetting.all.map(\.name)
}
