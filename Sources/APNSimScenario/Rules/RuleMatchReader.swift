import APNSimCore
import APNSimWire

/// Reads `when` (and `where` of a fault): the conditions of a rule.
enum RuleMatchReader {
  static let keys = [
    "nth", "connection", "identifier", "token", "device", "topic", "environment", "command", "priority",
    "payload", "listener", "interface", "pushType", "collapseId", "apnsId", "stream", "reason", "probability",
  ]

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
    match.nth = number(fields, "nth", 1...Int(Int32.max))
    match.connection = number(fields, "connection", 1...Int(Int32.max))
    match.identifier = matcher(fields, "identifier", .identifier)
    match.token = matcher(fields, "token", .token)
    match.topic = matcher(fields, "topic", .text)
    match.command = number(fields, "command", 0...2)
    match.priority = number(fields, "priority", 0...255)
    match.interface = matcher(fields, "interface", .interface)
    match.pushType = matcher(fields, "pushType", .pushType)
    match.collapseId = matcher(fields, "collapseId", .text)
    match.apnsId = matcher(fields, "apnsId", .text)
    match.stream = number(fields, "stream", 1...Int(Int32.max))
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
