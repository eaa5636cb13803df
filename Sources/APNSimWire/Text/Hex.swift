/// Hexadecimal encoding of bytes, for tokens and identifiers where people see them.
package enum Hex {
  /// Encodes bytes as two lower-case digits each.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable { encode(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { encode($0) }
  }

  private static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { write(bytes, to: $0) }
  }

  /// Encodes into memory of two bytes for each byte, and returns the number of digits.
  @discardableResult
  package static func write(
    _ bytes: UnsafeRawBufferPointer,
    to output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    for (index, byte) in bytes.enumerated() {
      output[2 * index] = digit(byte >> 4)
      output[2 * index + 1] = digit(byte & 15)
    }
    return bytes.count * 2
  }

  /// Decodes an even number of digits of either case; nil for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    // Contiguous storage avoids a check of the string's representation for each digit.
    text.utf8.withContiguousStorageIfAvailable { decode(UnsafeRawBufferPointer($0)) }
      ?? Array(text.utf8).withUnsafeBytes { decode($0) }
  }

  /// Decodes the bytes of such a text.
  package static func decode(_ digits: UnsafeRawBufferPointer) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var isGood = true
    let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { output, count in
      for place in stride(from: 0, to: digits.count, by: 2) {
        guard let high = value(of: digits[place]), let low = value(of: digits[place + 1]) else {
          isGood = false
          return
        }
        output[count] = high << 4 | low
        count += 1
      }
    }
    return isGood ? bytes : nil
  }

  /// True for a text of digits, of either case, and nothing else; 16 are looked at together.
  package static func areDigits(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 16 <= text.count {
      let sixteen = Sixteen(text.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self))
      guard sixteen.areDigits else { return false }
      place += 16
    }
    return text[place...].allSatisfy { value(of: $0) != nil }
  }

  /// Decodes an even number of digits into memory that has room for half as many bytes. What is no digit counts as 0.
  package static func decode(_ digits: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) {
    var place = 0
    while place + 16 <= digits.count {
      let sixteen = Sixteen(digits.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self))
      output.storeBytes(of: sixteen.bytes, toByteOffset: place / 2, as: SIMD8<UInt8>.self)
      place += 16
    }
    while place + 2 <= digits.count {
      output[place / 2] = (value(of: digits[place]) ?? 0) << 4 | (value(of: digits[place + 1]) ?? 0)
      place += 2
    }
  }

  /// Sixteen characters that may be digits.
  private struct Sixteen {
    private let characters: SIMD16<UInt8>
    private let isLetter: SIMDMask<SIMD16<Int8>>

    init(_ characters: SIMD16<UInt8>) {
      self.characters = characters
      isLetter = ((characters | 0x20) &- 0x61) .< 6
    }

    var areDigits: Bool { all(((characters &- 0x30) .< 10) .| isLetter) }

    var bytes: SIMD8<UInt8> {
      let nine = SIMD16<UInt8>(repeating: 0).replacing(with: 9, where: isLetter)
      let values = (characters & 0x0F) &+ nine
      return values.evenHalf &<< 4 | values.oddHalf & 0x0F
    }
  }

  /// The digit for 0...15.
  @inline(__always)
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
  }

  /// The value of a digit; nil for any other byte.
  @inline(__always)
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
