import APNSimCore
import APNSimWire

/// Reads one item of `push`: `{ to: alice, pushType: background, priority: 5 }`.
enum TrafficRequestReader {
  static let noun = Noun(
    "request",
    "a request",
    "A request of HTTP/2, or several alike.",
    rows: [
      Noun.Row(
        "to",
        TrafficNotificationReader.recipientRow.kind,
        "A device, or a token in hex digits.",
        .required
      ),
      TrafficNotificationReader.payloadRow, TrafficNotificationReader.payloadSizeRow,
      Noun.Row("topic", .text, "The topic; the connection's where nothing is said, and none leaves it out."),
      Noun.Row("pushType", .text, "The push type; alert where nothing is said, and none leaves it out."),
      Noun.Row("priority", .text, "The priority."),
      Noun.Row("expiry", .form(.expiry), "The expiration; none where nothing is said."),
      Noun.Row("collapseId", .text, "The collapse identifier."), Noun.Row("id", .text, "The apns-id."),
      Noun.Row("headers", .names(.text), "Headers as they are; one that is there already is repeated."),
      Noun.Row("method", .text, "The method: POST."),
      Noun.Row("path", .text, "The path: /3/device/ and the token."),
      Noun.Row("count", TrafficNotificationReader.countKind, "So many of these."),
    ]
  )

  /// - Parameter topic: the connection's.
  static func read(_ item: Value, topic: String, _ draft: ScenarioDraft) -> TrafficRequest? {
    guard let fields = Fields(item, of: noun),
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
    request.count = fields.integer("count", "the count") ?? 1
    return request
  }

  static let tokenNoun = Noun(
    "providerToken",
    "a provider token",
    "A provider token (JWT). It is made when it is used first, and stays until a step gives another.",
    rows: [
      Noun.Row("team", .text, "The team that has issued it: iss."),
      Noun.Row("key", .text, "The key's identifier: kid."),
      Noun.Row("age", .form(.age), "How long ago it was issued, as its iat has it; -61m is ahead of now."),
      Noun.Row("textTime", .flag, "True for an iat that is a text."),
      Noun.Row("signature", .choice(of: TrafficToken.Signature.self), "The signature: good."),
      Noun.Row(
        "environment",
        .environment,
        "The environment that the key is for; either where nothing is said."
      ),
      Noun.Row("topics", .list(.topic), "The topics that the key is for; all where nothing is said."),
      Noun.Row("perRequest", .flag, "True for a token of its own for each request."),
    ]
  )

  /// `{ team: OTHERTEAM1, age: 61m }`, `none`.
  static func token(_ value: Value) -> TrafficToken? {
    var token = TrafficToken()
    if value.scalar == "none" {
      token.isThere = false
      return token
    }
    guard let fields = Fields(value, of: tokenNoun) else { return nil }
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
