package import APNSimWire

/// Values as people compare them by eye: text in quotes, with every character escaped that cannot be seen or looks like
/// another; numbers, `null` and `nothing` without quotes.
package enum ValueText {
  /// - Returns: `"17"`, `17`, `null`, or `nothing` where there is no value.
  package static func found(_ value: JSONValue?) -> String { value.map { shown($0) } ?? "nothing" }

  /// The description of what passes, with the type of a plain value where what was found has another one.
  package static func expected(_ matcher: Matcher, butFound actual: JSONValue?) -> String {
    guard case .equals(let value) = matcher, let actual, kind(of: value) != kind(of: actual) else {
      return matcher.summary
    }
    return "\(matcher.summary) (\(kind(of: value)), not \(kind(of: actual)))"
  }

  /// A value in JSON's notation, with unusual characters of its texts and names escaped: U+00E9 is shown as it is, `e`
  /// with U+0301 with an escape for the accent.
  static func shown(_ value: JSONValue) -> String {
    var result = ""
    for scalar in value.description.unicodeScalars {
      if isUnusual(scalar) {
        for unit in String(scalar).utf16 {
          result += "\\u" + Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)])
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A text in quotes.
  static func shown(_ text: String) -> String { shown(.string(text)) }

  private static func isUnusual(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark:
      true
    case .spaceSeparator: scalar != " "
    // Canonical singletons, which look like another character because they are it.
    default: singletons.contains(scalar)
    }
  }

  private static let singletons: [Unicode.Scalar] = [
    "\u{340}", "\u{341}", "\u{374}", "\u{37E}", "\u{387}", "\u{1FEF}", "\u{2126}", "\u{212A}", "\u{212B}",
  ]

  private static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
