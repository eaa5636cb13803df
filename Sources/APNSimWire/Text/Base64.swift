/// Bytes as Base64 (RFC 4648, section 4: the standard alphabet, padded) and back.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var output: [UInt8] = []
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Strict: padding is required, no white space, and the bits that padding leaves unused must be zero, so that
  /// every byte string has exactly one text.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    let padding = digits.reversed().prefix(2).prefix { $0 == pad }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits.dropLast(padding) {
      guard let value = value(of: digit) else { return nil }
      group = group << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
        group &= (1 << bits) - 1
      }
    }
    return group == 0 ? bytes : nil
  }

  /// Appends the text to `output` as ASCII, without a string in between.
  static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0), to: &output)
    }
    if done == nil { Array(bytes).withUnsafeBytes { append($0, to: &output) } }
  }

  /// Three bytes at a time: this renders every line of a recording.
  private static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var offset = 0
    while bytes.count - offset >= 3 {
      let group = UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
      output.append(digit(group >> 18))
      output.append(digit(group >> 12 & 63))
      output.append(digit(group >> 6 & 63))
      output.append(digit(group & 63))
      offset += 3
    }
    switch bytes.count - offset {
    case 1:
      let group = UInt32(bytes[offset]) << 4
      output += [digit(group >> 6), digit(group & 63), pad, pad]
    case 2:
      let group = UInt32(bytes[offset]) << 10 | UInt32(bytes[offset + 1]) << 2
      output += [digit(group >> 12), digit(group >> 6 & 63), digit(group & 63), pad]
    default: break
    }
  }

  private static let pad = UInt8(ascii: "=")

  @inline(__always)
  private static func digit(_ value: UInt32) -> UInt8 {
    switch UInt8(truncatingIfNeeded: value) {
    case let value where value < 26: 0x41 + value
    case let value where value < 52: 0x61 + value - 26
    case let value where value < 62: 0x30 + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit - 0x41)
    case 0x61...0x7A: UInt32(digit - 0x61) + 26
    case 0x30...0x39: UInt32(digit - 0x30) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
