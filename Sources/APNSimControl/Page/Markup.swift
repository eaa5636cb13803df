/// Strangers' text as part of an HTML document.
package enum Markup {
  /// The text with whatever HTML gives a meaning escaped, and with pictures in place of characters that a browser would obey
  /// or hide: control characters, and those that turn the direction of what stands around them. Lines and tabs stay.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let picture = picture(of: scalar) {
        result.append(contentsOf: picture.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// `<name>text</name>`.
  static func element(_ name: StaticString, _ text: some StringProtocol) -> String {
    "<\(name)>\(escaped(text))</\(name)>"
  }

  private static func picture(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\n", "\t": nil
    case "\u{7F}": "␡"
    case _ where scalar.value < 0x20: Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
    case _ where scalar.properties.generalCategory == .control || turnsDirection(scalar):
      "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
    default: nil
    }
  }

  /// True for the explicit embeddings, overrides, isolates and marks of Unicode's bidirectional algorithm (UAX #9,
  /// section 2), and the separators of lines and paragraphs.
  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
