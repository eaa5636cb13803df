import APNSimWire

/// YAML in one line, as people write it: quotes only where they are needed.
enum FlowText {
  static func value(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      "{" + members.map { "\(key($0.key)): \(Self.value($0.value))" }.joined(separator: ", ") + "}"
    case .array(let values): "[" + values.map { Self.value($0) }.joined(separator: ", ") + "]"
    case .string(let text): plain(text) ?? quoted(text)
    // A bound is a Double, whose text of a whole number is 99.0.
    case .number(let digits): digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    case .bool, .null: quoted(value)
    }
  }

  static func key(_ name: String) -> String { plain(name) ?? quoted(name) }

  /// The text where it is a plain scalar in every version of YAML, and no number, date, truth value or null in any.
  private static func plain(_ text: String) -> String? {
    let isSpan = text.contains(/^[0-9]+(ms|s|m|h|d)( ago)?$/)
    let isWord = text.contains(/^[A-Za-z][A-Za-z0-9_.\/-]*$/)
    let isTruth = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    return isSpan || isWord && !isTruth ? text : nil
  }

  private static func quoted(_ text: String) -> String { quoted(.string(text)) }

  private static func quoted(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    return text.unicodeScalars.contains(where: isEscaped) ? escaped(text) : text
  }

  /// True for a character that JSON has as it is in a string, but that YAML does not read, or reads as an end of line.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if isEscaped(scalar) {
        result += "\\u" + Hex.encode([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
