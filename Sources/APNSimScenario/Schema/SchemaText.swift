package import APNSimWire

/// JSON as it is kept in files: two spaces for each depth, and on one line what fits there.
package struct SchemaText {
  /// The space between an object's braces and its members on one line.
  private let padding: String
  private static let width = 120

  package init(padding: String = " ") { self.padding = padding }

  package func lines(_ value: JSONValue, _ before: String = "", indent: String = "") -> [String] {
    let short = before + oneLine(value)
    guard indent.isEmpty || indent.count + short.count > Self.width else { return [indent + short] }
    switch value {
    case .object(let members):
      let inner = members.map { (key(of: $0), $0.value) }
      return block(inner, ("{", "}"), before, indent)
    case .array(let elements): return block(elements.map { ("", $0) }, ("[", "]"), before, indent)
    default: return [indent + short]
    }
  }

  private func block(
    _ values: [(String, JSONValue)],
    _ brackets: (String, String),
    _ before: String,
    _ indent: String
  ) -> [String] {
    var result = [indent + before + brackets.0]
    for (place, (key, value)) in values.enumerated() {
      // The comma after it needs a place, too.
      var inner = lines(value, key, indent: indent + "  ")
      if place < values.count - 1 { inner[inner.count - 1] += "," }
      result += inner
    }
    return result + [indent + brackets.1]
  }

  private func oneLine(_ value: JSONValue) -> String {
    switch value {
    case .object(let members) where !members.isEmpty:
      "{\(padding)" + members.map { key(of: $0) + oneLine($0.value) }.joined(separator: ", ") + "\(padding)}"
    case .array(let elements): "[" + elements.map { oneLine($0) }.joined(separator: ", ") + "]"
    default: value.description
    }
  }

  private func key(of member: JSONValue.Member) -> String {
    JSONValue.string(member.key).description + ": "
  }
}
