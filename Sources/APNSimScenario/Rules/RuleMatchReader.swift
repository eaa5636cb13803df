import APNSimCore
import APNSimWire

/// Reads `when` (and `where` of a fault): the conditions of a rule.
enum RuleMatchReader {
  static let noun = Noun(
    "conditions",
    "conditions",
    "The conditions of a rule, which must all hold; without any, everything matches.",
    rows: [
      Noun.Row("nth", place, "The notification's place on its connection, from 1."),
      Noun.Row("connection", place, "The connection's place on its listener, from 1."),
      Noun.Row("identifier", FieldKind.identifier.test, "The identifier of a frame."),
      Noun.Row("token", FieldKind.token.test, "The device token."),
      Noun.Row(
        "device",
        FieldKind.text.test,
        "The device, by its name or by one of its tokens in hex digits."
      ),
      Noun.Row("topic", FieldKind.text.test, "The topic."),
      Noun.Row("environment", .environment, "The environment."),
      Noun.Row("command", FieldKind.test("command", within: commands), "The command of a frame."),
      Noun.Row(
        "priority",
        FieldKind.test("priority", within: priorities),
        "The priority; 10 where a frame has none."
      ),
      Noun.Row("payload", QueryReader.payloadKind, "Conditions on the payload, by dotted paths."),
      Noun.Row(
        "listener",
        .choice(of: Door.self),
        "The listener; the gateway and HTTP/2 where nothing is said."
      ),
      Noun.Row("interface", FieldKind.interface.test, "What the notification came in by."),
      Noun.Row("pushType", FieldKind.pushType.test, "The push type of a request."),
      Noun.Row("collapseId", FieldKind.text.test, "The apns-collapse-id of a request."),
      Noun.Row("apnsId", FieldKind.text.test, "The apns-id of a request."),
      Noun.Row("stream", place, "The stream of a request."),
      Noun.Row("reason", FieldKind.reason.test, "The reason that the service would give by itself."),
      Noun.Row("probability", .probability, "The share of those that match, drawn from the seed."),
    ]
  )
  private static let place = FieldKind.test("place", within: places)
  private static let places = 1...Int(Int32.max)
  private static let commands = 0...2
  private static let priorities = 0...255

  /// The keys of what is not known yet when a fault of this moment is decided.
  static func unknownKeys(at moment: FaultMoment) -> [String] {
    let ofNotification = [
      "nth", "identifier", "token", "device", "command", "priority", "payload", "pushType", "collapseId",
      "apnsId", "stream", "reason",
    ]
    switch moment {
    case .notification: return []
    case .opening, .handshake: return ofNotification
    case .arrival: return ofNotification + ["topic", "environment"]
    }
  }

  private enum Door: String, CaseIterable {
    case gateway
    case http2
    case feedback
    case any
  }

  /// - Parameters:
  ///   - fields: the mapping, with `keys`.
  ///   - draft: the file so far, which has to have the device; nil outside of files, where one may come later.
  static func read(_ fields: Fields, _ draft: ScenarioDraft?) -> RuleMatch {
    var match = RuleMatch()
    match.nth = number(fields, "nth", places)
    match.connection = number(fields, "connection", places)
    match.identifier = matcher(fields, "identifier", .identifier)
    match.token = matcher(fields, "token", .token)
    match.topic = matcher(fields, "topic", .text)
    match.command = number(fields, "command", commands)
    match.priority = number(fields, "priority", priorities)
    match.interface = matcher(fields, "interface", .interface)
    match.pushType = matcher(fields, "pushType", .pushType)
    match.collapseId = matcher(fields, "collapseId", .text)
    match.apnsId = matcher(fields, "apnsId", .text)
    match.stream = number(fields, "stream", places)
    match.reason = matcher(fields, "reason", .reason)
    match.device = matcher(fields, "device", .text)
    if let value = fields["device"], case .equals? = match.device { draft?.noteDevice(value) }
    match.environment = fields["environment"].flatMap {
      $0.choice("the environment", of: PushEnvironment.self)
    }
    match.probability = fields["probability"].flatMap { $0.probability() }
    if let door = fields["listener"].flatMap({ $0.choice("the listener", of: Door.self) }) {
      match.listener = RuleMatch.Door(Listener(rawValue: door.rawValue))
    }
    if let payload = fields["payload"] {
      for entry in payload.entries("paths into the payload, such as { aps.badge: { gt: 99 } }") {
        guard let matcher = MatcherReader.read(entry.value, entry.name, as: .json) else { continue }
        match.payload.append(RuleMatch.PathMatch(path: entry.name, matcher: matcher))
      }
    }
    return match
  }

  /// A test of a number that is always in a range: one outside of it would never match, and is reported.
  private static func number(_ fields: Fields, _ key: String, _ range: ClosedRange<Int>) -> Matcher? {
    let matcher = matcher(fields, key, .number)
    guard case .equals(.number(let text))? = matcher, let number = Double(text) else { return matcher }
    if Int(exactly: number).map(range.contains) != true {
      let isTooLarge = number > Double(range.upperBound)
      fields[key]?.report(
        "expected \(Value.expected(range, "\"\(key)\"", isTooLarge: isTooLarge)), found \(text)"
      )
    }
    return matcher
  }

  private static func matcher(_ fields: Fields, _ key: String, _ kind: FieldKind) -> Matcher? {
    fields[key].flatMap { MatcherReader.read($0, "\"\(key)\"", as: kind) }
  }
}
