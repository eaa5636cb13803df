// Strings: plain characters eight at a time, everything else one by one.

extension JSONCursor {
  /// Skips the string whose opening quote is at ``at``; afterwards ``at`` is behind the closing one.
  @inline(__always)
  mutating func skipString() -> Bool {
    at &+= 1
    while true {
      skipPlainCharacters()
      if byte == UInt8(ascii: "\"") {
        at &+= 1
        return true
      }
      countUnusual()
      let step = Self.stepOverUnusual(at: at, base: base, count: count)
      at = step.end
      guard step.problem == .none else { return fail(step.problem) }
    }
  }

  /// Advances to the next byte of a string that is not plain: a quote, a backslash, a control character, a byte
  /// beyond ASCII, or the end.
  @inline(__always)
  private mutating func skipPlainCharacters() {
    while count &- at >= 8 {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let stops = Self.stops(in: word)
      guard stops == 0 else {
        at &+= stops.trailingZeroBitCount >> 3
        return
      }
      at &+= 8
    }
    guard count >= 8 else {
      while at < count, Self.stops(in: UInt64(byte)) & 0x80 == 0 { at &+= 1 }
      return
    }
    // The last word of the text again, without what is behind: zeros come in instead, and a zero is not plain.
    let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    at &+= Self.stops(in: word >> UInt64((8 &- (count &- at)) &* 8)).trailingZeroBitCount >> 3
  }

  /// The high bits of those bytes that are not plain, by arithmetic on the whole word: in each line the high bit of
  /// a byte is set where that byte qualifies. A borrow can set it falsely only above a byte that truly does, and the
  /// lowest one is all that counts.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let stops =
      (quote &- ones) & ~quote
      | (backslash &- ones) & ~backslash
      | (word &- ones &* 0x20) & ~word
      | word
    return stops & (ones &* 0x80)
  }

  /// Steps over an escape or a character beyond ASCII; `end` is where the problem is, if there is one.
  @inline(never)
  private static func stepOverUnusual(
    at: Int,
    base: UnsafeRawPointer,
    count: Int
  ) -> (end: Int, problem: PayloadProblem) {
    let text = UnsafeRawBufferPointer(start: base, count: count)
    guard at < count else { return (count, .unterminatedString) }
    if text[at] == UInt8(ascii: "\\") { return stepOverEscape(at: at, in: text) }
    guard text[at] >= 0x20 else { return (at, .controlCharacter) }
    let length = lengthOfSequence(at: at, in: text)
    return length > 0 ? (at + length, .none) : (at, .invalidUTF8)
  }

  private static func stepOverEscape(
    at: Int,
    in text: UnsafeRawBufferPointer
  ) -> (end: Int, problem: PayloadProblem) {
    guard text.count - at >= 2 else { return (text.count, .unterminatedString) }
    switch text[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return (at + 2, .none)
    case UInt8(ascii: "u"):
      for digit in at + 2..<at + 6 {
        guard digit < text.count else { return (text.count, .unterminatedString) }
        guard Hex.value(of: text[digit]) != nil else { return (digit, .expectedHexDigit) }
      }
      return (at + 6, .none)
    default:
      return (at, .invalidEscape)
    }
  }

  /// The length of the well-formed UTF-8 sequence at `at`, 0 if it is none (Unicode, Table 3-7: no overlong forms,
  /// no surrogates, nothing above U+10FFFF).
  private static func lengthOfSequence(at: Int, in text: UnsafeRawBufferPointer) -> Int {
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch text[at] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard text.count - at >= length, second.contains(text[at + 1]) else { return 0 }
    for offset in 2..<length where text[at + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
