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
    return .json { writer in
      writer.list("sandboxes", call.services.sandboxes.all) { $0.writeMembers(call, to: &$1) }
    }
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
    return .json(.created, headers: ["Location": location]) { space.writeMembers(call, to: &$0) }
  }

  private static func get(_ call: Call) async throws -> Response {
    .json { call.space.writeMembers(call, to: &$0) }
  }

  private static func end(_ call: Call) async throws -> Response {
    guard await call.services.sandboxes.end(call["sandbox"]) else {
      throw ProblemDetails.notFound("sandbox", call["sandbox"])
    }
    return .noContent
  }
}

extension Space {
  /// Writes its name, the path of its resources, and the endpoints in the form of `--print json`.
  fileprivate func writeMembers(_ call: Call, to writer: inout JSONWriter) {
    writer.member("id", id ?? "")
    writer.member("base", "\(RouteTable.base)/sandboxes/\(id ?? "")")
    writer.member("seed", simulator.seed)
    call.services.endpoints(of: server, for: call.request)?.writeMembers(to: &writer)
  }
}
