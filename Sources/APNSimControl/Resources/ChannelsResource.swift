import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/channels`: broadcast channels, and the subscriptions of devices to them.
enum ChannelsResource {
  static let routes: [Route] = [
    Route(.GET, "/channels", query: ["topic", "environment", "after", "limit"], answer: list),
    Route(.POST, "/channels", body: .json, answer: create),
    Route(.DELETE, "/channels", query: ["id", "topic", "environment"], answer: delete),
    Route(.POST, "/devices/{device}/subscribe", body: .json) { try await setSubscribed($0, true) },
    Route(.POST, "/devices/{device}/unsubscribe", body: .json) { try await setSubscribed($0, false) },
  ]

  private static func list(_ call: Call) async throws -> Response {
    let limit = try call.query.int("limit", in: 1...10_000, default: 10_000)
    let after = try call.query.value("after", "the \"next\" of a page") { UInt32($0) }
    let page = call.simulator.channels(
      topic: call.query["topic"],
      environment: try environment(call.query),
      after: after ?? 0,
      limit: limit
    )
    return .json(ChannelsAnswer(channels: page.channels, next: page.next.map { "\($0)" }))
  }

  private static func environment(_ query: QueryParameters) throws(ProblemDetails) -> PushEnvironment? {
    try query.value("environment", "production or sandbox") { PushEnvironment(rawValue: $0) }
  }

  private static func create(_ call: Call) async throws -> Response {
    let specification = try await call.read { text throws(DocumentError) in
      try ChannelBody.create(text, environment: call.space.environment)
    }
    let created: ChannelView?
    do throws(CommandError) {
      created = try call.server.outcome(of: .addChannel(specification)).channel
    } catch {
      throw ProblemDetails(error)
    }
    return .json(.created) { created?.writeMembers(to: &$0) }
  }

  /// Deletes the channel of an identifier, or all of them: of an app, of an environment.
  private static func delete(_ call: Call) async throws -> Response {
    let environment = try environment(call.query)
    let (id, topic) = (call.query["id"], call.query["topic"])
    if let id, topic == nil, environment == nil {
      try call.perform(.deleteChannel(ChannelReference(id: id)))
      return .noContent
    }
    let found = call.simulator.channels(topic: topic, environment: environment).channels
      .filter { id == nil || $0.id == id }
    if let id, found.isEmpty { throw ProblemDetails(.unknownChannel(id)) }
    if let id, found.count > 1 { throw ProblemDetails(.ambiguousChannel(id)) }
    for channel in found {
      try call.perform(.deleteChannel(ChannelReference(id: channel.id, app: channel.app)))
    }
    return .noContent
  }

  private static func setSubscribed(_ call: Call, _ isSubscribed: Bool) async throws -> Response {
    let name = call["device"]
    let command = try await call.read { text throws(DocumentError) in
      try ChannelBody.subscription(
        text,
        device: name,
        isSubscribed: isSubscribed,
        environment: call.space.environment
      )
    }
    try call.perform(command)
    return .noContent
  }
}

/// A page of channels.
struct ChannelsAnswer: JSONObject {
  let channels: [ChannelView]
  let next: String?

  static let shape = JSONShape<Self>("ChannelPage") {
    $0.list("channels") { $0.channels }
    $0.member("next", "The cursor to continue after; null at the end.") { $0.next }
  }
}
