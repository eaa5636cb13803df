import APNSimWire

/// Text from outside, made safe for a terminal.
enum TerminalText {
  /// The text with every character replaced by U+FFFD that a terminal obeys instead of showing it: control characters,
  /// and those that turn the direction of what stands around them.
  static func visible(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.map { isObeyed($0) ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// JSON with the control characters beyond ASCII and those of direction escaped, which JSON allows to stand as they are,
  /// and only within texts.
  static func json(_ text: String) -> String { escaped(text) { _ in false } }

  /// Lines as they go to stdout and stderr, whoever wrote what is in them: only line ends, tabs and our own colours are
  /// left of what a terminal obeys. Anything else becomes an escape as JSON has it, so that JSON stays what it is.
  static func safe(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) else {
      return text
    }
    return text.split(separator: Style.mark, omittingEmptySubsequences: false)
      .map { escaped($0, isKept) }.joined(separator: "\u{1B}[")
  }

  private static func isKept(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

  private static func escaped(_ text: some StringProtocol, _ isKept: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isObeyed(scalar), !isKept(scalar) {
        let digits = String(scalar.value, radix: 16)
        result.append(
          contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        )
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Control characters and, all below U+10000, what Unicode's bidirectional algorithm (UAX #9, section 2) calls explicit
  /// embeddings, overrides, isolates and marks; and the separators of lines and paragraphs.
  static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: scalar.properties.generalCategory == .control
    }
  }

  /// The same on one line, cut to a number of characters.
  static func line(_ text: String, limit: Int) -> String {
    let flat = visible(text.withoutLineEnds)
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
