package import APNSimCore
import APNSimServer
package import APNSimWire
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
  fileprivate static let mostRefused = 100

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
    return .json(ConnectionsAnswer(connections: page.map(\.ofList), refused: refused, next: next))
  }

  private static func get(_ call: Call) async throws -> Response {
    guard let connection = ConnectionID(call["connection"]).flatMap({ call.simulator.connection($0) }) else {
      throw ProblemDetails.notFound("connection", call["connection"], hint: hint)
    }
    return .json(ConnectionDetail(connection: connection))
  }

  private static func story(_ call: Call) async throws -> Response {
    guard let story = ConnectionID(call["connection"]).flatMap({ call.simulator.story(of: $0) }) else {
      throw ProblemDetails.notFound("connection", call["connection"], hint: hint)
    }
    return .json(story)
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

/// A page of connections, in the order they were opened.
struct ConnectionsAnswer: JSONObject {
  let connections: [ConnectionView]
  let refused: [ConnectionRefusal]
  let next: ConnectionID?

  static let shape = JSONShape<Self>("ConnectionPage") {
    $0.list("connections") { $0.connections }
    $0.list(
      "refused",
      """
      Connections that never became one, for their certificate or another reason: the newest \
      \(ConnectionsResource.mostRefused), the same in every page; none with `open`.
      """
    ) { $0.refused }
    $0.member("next", "The cursor to continue after; null at the end.") { $0.next }
  }
}

extension ConnectionRefusal: JSONObject {
  package static let shape = JSONShape<Self>("ConnectionRefusal", "A connection that never became one.") {
    $0.member("at") { $0.at }
    $0.member("listener", "The service that was called.") { $0.listener }
    $0.member("peer", "The address it came from.") { $0.peer }
    $0.member("reason", "The reason, as in the journal.") { $0.reason }
    $0.member("subject", "The subject of its certificate; empty without one.") { $0.subject }
  }
}

extension ConnectionView: JSONObject {
  package static let shape = JSONShape<Self>("Connection") {
    $0.member("id") { $0.id }
    $0.member("listener") { $0.listener }
    $0.member("open") { $0.isOpen }
    $0.member("peer") { $0.opening.peer }
    $0.member("openedAt") { $0.openedAt }
    $0.member("closedAt", "Null while it is open.") { $0.closedAt }
    $0.member("closing", "How it ended; null while it is open.") { $0.closing }
    $0.member("provider") { Provider(identity: $0.opening.provider) }
    $0.member("tls") { TLS(opening: $0.opening) }
    $0.members { $0.counts }
    $0.member("tuplesRead", "For a feedback connection.") { $0.tuplesRead }
    $0.member(
      "unfinished",
      "The frame of which the rest has not come, or had not when the connection ended; null without one."
    ) { $0.unfinished }
    $0.member("error", "The error response that was sent; null without one.") { $0.error }
    $0.optional("goAway", "Of a connection over HTTP/2: the GOAWAY that was sent, where there was one.") {
      $0.goAway.map { GoAway(lastStream: $0.lastStream, at: $0.at) }
    }
    $0.optional(
      "malformed",
      "Of a connection over HTTP/2: what never became a request, where there was any; its streams were reset."
    ) { $0.malformed.count > 0 ? $0.malformed : nil }
  }

  /// As it stands in a list of connections.
  fileprivate var ofList: Self {
    var view = self
    view.malformed.forgetAllButLast()
    return view
  }

  private struct Provider: JSONObject {
    let identity: ProviderIdentity

    static let shape = JSONShape<Self> {
      $0.member("topic") { $0.identity.topic }
      $0.member("environment", "The environment.") { $0.identity.environment }
      $0.member("subject") { $0.identity.subject }
    }
  }

  private struct TLS: JSONObject {
    let opening: ConnectionOpening

    static let shape = JSONShape<Self> {
      $0.member("version") { $0.opening.tlsVersion }
      $0.member("cipher") { $0.opening.cipher }
    }
  }

  private struct GoAway: JSONObject {
    let lastStream: UInt32
    let at: Timestamp

    static let shape = JSONShape<Self> {
      $0.member("lastStream", "Requests on greater streams are not processed and can be sent again.") {
        $0.lastStream
      }
      $0.member("at") { $0.at }
    }
  }
}

/// A connection with what its provider has to make good.
struct ConnectionDetail: JSONObject {
  let connection: ConnectionView

  /// The maximum number of notifications in each list.
  private static let mostReferences = 100_000

  static let shape = JSONShape<Self>("ConnectionDetail") {
    $0.members { $0.connection }
    $0.member("resend") { $0.connection.resend.limited(to: mostReferences) }
  }
}

extension SentError: JSONObject {
  package static let shape = JSONShape<Self>("ErrorResponse") {
    $0.member("status") { $0.response.status.rawValue }
    $0.member("identifier") { $0.response.identifier }
    $0.member("at") { $0.at }
  }
}

extension UnfinishedFrame: JSONObject {
  package static let shape = JSONShape<Self>("UnfinishedFrame") {
    $0.member("command") { $0.command }
    $0.member("bytes", "Bytes that have come.", .least(0)) { $0.bytes }
    $0.member("expected", "Bytes that the frame has, as far as its lengths have come.", .least(0)) {
      $0.expected
    }
    $0.member("exact", "False where a length that has not come may make it longer.") { $0.isExact }
    $0.member("text", "For people.", .example("73 of 74 bytes of a command 2 frame")) { $0.description }
  }
}
