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
    let text = UnsafeMutableRawBufferPointer(output)
    var place = 0
    while bytes.count - place >= 4 {
      let number = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      text.storeBytes(of: digits(of: number).littleEndian, toByteOffset: 2 * place, as: UInt64.self)
      place += 4
    }
    while place < bytes.count {
      output[2 * place] = digit(bytes[place] >> 4)
      output[2 * place + 1] = digit(bytes[place] & 15)
      place += 1
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

  /// True for a text of digits, of either case, and nothing else; eight are looked at together.
  package static func areDigits(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= text.count {
      guard Eight(text, at: place).areDigits else { return false }
      place += 8
    }
    while place < text.count {
      guard value(of: text[place]) != nil else { return false }
      place += 1
    }
    return true
  }

  /// True if eight bytes are digits, the first one in the lowest byte.
  @inline(__always)
  static func areDigits(_ characters: UInt64) -> Bool { Eight(characters).areDigits }

  /// Decodes an even number of digits into memory that has room for half as many bytes. What is no digit (see
  /// ``areDigits(_:)``) becomes anything.
  package static func decode(_ digits: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) {
    var place = 0
    while place + 8 <= digits.count {
      output.storeBytes(of: Eight(digits, at: place).bytes, toByteOffset: place / 2, as: UInt32.self)
      place += 8
    }
    while place + 2 <= digits.count {
      output[place / 2] = (value(of: digits[place]) ?? 0) << 4 | (value(of: digits[place + 1]) ?? 0)
      place += 2
    }
  }

  /// Eight characters that may be digits, in one register, the first in the lowest byte. The processor's vectors would
  /// take sixteen, but the library compares them one by one.
  private struct Eight {
    private let characters: UInt64

    @inline(__always)
    init(_ characters: UInt64) { self.characters = characters }

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer, at place: Int) {
      self.init(UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }

    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The highest bit of each byte that is at least `least`. No byte has that bit itself.
    @inline(__always)
    private static func atLeast(_ least: UInt8, _ bytes: UInt64) -> UInt64 { bytes &+ all(0x80 &- least) }

    @inline(__always)
    var areDigits: Bool {
      let highest = Self.all(0x80)
      guard characters & highest == 0 else { return false }
      let lower = characters | Self.all(0x20)
      let isDecimal = Self.atLeast(0x30, characters) & ~Self.atLeast(0x3A, characters)
      let isLetter = Self.atLeast(0x61, lower) & ~Self.atLeast(0x67, lower)
      return (isDecimal | isLetter) & highest == highest
    }

    /// Four bytes, in the order of memory.
    @inline(__always)
    var bytes: UInt32 {
      // Of digits, only letters have the bit 0x40.
      let values = characters & Self.all(0x0F) &+ (characters >> 6 & Self.all(0x01)) &* 9
      var pairs = (values &<< 4 | values &>> 8) & 0x00FF_00FF_00FF_00FF
      pairs = (pairs | pairs &>> 8) & 0x0000_FFFF_0000_FFFF
      return UInt32(truncatingIfNeeded: pairs | pairs &>> 16).littleEndian
    }
  }

  /// The eight digits of a number, the first one in the lowest byte.
  @inline(__always)
  static func digits(of number: UInt32, upperCase: Bool = false) -> UInt64 {
    var bytes = UInt64(number.byteSwapped)
    bytes = (bytes | bytes &<< 16) & 0x0000_FFFF_0000_FFFF
    bytes = (bytes | bytes &<< 8) & 0x00FF_00FF_00FF_00FF
    let values = (bytes &>> 4 | bytes &<< 8) & Eight.all(0x0F)
    let isLetter = (values &+ Eight.all(6)) &>> 4 & Eight.all(1)
    return values &+ Eight.all(0x30) &+ isLetter &* (upperCase ? 0x07 : 0x27)
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
