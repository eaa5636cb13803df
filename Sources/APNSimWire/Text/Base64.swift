import CProcessor

/// Base64 encoding of bytes (RFC 4648, section 4: the standard alphabet, padded).
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var output: [UInt8] = []
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes strictly: padding is required, white space is refused, and the bits that padding leaves unused must be
  /// zero, so that every byte string has exactly one text.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    return Array(text.utf8).withUnsafeBytes { decode($0, into: &bytes) } ? bytes : nil
  }

  /// Decodes the bytes of a text and appends the result to `output`; false, and nothing is appended, when the text is
  /// not Base64.
  package static func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    // All empty arrays share one storage, and making one writes to its reference count.
    guard text.count >= 4, text.count % 4 == 0 else { return text.isEmpty }
    var isGood = true
    let bytes = [UInt8](unsafeUninitializedCapacity: room(for: text)) { room, count in
      guard let start = room.baseAddress else { return }
      if let read = read(text, to: UnsafeMutableRawPointer(start)) { count = read } else { isGood = false }
    }
    guard isGood else { return false }
    if output.isEmpty { output = bytes } else { output += bytes }
    return true
  }

  /// The capacity, in bytes, that `read` needs for a text.
  package static func room(for text: UnsafeRawBufferPointer) -> Int { text.count / 4 * 3 }

  /// Decodes the text into memory of `room(for:)` bytes, four digits at a time: this reads every line of a capture.
  /// - Returns: the number of bytes decoded; nil when the text is not Base64.
  package static func read(_ text: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard let base = text.baseAddress, text.count > 0 else { return 0 }
    let whole = text.count / 4 - 1
    // Whole groups only: of 24 digits the last eight are left.
    let done = shuffles ? apnsim_base64_read(base, text.count, output) / 4 : 0
    let isGood = shares.withUnsafeBufferPointer { shares in
      var source = base + done * 4
      var target = output + done * 3
      var all: UInt32 = 0
      for _ in done..<whole {
        let digits = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
        let group =
          shares[Int(digits & 255)] | shares[Int(digits >> 8 & 255) &+ 256]
          | shares[Int(digits >> 16 & 255) &+ 512] | shares[Int(digits >> 24) &+ 768]
        all |= group
        // The fourth byte is the next group's first.
        target.storeBytes(of: (group << 8).bigEndian, as: UInt32.self)
        source += 4
        target += 3
      }
      return all & notADigit == 0
    }
    guard isGood, let end = readLast(base + whole * 4, to: output + whole * 3) else { return nil }
    return whole * 3 + end
  }

  /// Reads the last four digits, of which the last two may be padding.
  private static func readLast(_ digits: UnsafeRawPointer, to output: UnsafeMutableRawPointer) -> Int? {
    func digit(_ index: Int) -> UInt8 { digits.load(fromByteOffset: index, as: UInt8.self) }
    let count = digit(3) != pad ? 3 : digit(2) != pad ? 2 : 1
    var group: UInt32 = 0
    for index in 0...count {
      guard let value = value(of: digit(index)) else { return nil }
      group |= value << UInt32(18 - 6 * index)
    }
    // The bits that belong to no byte must be zero.
    guard group & (count == 3 ? 0 : count == 2 ? 0xFF : 0xFFFF) == 0 else { return nil }
    for index in 0..<count {
      let byte = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
      output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    return count
  }

  /// True if the processor can look up sixteen bytes at once.
  private static let shuffles = apnsim_shuffles()

  private static let notADigit: UInt32 = 1 << 31

  /// The bits that each byte contributes to the 24 of its group, by its position in the group.
  private static let shares: [UInt32] = (0..<1024).map { index in
    value(of: UInt8(index & 255)).map { $0 << UInt32(18 - 6 * (index >> 8)) } ?? notADigit
  }

  /// The 64 digits, in order.
  private static let digits: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Appends the text to `output` as ASCII, without an intermediate string.
  static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0), to: &output)
    }
    if done == nil { Array(bytes).withUnsafeBytes { append($0, to: &output) } }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let text = [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { room, count in
      if let start = room.baseAddress { count = write(bytes, to: UnsafeMutableRawPointer(start)) }
    }
    output.append(contentsOf: text)
  }

  /// Encodes into memory that has four bytes for every three begun, and returns the number of bytes written. Six
  /// bytes are encoded at a time, twelve bits each: this renders every line of a recording.
  package static func write(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let pairs = pairs
    let done = shuffles ? apnsim_base64_write(base, bytes.count, output) : 0
    var source = base + done
    var target = output + done / 3 * 4
    var left = bytes.count - done
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

  /// The two digits for each twelve bits, the first one in the lower byte; made once and kept.
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
