/// Replaces the one escape that JSON has and YAML has not: a character beyond U+FFFF as a surrogate pair,
/// `\ud83d\ude00`.
enum SurrogateEscapes {
  /// The text of a file that begins like JSON, and is YAML only, with each escaped surrogate pair replaced by its
  /// character; any other is returned as it is. Lone surrogates stay, for the parser to refuse.
  static func joined(in text: String) -> String {
    guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else {
      return text
    }
    guard text.contains("\\ud") || text.contains("\\uD") else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    result.reserveCapacity(rest.count)
    while let byte = rest.first {
      if let scalar = pair(at: rest) {
        result += Array(String(Character(scalar)).utf8)
        rest = rest.dropFirst(12)
      } else if byte == UInt8(ascii: "\\") {
        result += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The length in bytes of the escape at the beginning of these: 12 for a surrogate pair, 2 for any other, of which
  /// the rest are plain characters; nil for a lone surrogate.
  static func length(at bytes: ArraySlice<UInt8>) -> Int? {
    if pair(at: bytes) != nil { return 12 }
    if let unit = unit(at: bytes), (0xD800...0xDFFF).contains(unit) { return nil }
    return 2
  }

  private static func pair(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard
      let high = unit(at: bytes), (0xD800...0xDBFF).contains(high),
      let low = unit(at: bytes.dropFirst(6)), (0xDC00...0xDFFF).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
  }

  /// The value of `\uXXXX` at the beginning of the bytes.
  private static func unit(at bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.starts(with: "\\u".utf8), bytes.count >= 6 else { return nil }
    let digits = bytes.dropFirst(2).prefix(4)
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
