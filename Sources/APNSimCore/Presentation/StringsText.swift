/// From the bytes of a strings file to its characters.
///
/// Xcode writes UTF-16 with a byte order mark or UTF-8. What `plutil` and a build make of a strings file (binary and
/// XML property lists) is not text of this format, and says so.
enum StringsText {
  static func decode(_ bytes: [UInt8]) throws(LocalizableStringsError) -> [Unicode.Scalar] {
    try refuseOtherFormats(bytes)
    if bytes.starts(with: [0xFE, 0xFF]) { return try decodeUTF16(bytes, highByte: 0) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try decodeUTF16(bytes, highByte: 1) }
    let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    return try scalars(of: text, codec: UTF8(), expected: "UTF-8", found: "bytes that are not UTF-8")
  }

  private static func refuseOtherFormats(_ bytes: [UInt8]) throws(LocalizableStringsError) {
    let expected = "UTF-8, or UTF-16 with a byte order mark"
    var found: String?
    if bytes.starts(with: Array("bplist".utf8)) {
      found = "a binary property list (convert it with plutil)"
    } else if bytes.starts(with: Array("<?xml".utf8)) {
      found = "an XML property list (convert it with plutil)"
    } else if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      found = "UTF-32"
    } else if bytes.prefix(2).contains(0) {
      found = "a null byte"
    }
    guard let found else { return }
    throw LocalizableStringsError(line: 1, column: 1, expected: expected, found: found)
  }

  /// `highByte` is the place of the high byte in each pair, the byte order mark included.
  private static func decodeUTF16(
    _ bytes: [UInt8],
    highByte: Int
  ) throws(LocalizableStringsError) -> [Unicode.Scalar] {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { offset in
      UInt16(bytes[offset + highByte]) << 8 | UInt16(bytes[offset + 1 - highByte])
    }
    let text = try scalars(of: units, codec: UTF16(), expected: "UTF-16", found: "an unpaired surrogate")
    guard bytes.count.isMultiple(of: 2) else {
      throw LocalizableStringsError(at: text.count, of: text, expected: "UTF-16", found: "half a character")
    }
    return text
  }

  private static func scalars<Codec: UnicodeCodec>(
    of units: some Sequence<Codec.CodeUnit>,
    codec: Codec,
    expected: String,
    found: String
  ) throws(LocalizableStringsError) -> [Unicode.Scalar] {
    var (codec, units) = (codec, units.makeIterator())
    var text: [Unicode.Scalar] = []
    while true {
      switch codec.decode(&units) {
      case .scalarValue(let scalar): text.append(scalar)
      case .emptyInput: return text
      case .error:
        throw LocalizableStringsError(at: text.count, of: text, expected: expected, found: found)
      }
    }
  }
}
