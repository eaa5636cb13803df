import APNSimCore
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/connections`: present and past connections, the cost of their errors, and ending a connection.
enum ConnectionsResource {
  static let routes: [Route] = [
    Route(.GET, "/connections", query: ["open", "after", "limit"], answer: list),
    Route(.GET, "/connections/{connection}", answer: get),
    Route(.GET, "/connections/{connection}/story", answer: story),
    Route(.DELETE, "/connections/{connection}", query: ["mode"], answer: end),
  ]

  private static let hint =
    "GET /connections lists those of providers, and GET /devices says which one each device has"

  /// The maximum number of refused connections in an answer: the newest ones.
  private static let mostRefused = 100

  private static func list(_ call: Call) async throws -> Response {
    let limit = try call.query.int("limit", in: 1...1000, default: 100)
    let onlyOpen = try call.query.flag("open")
    let after = try call.query.value("after", "a connection such as c3") {
      $0 == "c0" ? ConnectionID(rawValue: 0) : ConnectionID($0)
    }
    let all = call.simulator.connections().filter { !onlyOpen || $0.isOpen }
    let asked = after.map { after in all.drop { $0.id <= after } }
    // Without a place the page has the newest connections.
    let page = asked?.prefix(limit) ?? all.suffix(limit)
    let next = asked.flatMap { $0.count > limit ? page.last?.id : nil }
    let refused = onlyOpen ? [] : call.simulator.refusedConnections(most: mostRefused)
    return .json { writer in
      writer.list("connections", page) { $0.writeMembers(mostReferences: 0, to: &$1) }
      writer.list("refused", refused) { $0.writeMembers(to: &$1) }
      writer.member("next", next?.description)
    }
  }

  private static func get(_ call: Call) async throws -> Response {
    guard let connection = ConnectionID(call["connection"]).flatMap({ call.simulator.connection($0) }) else {
      throw ProblemDetails.notFound("connection", call["connection"], hint: hint)
    }
    return .json { connection.writeMembers(mostReferences: 100_000, to: &$0) }
  }

  private static func story(_ call: Call) async throws -> Response {
    guard let story = ConnectionID(call["connection"]).flatMap({ call.simulator.story(of: $0) }) else {
      throw ProblemDetails.notFound("connection", call["connection"], hint: hint)
    }
    return .json { story.writeMembers(to: &$0) }
  }

  private static func end(_ call: Call) async throws -> Response {
    let modes = KillMode.allCases.map(\.rawValue).joined(separator: ", ")
    let how = try call.query.value("mode", "one of \(modes)") { KillMode(rawValue: $0) } ?? .finish
    guard let id = ConnectionID(call["connection"]) else {
      throw ProblemDetails.notFound("connection", call["connection"], hint: hint)
    }
    try call.perform(.endConnection(id, how))
    return .noContent
  }
}

extension ConnectionRefusal {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("at", at.description)
    writer.member("listener", listener.rawValue)
    writer.member("peer", peer)
    writer.member("reason", reason)
    writer.member("subject", subject)
  }
}

extension ConnectionView {
  /// - Parameter mostReferences: the maximum number of notifications in each list of the resend report; 0 omits the
  ///   report.
  func writeMembers(mostReferences: Int, to writer: inout JSONWriter) {
    writer.member("id", id.description)
    writer.member("listener", listener.rawValue)
    writer.member("open", isOpen)
    writer.member("peer", opening.peer)
    writer.member("openedAt", openedAt.description)
    writer.member("closedAt", closedAt?.description)
    writer.member("closing", closing?.rawValue)
    writer.key("provider")
    writer.beginObject()
    writer.member("topic", opening.provider.topic)
    writer.member("environment", opening.provider.environment.rawValue)
    writer.member("subject", opening.provider.subject)
    writer.endObject()
    writer.key("tls")
    writer.beginObject()
    writer.member("version", opening.tlsVersion)
    writer.member("cipher", opening.cipher)
    writer.endObject()
    counts.writeMembers(to: &writer)
    writer.member("tuplesRead", tuplesRead)
    writer.key("unfinished")
    if let unfinished {
      writer.beginObject()
      writer.member("command", unfinished.command)
      writer.member("bytes", unfinished.bytes)
      writer.member("expected", unfinished.expected)
      writer.member("exact", unfinished.isExact)
      writer.member("text", unfinished.description)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.key("error")
    if let error {
      writer.beginObject()
      writer.member("status", error.response.status.rawValue)
      writer.member("identifier", error.response.identifier.hex)
      writer.member("at", error.at.description)
      writer.endObject()
    } else {
      writer.null()
    }
    if let goAway {
      writer.key("goAway")
      writer.beginObject()
      writer.member("lastStream", goAway.lastStream)
      writer.member("at", goAway.at.description)
      writer.endObject()
    }
    if malformed.count > 0 { write(malformed, isWhole: mostReferences > 0, to: &writer) }
    guard mostReferences > 0 else { return }
    writer.key("resend")
    writer.beginObject()
    resend.writeMembers(most: mostReferences, to: &writer)
    writer.endObject()
  }

  private func write(_ malformed: MalformedRequests, isWhole: Bool, to writer: inout JSONWriter) {
    writer.key("malformed")
    writer.beginObject()
    writer.member("count", malformed.count)
    writer.list("latest", isWhole ? malformed.latest : malformed.latest.suffix(1)) { $0.writeMembers(to: &$1) }
    writer.endObject()
  }
}
