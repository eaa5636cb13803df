/// Looking for bytes in bytes.
enum ByteSearch {
  @inline(__always)
  static func areEqual(_ text: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
    text.count == wanted.count && wanted.withUnsafeBytes { startsWith($0, text, at: 0) }
  }

  static func find(_ wanted: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    wanted.withUnsafeBytes { wanted in
      guard let first = wanted.first else { return true }
      guard text.count >= wanted.count else { return false }
      for at in 0...(text.count - wanted.count) where text[at] == first && startsWith(wanted, text, at: at) {
        return true
      }
      return false
    }
  }

  /// Whether these bytes stand in a JSON text in UTF-8, or could, written in another way: with a backslash.
  static func mayHold(_ wanted: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    wanted.withUnsafeBytes { wanted in
      guard let first = wanted.first else { return true }
      for at in text.indices {
        let byte = text[at]
        if byte == UInt8(ascii: "\\") || byte == 0 { return true }
        if byte == first, text.count - at >= wanted.count, startsWith(wanted, text, at: at) { return true }
      }
      return false
    }
  }

  /// Whether these are ASCII characters that stand for themselves in JSON.
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    for byte in text where byte >= 0x80 || byte < 0x20 || byte == UInt8(ascii: "\\") { return false }
    return true
  }

  /// The text has room for them from there on.
  @inline(__always)
  private static func startsWith(
    _ wanted: UnsafeRawBufferPointer,
    _ text: UnsafeRawBufferPointer,
    at start: Int
  ) -> Bool {
    for index in wanted.indices where text[start + index] != wanted[index] { return false }
    return true
  }
}
