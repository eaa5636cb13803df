import APNSimCore
package import APNSimScenario
import APNSimServer
package import APNSimWire
import NIOHTTP1

/// `/scenario`: the scenario of the last reset, replacing it, and the schema of scenarios.
enum ScenarioResource {
  static let routes: [Route] = [
    Route(.GET, "/scenario", answer: get),
    Route(.PUT, "/scenario", body: .scenario, answer: put),
    Route(.POST, "/scenario/check", body: .scenario, answer: check),
    Route(.GET, "/scenario/schema", isInSandboxes: false) { _ in
      return .bytes(Array(ScenarioSchema.text.utf8), type: "application/schema+json")
    },
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

  private static func read(_ text: String, _ call: Call) throws(DocumentError) -> Scenario {
    try BodyText.requireSome(text, "a scenario in JSON or YAML")
    return try ScenarioBody.read(
      text,
      name: "request body",
      serverSettings: serverSettings,
      environment: call.space.environment
    )
  }

  /// Says what is wrong with a scenario, and what loading it would reset. Loads nothing.
  private static func check(_ call: Call) async throws -> Response {
    let text = try await call.body(types)
    var mistakes: [DocumentProblem] = []
    var omitted = 0
    let result = try await call.reading(text) { text throws(DocumentError) in
      var scenario = try read(text, call)
      scenario.clock = scenario.clock ?? call.simulator.initialClock
      return call.simulator.check(scenario, at: call.server.wallTime)
    }
    switch result {
    case .success(let error):
      mistakes = error.map { [DocumentProblem(location: .start, message: $0.description)] } ?? []
    case .failure(let error):
      (mistakes, omitted) = (error.problems, error.omitted)
    }
    return .json(CheckAnswer(mistakes: mistakes, omitted: omitted, loss: call.simulator.lossAtReset))
  }

  /// Resets the simulator into the scenario, with the clock of the start if the scenario has none.
  private static func put(_ call: Call) async throws -> Response {
    var scenario = try await call.read(of: types) { text throws(DocumentError) in
      do throws(DocumentError) { return try read(text, call) } catch { throw error.pointed(in: text) }
    }
    scenario.clock = scenario.clock ?? call.simulator.initialClock
    try call.perform(.replaceScenario(scenario))
    return answer(call)
  }

  static let serverSettings = ServerSetting.all.map(\.name)
}

struct CheckAnswer: JSONObject {
  let mistakes: [DocumentProblem]
  let omitted: Int
  let loss: String

  static let shape = JSONShape<Self>("ScenarioCheck") {
    $0.list("mistakes", "In the order of the text; empty for a scenario that can be loaded.") { $0.mistakes }
    $0.member("omitted", "Mistakes beyond those that are listed.", .least(0)) { $0.omitted }
    $0.member("resets", "What loading it would end, for people.") { $0.loss }
  }
}

extension DocumentProblem: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("line", "From 1.", .least(1)) { $0.location.line }
    $0.member(
      "column",
      "In Unicode scalars from 1. What is wrong between the parts of a scenario is at its beginning.",
      .least(1)
    ) { $0.location.column }
    $0.member("length", "The number of characters that are wrong.", .least(0)) { $0.length }
    $0.member("message") { $0.message }
    $0.optional("suggestion", "The known name that is nearest.") { $0.suggestion }
  }
}
