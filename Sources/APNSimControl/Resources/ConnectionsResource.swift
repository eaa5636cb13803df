internal import APNSimCore
internal import APNSimServer
internal import APNSimWire
internal import HTTPTypes
internal import Hummingbird

/// `/connections`: who is or was connected, what errors cost them, and ending a connection.
enum ConnectionsResource {
  static let routes: [Route] = [
    Route(.get, "/connections", answer: list),
    Route(.get, "/connections/{connection}", answer: get),
    Route(.delete, "/connections/{connection}", answer: end),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let query = try call.query("open", "limit")
    let limit = try query.int("limit", in: 1...1000, default: 100)
    let onlyOpen = try query.flag("open")
    let all = call.simulator.connections().filter { !onlyOpen || $0.isOpen }
    return .json { writer in
      writer.list("connections", all.suffix(limit)) { $0.writeMembers(mostReferences: 0, to: &$1) }
    }
  }

  private static func get(_ call: Call) async throws -> Response {
    _ = try call.query()
    guard let connection = try id(call).flatMap({ call.simulator.connection($0) }) else {
      throw Problem.notFound("connection", call["connection"], hint: "GET /connections lists them")
    }
    return .json { connection.writeMembers(mostReferences: 100_000, to: &$0) }
  }

  private static func end(_ call: Call) async throws -> Response {
    let mode = try call.query("mode")["mode"] ?? ConnectionEnding.finish.rawValue
    guard let how = ConnectionEnding(rawValue: mode) else {
      let modes = ConnectionEnding.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem.parameter("mode", "expected one of \(modes), found \"\(mode)\"")
    }
    guard let id = try id(call) else {
      throw Problem.notFound("connection", call["connection"], hint: "GET /connections lists them")
    }
    try call.perform(.endConnection(id, how))
    return .noContent
  }

  private static func id(_ call: Call) throws(Problem) -> ConnectionID? { ConnectionID(call["connection"]) }
}

extension ConnectionView {
  /// - Parameter mostReferences: how many notifications each list of the resend report names; 0 leaves it out.
  func writeMembers(mostReferences: Int, to writer: inout JSONWriter) {
    writer.key("id")
    writer.string(id.description)
    writer.key("listener")
    writer.string(listener.rawValue)
    writer.key("open")
    writer.bool(isOpen)
    writer.key("peer")
    writer.string(opening.peer)
    writer.key("openedAt")
    writer.string(openedAt.description)
    writer.member("closedAt", closedAt?.description)
    writer.member("closing", closing?.rawValue)
    writer.key("provider")
    writer.beginObject()
    writer.key("topic")
    writer.string(opening.provider.topic)
    writer.key("environment")
    writer.string(opening.provider.environment.rawValue)
    writer.key("subject")
    writer.string(opening.provider.subject)
    writer.endObject()
    writer.key("tls")
    writer.beginObject()
    writer.key("version")
    writer.string(opening.tlsVersion)
    writer.key("cipher")
    writer.string(opening.cipher)
    writer.endObject()
    counts.writeMembers(to: &writer)
    writer.key("tuplesRead")
    writer.int(tuplesRead)
    writer.key("error")
    if let error {
      writer.beginObject()
      writer.key("status")
      writer.int(error.response.status.rawValue)
      writer.key("identifier")
      writer.string(error.response.identifier.hex)
      writer.key("at")
      writer.string(error.at.description)
      writer.endObject()
    } else {
      writer.null()
    }
    guard mostReferences > 0 else { return }
    writer.key("resend")
    writer.beginObject()
    resend.writeMembers(most: mostReferences, to: &writer)
    writer.endObject()
  }
}
