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

  /// The same from the bytes of a text, appended to `output`; false, and nothing appended, where it is not Base64.
  ///
  /// Four digits at a time: this reads every line of a capture.
  package static func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    guard text.count % 4 == 0 else { return false }
    guard let base = text.baseAddress, text.count > 0 else { return true }
    let before = output.count
    let whole = text.count / 4 - 1
    var room = [UInt8](repeating: 0, count: 0)
    swap(&room, &output)
    room.reserveCapacity(before + text.count / 4 * 3)
    var isGood = true
    values.withUnsafeBufferPointer { values in
      var at = base
      for _ in 0..<whole {
        let first = UInt32(values[Int(at.load(as: UInt8.self))])
        let second = UInt32(values[Int(at.load(fromByteOffset: 1, as: UInt8.self))])
        let third = UInt32(values[Int(at.load(fromByteOffset: 2, as: UInt8.self))])
        let fourth = UInt32(values[Int(at.load(fromByteOffset: 3, as: UInt8.self))])
        isGood = isGood && (first | second | third | fourth) < 64
        let group = first << 18 | second << 12 | third << 6 | fourth
        room.append(UInt8(truncatingIfNeeded: group >> 16))
        room.append(UInt8(truncatingIfNeeded: group >> 8))
        room.append(UInt8(truncatingIfNeeded: group))
        at += 4
      }
    }
    swap(&room, &output)
    let last = String(decoding: text.suffix(4), as: UTF8.self)
    guard isGood, let end = decode(last) else {
      output.removeLast(output.count - before)
      return false
    }
    output.append(contentsOf: end)
    return true
  }

  /// What each byte stands for as a digit; 255 for none.
  private static let values: [UInt8] = (0...255).map { value(of: UInt8($0)).map { UInt8($0) } ?? 255 }

  /// The 64 digits, in order.
  private static let digits: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Appends the text to `output` as ASCII, without a string in between.
  static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0), to: &output)
    }
    if done == nil { Array(bytes).withUnsafeBytes { append($0, to: &output) } }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    let text = [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { room, count in
      if let start = room.baseAddress { count = write(bytes, to: UnsafeMutableRawPointer(start)) }
    }
    output.append(contentsOf: text)
  }

  /// Writes the text to memory that has four bytes for every three begun, and returns how many it has; six bytes at
  /// a time, by twelve bits: this renders every line of a recording.
  package static func write(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let pairs = pairs
    var source = base
    var target = output
    var left = bytes.count
    // Eight bytes are read for six.
    while left >= 8 {
      let group = UInt64(bigEndian: source.loadUnaligned(as: UInt64.self)) &>> 16
      let text =
        UInt64(pairs[Int(truncatingIfNeeded: group &>> 36)])
        | UInt64(pairs[Int(truncatingIfNeeded: group &>> 24 & 4095)]) &<< 16
        | UInt64(pairs[Int(truncatingIfNeeded: group &>> 12 & 4095)]) &<< 32
        | UInt64(pairs[Int(truncatingIfNeeded: group & 4095)]) &<< 48
      target.storeBytes(of: text.littleEndian, as: UInt64.self)
      source += 6
      target += 8
      left &-= 6
    }
    while left > 0 {
      let first = UInt32(source.load(as: UInt8.self))
      let second = left > 1 ? UInt32(source.load(fromByteOffset: 1, as: UInt8.self)) : 0
      let third = left > 2 ? UInt32(source.load(fromByteOffset: 2, as: UInt8.self)) : 0
      let group = first << 16 | second << 8 | third
      let text = UInt32(pairs[Int(group >> 12)]) | UInt32(pairs[Int(group & 4095)]) << 16
      target.storeBytes(of: text.littleEndian, as: UInt32.self)
      if left < 3 { target.storeBytes(of: pad, toByteOffset: 3, as: UInt8.self) }
      if left < 2 { target.storeBytes(of: pad, toByteOffset: 2, as: UInt8.self) }
      source += min(3, left)
      target += 4
      left -= min(3, left)
    }
    return target - output
  }

  /// The two digits of each twelve bits, the first one in the lower byte; made once and kept.
  private nonisolated(unsafe) static let pairs: UnsafePointer<UInt16> = {
    let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
    for bits in 0..<4096 {
      (pairs + bits).initialize(to: UInt16(digits[bits >> 6]) | UInt16(digits[bits & 63]) << 8)
    }
    return UnsafePointer(pairs)
  }()

  private static let pad = UInt8(ascii: "=")

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
