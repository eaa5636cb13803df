import APNSimWire

/// Text from outside, made safe for a terminal.
enum TerminalText {
  /// The text with every control character replaced by U+FFFD.
  static func visible(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The same on one line, cut to a number of characters.
  static func line(_ text: String, limit: Int) -> String {
    let flat = visible(text.replacing("\n", with: " "))
    return flat.count <= limit ? flat : flat.prefix(max(0, limit - 1)) + "…"
  }
}

extension JSONValue {
  /// The text of a member, safe for a terminal; empty if it is missing.
  func text(_ key: String) -> String { member(key)?.plain ?? "" }

  /// The value for people: a string without its quotes, nothing for null, anything else as JSON.
  var plain: String {
    switch self {
    case .string(let text): TerminalText.visible(text)
    case .null: ""
    default: TerminalText.visible(description)
    }
  }

  /// An object of the members that have a value.
  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}
