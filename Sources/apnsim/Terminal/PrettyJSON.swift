import APNSimWire

/// Indented JSON for people, a member a line; a short value stays on its line.
enum PrettyJSON {
  static func lines(_ value: JSONValue, width: Int = 100) -> [String] {
    lines(value, indent: "", prefix: "", suffix: "", width: width, depth: 0)
  }

  private static func lines(
    _ value: JSONValue,
    indent: String,
    prefix: String,
    suffix: String,
    width: Int,
    depth: Int
  ) -> [String] {
    let short = TerminalText.json(value.description)
    let isShort = indent.count + prefix.count + short.count + suffix.count <= width && depth > 0
    // The project's documents are less deep; a deeper value stays on one line.
    if isShort || depth >= 64 { return [indent + prefix + short + suffix] }
    let children: [(prefix: String, value: JSONValue)]
    let brackets: (String, String)
    switch value {
    case .object(let members):
      children = members.map { (TerminalText.json(JSONValue.string($0.key).description) + ": ", $0.value) }
      brackets = ("{", "}")
    case .array(let elements):
      children = elements.map { ("", $0) }
      brackets = ("[", "]")
    default: return [indent + prefix + short + suffix]
    }
    var result = [indent + prefix + brackets.0]
    for (index, child) in children.enumerated() {
      result += lines(
        child.value,
        indent: indent + "  ",
        prefix: child.prefix,
        suffix: index == children.count - 1 ? "" : ",",
        width: width,
        depth: depth + 1
      )
    }
    return result + [indent + brackets.1 + suffix]
  }
}
