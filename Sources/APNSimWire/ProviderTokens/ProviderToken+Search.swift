extension ProviderToken {
  /// Writes `x` over whatever in a text has the shape of a provider token (RFC 7515, section 7.1): Base64 of a JSON object,
  /// and two more parts, with full stops between them. The full stops stay.
  package static func blot(in text: UnsafeMutableRawBufferPointer) {
    var start = 0
    while let token = first(in: UnsafeRawBufferPointer(text), from: start) {
      for index in token where text[index] != fullStop { text[index] = UInt8(ascii: "x") }
      start = token.upperBound
    }
  }

  /// True for a text with something of that shape in it.
  package static func isIn(_ text: UnsafeRawBufferPointer) -> Bool { first(in: text, from: 0) != nil }

  /// A text without them.
  package static func blotted(_ text: some StringProtocol) -> String {
    var bytes = Array(text.utf8)
    bytes.withUnsafeMutableBytes { blot(in: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The fewest characters of a header, which names its algorithm, and of a token.
  private static let leastHeader = 20
  private static let leastClaims = 8
  private static let least = leastHeader + leastClaims + 3
  private static let fullStop = UInt8(ascii: ".")

  /// The first token at a place or after it.
  private static func first(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    guard text.count >= least else { return nil }
    var start = start
    while let stop = fullStop(in: text, from: start) {
      if stop - start >= leastHeader, let token = token(in: text, from: start, around: stop) { return token }
      start = stop + 1
    }
    return nil
  }

  /// The place of the first full stop, found eight bytes at a time.
  private static func fullStop(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = start
    while place + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ (ones &* UInt64(fullStop))
      if (word &- ones) & ~word & (ones << 7) != 0 { break }
      place += 8
    }
    while place < text.count, text[place] != fullStop { place += 1 }
    return place < text.count ? place : nil
  }

  /// The token whose header ends at a full stop.
  @inline(never)
  private static func token(
    in text: UnsafeRawBufferPointer,
    from start: Int,
    around stop: Int
  ) -> Range<Int>? {
    let claims = endOfPart(of: text, from: stop + 1)
    guard claims - stop > leastClaims, claims < text.count, text[claims] == fullStop else { return nil }
    var first = stop
    while first > start, digit(text[first - 1]) != nil { first -= 1 }
    guard stop - first >= leastHeader else { return nil }
    return (first...stop - leastHeader).first { beginsObject(text, at: $0) }
      .map { $0..<endOfPart(of: text, from: claims + 1) }
  }

  private static func endOfPart(of text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < text.count, digit(text[place]) != nil { place += 1 }
    return place
  }

  /// True where Base64 of a JSON object begins: `{"`, with white space around the brace or without.
  private static func beginsObject(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    var bits: UInt32 = 0
    var count: UInt32 = 0
    var isOpen = false
    for byte in text[start...] {
      guard let digit = digit(byte) else { return false }
      (bits, count) = (bits << 6 | UInt32(digit), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      switch UInt8(truncatingIfNeeded: bits >> count) {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "{") where !isOpen: isOpen = true
      case UInt8(ascii: "\""): return isOpen
      default: return false
      }
    }
    return false
  }

  /// The value of a digit of Base64 in either alphabet, and of its padding; nil for any other byte.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
    case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
    case UInt8(ascii: "="): 0
    default: nil
    }
  }
}
