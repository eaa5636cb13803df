/// A search for bytes in bytes.
enum ByteSearch {
  @inline(__always)
  static func areEqual(_ text: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
    text.count == wanted.count && wanted.withUnsafeBytes { startsWith($0, text, at: 0) }
  }

  static func find(_ wanted: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    place(of: wanted, in: text, from: 0) != nil
  }

  /// The first place of the bytes in a text, from a place on.
  private static func place(of wanted: [UInt8], in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    wanted.withUnsafeBytes { wanted in
      guard let first = wanted.first else { return start }
      guard text.count - start >= wanted.count else { return nil }
      for at in start...(text.count - wanted.count)
      where text[at] == first && startsWith(wanted, text, at: at) {
        return at
      }
      return nil
    }
  }

  /// True where the bytes stand in a text at two places that do not overlap.
  static func isTwice(_ wanted: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    guard !wanted.isEmpty, let first = place(of: wanted, in: text, from: 0) else { return false }
    return place(of: wanted, in: text, from: first + wanted.count) != nil
  }

  /// Bytes to be looked for in many texts, most of which do not have them.
  struct Needle: Sendable {
    private let bytes: [UInt8]
    /// The place of the byte in them that is the rarest elsewhere.
    private let place: Int
    private let rare: SIMD16<UInt8>

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let place = bytes.indices.min { Self.frequency(of: bytes[$0]) < Self.frequency(of: bytes[$1]) } ?? 0
      self.place = place
      rare = SIMD16(repeating: bytes.isEmpty ? 0 : bytes[place])
    }

    /// From the most frequent byte of payloads on; what is not here is rarer.
    private static let frequent = Array("\" eatsorinl:,{}dcuhpmgbyfvkw.0123456789".utf8)

    private static func frequency(of byte: UInt8) -> Int {
      frequent.firstIndex(of: byte).map { frequent.count - $0 } ?? 0
    }

    /// True where these bytes stand in a text, or a backslash does. Sixteen bytes at a time, by the rarest of them.
    func mayBe(in text: UnsafeRawBufferPointer) -> Bool {
      guard let base = text.baseAddress, !bytes.isEmpty, text.count >= 16 else { return true }
      let backslash = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
      var at = 0
      while true {
        let block = base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
        let hits = unsafeBitCast((block .== rare) .| (block .== backslash), to: SIMD2<UInt64>.self)
        if hits[0] | hits[1] != 0, isHit(text, from: at) { return true }
        guard at < text.count - 16 else { return false }
        at = min(at + 16, text.count - 16)
      }
    }

    /// True where a backslash or the bytes themselves, with the rarest of them, stand at one of sixteen places.
    private func isHit(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
      for at in start..<(start + 16) {
        if text[at] == UInt8(ascii: "\\") { return true }
        let first = at - place
        guard text[at] == bytes[place], first >= 0, text.count - first >= bytes.count else { continue }
        if bytes.withUnsafeBytes({ ByteSearch.startsWith($0, text, at: first) }) { return true }
      }
      return false
    }
  }

  /// True where these are ASCII characters that stand for themselves in JSON.
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    // The highest bit is set by a byte beyond ASCII, by what is less than a space, and by a backslash. Nothing is left
    // early, so that many bytes are looked at together.
    var gathered: UInt8 = 0
    for byte in text { gathered |= byte | (byte &- 0x20) | ((byte ^ UInt8(ascii: "\\")) &- 1) }
    return gathered < 0x80
  }

  /// The text has room for them from there on.
  @inline(__always)
  fileprivate static func startsWith(
    _ wanted: UnsafeRawBufferPointer,
    _ text: UnsafeRawBufferPointer,
    at start: Int
  ) -> Bool {
    for index in wanted.indices where text[start + index] != wanted[index] { return false }
    return true
  }
}
