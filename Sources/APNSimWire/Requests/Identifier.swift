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
    let hyphen = UInt8(ascii: "-")
    guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else { return false }
    func areDigits(_ place: Int, _ other: Int) -> Bool {
      let first = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      let second = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: other, as: UInt32.self))
      return Hex.areDigits(UInt64(first) | UInt64(second) << 32)
    }
    return areDigits(0, 4) && areDigits(9, 14) && areDigits(19, 24) && areDigits(28, 32)
  }

  /// Writes the text into memory of at least ``textCount`` bytes; writes nothing into less.
  package func write(upperCase: Bool, to output: UnsafeMutableRawBufferPointer) {
    guard output.count >= Self.textCount else { return }
    /// Writes four digits at one place and four at another.
    func write(_ word: UInt64, at place: Int, _ other: Int) {
      let digits = Hex.digits(of: UInt32(truncatingIfNeeded: word), upperCase: upperCase)
      let (first, second) = (UInt32(truncatingIfNeeded: digits), UInt32(truncatingIfNeeded: digits >> 32))
      output.storeBytes(of: first.littleEndian, toByteOffset: place, as: UInt32.self)
      output.storeBytes(of: second.littleEndian, toByteOffset: other, as: UInt32.self)
    }
    write(high >> 32, at: 0, 4)
    write(high, at: 9, 14)
    write(low >> 32, at: 19, 24)
    write(low, at: 28, 32)
    let hyphen = UInt8(ascii: "-")
    (output[8], output[13], output[18], output[23]) = (hyphen, hyphen, hyphen, hyphen)
  }
}
