import APNSimWire

/// Rules as people read them: id, name, how often, and what they say in the scenario file's syntax.
enum FaultTable {
  /// - Parameter answer: `{"faults":[…]}`
  static func lines(_ answer: JSONValue, _ style: Style) -> [String] {
    let rules = answer.member("faults")?.arrayValue ?? []
    guard !rules.isEmpty else { return ["no faults"] }
    return Table.lines(rules.map { row($0) })
  }

  private static func row(_ rule: JSONValue) -> [String] {
    let fired = rule.member("fired")?.intValue ?? 0
    let isSpent = rule.member("spent")?.boolValue == true
    return [
      rule.text("id"), rule.text("name"), "fired \(Number.grouped(fired))\(isSpent ? ", done" : "")",
      what(rule),
    ]
  }

  /// The members that the scenario file has, as it writes them: `when: {nth: 3}, reply: {status: 8}`.
  private static func what(_ rule: JSONValue) -> String {
    let body = rule.member("rule") ?? rule
    let members = (body.objectValue ?? []).filter { shown.contains($0.key) && $0.value != .null }
    return members.map { "\($0.key): \(flow($0.value))" }.joined(separator: ", ")
  }

  private static let shown: Set<String> = [
    "when", "where", "reply", "fault", "proceed", "times", "after", "every", "probability", "state",
  ]

  /// A value in YAML's flow style, without quotes where none are needed.
  private static func flow(_ value: JSONValue, depth: Int = 0) -> String {
    switch value {
    case .object(let members) where depth < 16:
      "{" + members.map { "\($0.key): \(flow($0.value, depth: depth + 1))" }.joined(separator: ", ") + "}"
    case .array(let elements) where depth < 16:
      "[" + elements.map { flow($0, depth: depth + 1) }.joined(separator: ", ") + "]"
    default: value.plain
    }
  }
}
