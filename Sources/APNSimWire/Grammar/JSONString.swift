/// Decoding of JSON strings.
enum JSONString {
  /// Decodes the content between the quotes of a string that the grammar has accepted. A lone surrogate escape, which
  /// the grammar allows and no Unicode text can hold, becomes U+FFFD.
  static func decode(_ text: UnsafeRawBufferPointer) -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        bytes.append(byte)
        index += 1
        continue
      }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"): bytes.append(contentsOf: scalar(in: text, at: &index))
      case let other: bytes.append(other)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The UTF-8 form of the `\u` escape whose digits are at `index`, with the low surrogate that may follow it.
  private static func scalar(in text: UnsafeRawBufferPointer, at index: inout Int) -> UTF8.EncodedScalar {
    let first = codeUnit(in: text, at: index)
    index += 4
    if let first, let scalar = Unicode.Scalar(UInt32(first)) {
      return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
    guard let first, first < 0xDC00, index + 6 <= text.count,
      text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u"),
      let second = codeUnit(in: text, at: index + 2), second >= 0xDC00, second <= 0xDFFF,
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else {
      return UTF8.encodedReplacementCharacter
    }
    index += 6
    return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
  }

  private static func codeUnit(in text: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
    guard index + 4 <= text.count else { return nil }
    var unit: UInt16 = 0
    for byte in text[index..<index + 4] {
      guard let value = Hex.value(of: byte) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}
