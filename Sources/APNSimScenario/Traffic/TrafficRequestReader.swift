import APNSimCore
import APNSimWire

/// Reads one item of `push`: `{ to: alice, pushType: background, priority: 5 }`.
enum TrafficRequestReader {
  private static let keys = [
    "to", "payload", "payloadSize", "topic", "pushType", "priority", "expiry", "collapseId", "id", "headers",
    "method", "path", "count",
  ]

  /// - Parameter topic: the connection's.
  static func read(_ item: Value, topic: String, _ draft: ScenarioDraft) -> TrafficRequest? {
    guard let fields = Fields(item, of: "a request", keys: keys),
      let recipient = fields.require("to").flatMap({ TrafficNotificationReader.recipient($0, draft) })
    else { return nil }
    let own = fields["topic"].flatMap { $0.text("the topic, or none") }
    let app = own == "none" ? topic : own ?? topic
    var request = TrafficRequest(
      recipient: recipient,
      payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8),
      topic: own == "none" ? nil : app,
      app: app,
      expiry: .none,
      headers: [],
      method: "POST",
      path: nil,
      count: 1
    )
    if let value = fields["payload"], let payload = TrafficNotificationReader.payload(value) {
      request.payload = payload
    }
    if let size = fields["payloadSize"] { TrafficNotificationReader.pad(&request.payload, to: size) }
    if let value = fields["expiry"], let expiry = TrafficNotificationReader.expiry(value) {
      request.expiry = expiry
    }
    let type = fields["pushType"].flatMap { $0.text("the push type, or none") } ?? "alert"
    if type != "none" { request.headers.append(AnswerHeader(name: "apns-push-type", value: type)) }
    for (key, name) in [("priority", "apns-priority"), ("collapseId", "apns-collapse-id"), ("id", "apns-id")]
    {
      guard let text = fields[key].flatMap({ $0.text("\"\(key)\"") }) else { continue }
      request.headers.append(AnswerHeader(name: name, value: text))
    }
    for entry in fields["headers"]?.entries("headers as a mapping, such as { apns-id: x }") ?? [] {
      guard let text = entry.value.text("a header's value") else { continue }
      request.headers.append(AnswerHeader(name: entry.name, value: text))
    }
    if let method = fields["method"].flatMap({ $0.text("the method") }) { request.method = method }
    request.path = fields["path"].flatMap { $0.text("the path") }
    request.count = fields["count"]?.integer("the count", 1...100_000) ?? 1
    return request
  }

  private static let tokenKeys = [
    "team", "key", "age", "textTime", "signature", "environment", "topics", "perRequest",
  ]

  /// `{ team: OTHERTEAM1, age: 61m }`, `none`.
  static func token(_ value: Value) -> TrafficToken? {
    var token = TrafficToken()
    if value.scalar == "none" {
      token.isThere = false
      return token
    }
    guard let fields = Fields(value, of: "a provider token", keys: tokenKeys) else { return nil }
    if let team = fields["team"].flatMap({ $0.text("the team") }) { token.team = team }
    if let key = fields["key"].flatMap({ $0.text("the key's id") }) { token.key = key }
    if let value = fields["age"] {
      if let text = value.scalar, text.hasPrefix("-"), let ahead = TimeSpan(String(text.dropFirst())) {
        token.age = -ahead
      } else {
        token.age = value.timeSpan("the age") ?? .zero
      }
    }
    token.signature =
      fields["signature"].flatMap { $0.choice("the signature", of: TrafficToken.Signature.self) } ?? .good
    token.isTimeText = fields["textTime"].flatMap { $0.flag("textTime") } ?? false
    token.environment = fields["environment"].flatMap {
      $0.choice("the environment", of: PushEnvironment.self)
    }
    token.topics = (fields["topics"]?.list("topics") ?? []).compactMap { $0.topic() }
    token.isPerRequest = fields["perRequest"].flatMap { $0.flag("perRequest") } ?? false
    return token
  }
}
