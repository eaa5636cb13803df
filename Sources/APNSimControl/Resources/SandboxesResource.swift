import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/sandboxes`: one sandbox for each test. Every other resource is available for each of them under
/// `/sandboxes/{sandbox}`.
enum SandboxesResource {
  static let routes: [Route] = [
    Route(.GET, "/sandboxes", isInSandboxes: false, answer: list),
    Route(.POST, "/sandboxes", isInSandboxes: false, body: .scenario, answer: make),
    Route(.GET, "/sandboxes/{sandbox}", isInSandboxes: false, answer: get),
    Route(.DELETE, "/sandboxes/{sandbox}", isInSandboxes: false, answer: end),
  ]

  private static func list(_ call: Call) async throws -> Response {
    .json(SandboxesAnswer(sandboxes: call.services.sandboxes.all.compactMap { try? SandboxAnswer($0, call) }))
  }

  private static func make(_ call: Call) async throws -> Response {
    let scenario = try await call.read(of: ScenarioResource.types) { text throws(DocumentError) in
      try SandboxBody.read(
        text,
        serverSettings: ScenarioResource.serverSettings,
        environment: call.space.environment
      )
    }
    let space = try await call.services.sandboxes.make(scenario, beside: call.space)
    let location = "\(RouteTable.base)/sandboxes/\(space.id ?? "")"
    return .json(.created, headers: ["Location": location], try SandboxAnswer(space, call))
  }

  private static func get(_ call: Call) async throws -> Response {
    .json(try SandboxAnswer(call.space, call))
  }

  private static func end(_ call: Call) async throws -> Response {
    guard await call.services.sandboxes.end(call["sandbox"]) else {
      throw ProblemDetails.notFound("sandbox", call["sandbox"])
    }
    return .noContent
  }
}

/// The sandboxes that have not ended.
struct SandboxesAnswer: JSONObject {
  let sandboxes: [SandboxAnswer]

  static let shape = JSONShape<Self>("SandboxList") {
    $0.list("sandboxes") { $0.sandboxes }
  }
}

/// A sandbox: its name, the path of its resources, and its endpoints.
struct SandboxAnswer: JSONObject {
  let id: String
  let seed: UInt64
  let endpoints: Endpoints

  /// - Throws: `ProblemDetails` 503 of one that is ending.
  init(_ space: Space, _ call: Call) throws(ProblemDetails) {
    guard let endpoints = call.services.endpoints(of: space.server, for: call.request) else {
      throw .starting
    }
    (id, seed, self.endpoints) = (space.id ?? "", space.simulator.seed, endpoints)
  }

  static let shape = JSONShape<Self>("Sandbox") {
    $0.member("id", "Its name in paths.", .pattern("^s[0-9]+$")) { $0.id }
    $0.member("base", "The base path of its resources.") { "\(RouteTable.base)/sandboxes/\($0.id)" }
    $0.member("seed", "Of its chances.") { $0.seed }
    $0.members { $0.endpoints }
  }
}
