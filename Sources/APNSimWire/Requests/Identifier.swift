/// The text of a UUID in an answer: 36 characters in groups of 8, 4, 4, 4 and 12 digits.
package struct Identifier: BitwiseCopyable, Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  /// Takes sixteen random bytes; version 4 and the variant of RFC 9562 are set in them.
  package init(random high: UInt64, _ low: UInt64) {
    self.high = high & ~0xF000 | 0x4000
    self.low = low & ~(0b11 << 62) | 0b10 << 62
  }

  package static let textCount = 36

  /// True for digits of either case with hyphens in their places.
  package static func isCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == textCount else { return false }
    for (index, byte) in text.enumerated() {
      guard isHyphen(index) ? byte == UInt8(ascii: "-") : Hex.value(of: byte) != nil else { return false }
    }
    return true
  }

  /// Writes the text into memory of at least ``textCount`` bytes; writes nothing into less.
  package func write(upperCase: Bool, to output: UnsafeMutableRawBufferPointer) {
    guard output.count >= Self.textCount else { return }
    var digits = 0
    for index in 0..<Self.textCount {
      if Self.isHyphen(index) {
        output[index] = UInt8(ascii: "-")
        continue
      }
      let word = digits < 16 ? high : low
      let digit = Hex.digit(UInt8(word >> UInt64(60 - digits % 16 * 4) & 15))
      output[index] = upperCase && digit >= UInt8(ascii: "a") ? digit - 0x20 : digit
      digits += 1
    }
  }

  private static func isHyphen(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
  }
}
