package import APNSimCore
package import APNSimWire

/// Reads one rule as people type it on a command line: the scenario file's syntax, the braces left out.
package enum RuleText {
  /// The name in errors, in the place of a file's.
  static let name = "the rule"

  /// - Parameter text: `when: {nth: 3}, reply: {status: 8}`, with or without braces, or YAML of several lines.
  /// - Returns: the same as JSON, for the control API.
  /// - Throws: `DocumentError` with place and caret for everything that is wrong with it.
  package static func json(_ text: String) throws(DocumentError) -> JSONValue {
    let isBare = !text.contains("\n") && text.first { $0 != " " } != "{"
    // The added brace moves the columns in errors by one.
    let document = try Document(text: isBare ? "{\(text)}" : text, name: name)
    _ = RuleReader.ofRules.read(document.root, nil)
    let json = document.root.json
    try document.problems.throwIfAny()
    return json ?? .object([])
  }

  /// A rule as ``json(_:)`` reads it, in one line without outer braces: `when: {nth: 3}, reply: {status: 8}`.
  package static func text(_ rule: Rule) -> String {
    let members = json(rule).objectValue ?? []
    return members.filter { $0.key != "when" || $0.value != .object([]) }
      .map { "\(FlowText.key($0.key)): \(FlowText.value($0.value))" }.joined(separator: ", ")
  }

  /// A rule as the control API takes it.
  package static func json(_ rule: Rule) -> JSONValue {
    var writer = JSONWriter()
    rule.write(to: &writer)
    return (try? JSONValue.parse(writer.bytes)) ?? .object([])
  }
}
