import APNSimCore
import APNSimWire

/// Reads `where`: conditions on notifications, by the names that fields have in every answer.
///
/// `payload: { aps.badge: { gt: 9 } }` and `payload.aps.badge: { gt: 9 }` are the same. `alert` is the alert, or the
/// `body` of one that is a dictionary.
enum QueryReader {
  static let kinds: [(name: String, kind: FieldKind, meaning: String)] = [
    ("topic", .text, "The topic."), ("environment", .text, "production or sandbox."),
    ("device", .text, "The device's name."), ("token", .token, "The device token."),
    ("connection", .text, "The connection, by the simulator's name (c3) or that of the traffic."),
    ("interface", .interface, "What it came in by: binary or http2."),
    ("identifier", .identifier, "The identifier of a frame."),
    ("command", .number, "The command of a frame."),
    ("priority", .number, "The priority."), ("expiry", .number, "The expiry, in seconds since 1970."),
    ("outcome", .outcome, "What became of it."),
    ("status", .status, "The status that it was answered with: 0 of a frame that was not refused."),
    ("payloadSize", .number, "The payload's size in bytes."),
    ("id", .text, "The simulator's name of it (n57)."),
    ("stream", .number, "The stream of a request."), ("apnsId", .text, "The apns-id of a request."),
    ("collapseId", .text, "The apns-collapse-id of a request."),
    ("pushType", .text, "The apns-push-type of a request."),
    ("reason", .reason, "The reason that a request was refused for."),
    ("auth.kind", .text, "How the provider is known: token or certificate."),
    ("auth.team", .text, "The team of the provider token."),
    ("auth.key", .text, "The key of the provider token."),
    ("alert", .json, "The alert's text, which a dictionary has in its body."),
  ]

  static let noun = Noun(
    "query",
    "a query",
    "Conditions on notifications that must all hold.",
    rows: kinds.map { Noun.Row($0.name, $0.kind.test, $0.meaning) } + [
      Noun.Row("badge", FieldKind.json.test, "The payload's aps.badge."),
      Noun.Row("sound", FieldKind.json.test, "The payload's aps.sound."),
      Noun.Row("payload", payloadKind.orNothing, "Conditions on the payload, by dotted paths."),
    ],
    others: [
      Noun.Others(
        form: TextForm(
          "path",
          "a path into the payload",
          pattern: "(?:payload|alert|badge|sound)\\..*",
          request: TextForm.InRequest(pattern: "^(payload|alert|badge|sound)\\..+")
        ),
        kind: FieldKind.json.test,
        meaning: "A condition on the payload, by its dotted path."
      )
    ],
    takesEmpty: false
  )

  /// Conditions by paths into the payload.
  static let payloadKind = ValueKind.names(FieldKind.json.test)

  /// Short names of the paths that are asked for most.
  private static let aliases = [
    "alert": "payload.aps.alert", "badge": "payload.aps.badge", "sound": "payload.aps.sound",
  ]

  /// The path that a short name, or a path below one, stands for; nil for any other name.
  static func path(of name: String) -> String? {
    // `alert` alone means its text, which a dictionary has in its body.
    if name == "alert" { return name }
    let alias = name.prefix { $0 != "." }
    return aliases[String(alias)].map { $0 + name.dropFirst(alias.count) }
  }

  /// - Returns: the conditions that were readable, after reporting the others.
  static func read(_ value: Value) -> Query {
    var query = Query()
    // One path can be written in several ways, so that the mapping alone does not notice every repetition.
    var paths: Set<String> = []
    func add(_ entry: Entry, _ path: String, _ kind: FieldKind) {
      guard paths.insert(path).inserted else {
        return entry.key.report("\"\(entry.name)\": \(path) already has a condition")
      }
      guard let matcher = MatcherReader.read(entry.value, entry.name, as: kind) else { return }
      query.conditions.append(Query.Condition(path: path, matcher: matcher))
    }
    for entry in value.entries("a query, such as { topic: com.example.app, outcome: delivered }") {
      if entry.name == "payload" {
        for inner in entry.value.entries("paths into the payload, such as { aps.badge: { gt: 9 } }") {
          add(inner, "payload." + inner.name, .json)
        }
      } else if entry.name.hasPrefix("payload.") {
        add(entry, entry.name, .json)
      } else if let path = path(of: entry.name) {
        add(entry, path, .json)
      } else if let kind = kinds.first(where: { $0.name == entry.name })?.kind {
        add(entry, entry.name, kind)
      } else {
        let names = noun.keys
        entry.key.report(
          "unknown key \"\(Value.shown(entry.name))\" in a query; known keys: \(Enumeration.and(names))",
          suggestion: NearestName.find(entry.name, among: names)
        )
      }
    }
    return query
  }
}

extension Query {
  /// The query in words: `topic "com.example.app", payload.aps.badge is greater than 9`.
  var summary: String {
    conditions.map { "\($0.path) \($0.matcher.summary)" }.joined(separator: ", ")
  }
}
