import APNSimCore

/// Reads `where`: conditions on notifications, by the names that fields have in every answer.
///
/// `payload: { aps.badge: { gt: 9 } }` and `payload.aps.badge: { gt: 9 }` are the same. `alert` is the alert, or the
/// `body` of one that is a dictionary.
enum QueryReader {
  static let kinds: [(name: String, kind: FieldKind)] = [
    ("topic", .text), ("environment", .text), ("device", .text), ("token", .token), ("connection", .text),
    ("interface", .interface), ("identifier", .identifier), ("command", .number), ("priority", .number),
    ("expiry", .number), ("outcome", .outcome), ("status", .status), ("payloadSize", .number), ("id", .text),
    ("stream", .number), ("apnsId", .text), ("collapseId", .text), ("pushType", .text), ("reason", .reason),
    ("auth.kind", .text), ("auth.team", .text), ("auth.key", .text), ("alert", .json),
  ]

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
        let names = kinds.map(\.name) + ["badge", "sound", "payload"]
        entry.key.report(
          "unknown key \"\(entry.name)\" in a query; known keys: \(Enumeration.and(names))",
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
