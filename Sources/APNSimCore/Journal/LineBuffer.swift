import APNSimWire

/// Memory for lines, written to by pointer: a journal's notification costs a few hundred nanoseconds, and an array's
/// checks would be most of them. `reserve` comes before what is put, and covers all of it.
final class LineBuffer {
  private var base: UnsafeMutableRawPointer
  private var capacity = 65_536
  private(set) var count = 0
  /// The text of the time that was written last; times of one second differ in three digits only.
  private let time: UnsafeMutableRawPointer
  private var last: Timestamp?

  init() {
    base = .allocate(byteCount: capacity, alignment: 16)
    time = .allocate(byteCount: 24, alignment: 8)
  }

  deinit {
    base.deallocate()
    time.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets what was written, and memory that only one huge line needed.
  func removeAll() {
    count = 0
    guard capacity > 4 << 20 else { return }
    base.deallocate()
    capacity = 65_536
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  /// Makes room for so many bytes, and a few hundred more.
  @inline(__always)
  func reserve(_ more: Int) {
    if capacity - count < more + 512 { grow(more) }
  }

  @inline(never)
  private func grow(_ more: Int) {
    let wider = max(capacity * 2, count + more + 512)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    (base, capacity) = (fresh, wider)
  }

  @inline(__always)
  func put(_ text: StaticString) {
    (base + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    count &+= text.utf8CodeUnitCount
  }

  @inline(__always)
  func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  func put(decimal value: UInt64) {
    if value < 10 {
      base.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ value), toByteOffset: count, as: UInt8.self)
      count &+= 1
    } else {
      put(digits: value)
    }
  }

  /// Two digits at a time, from the last ones.
  private func put(digits value: UInt64) {
    let digits = Self.digitCount(value)
    var rest = value
    var place = base + (count &+ digits)
    while rest >= 10 {
      let pair = UInt16(truncatingIfNeeded: rest % 100)
      rest /= 100
      place -= 2
      // pair / 10, exact below 1,029.
      let tens = (pair &* 205) &>> 11
      let text = 0x3030 &+ (pair &- tens &* 10) &<< 8 &+ tens
      place.storeBytes(of: text.littleEndian, as: UInt16.self)
    }
    // The first digit of an odd number of them; the pairs of an even number have ended with it.
    if digits & 1 == 1 {
      (place - 1).storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ rest), as: UInt8.self)
    }
    count &+= digits
  }

  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    if value < 10_000 { return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4) }
    if value < 100_000_000 {
      return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : (value < 10_000_000 ? 7 : 8)
    }
    return 8 &+ digitCount(value / 100_000_000)
  }

  /// Four bytes at a time: their halves are spread over the eight bytes of a word and become digits together.
  @inline(__always)
  func put(hex bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    var source = start
    var target = base + count
    for _ in 0..<bytes.count / 4 {
      var word = UInt64(UInt32(bigEndian: source.loadUnaligned(as: UInt32.self)))
      word = (word | word &<< 16) & 0x0000_ffff_0000_ffff
      word = (word | word &<< 8) & 0x00ff_00ff_00ff_00ff
      word = (word | word &<< 4) & 0x0f0f_0f0f_0f0f_0f0f
      let letters = (word &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
      word = word &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
      target.storeBytes(of: word.bigEndian, as: UInt64.self)
      source += 4
      target += 8
    }
    for byte in bytes[(bytes.count & ~3)...] {
      target.storeBytes(of: Self.digit(byte >> 4), as: UInt8.self)
      target.storeBytes(of: Self.digit(byte & 15), toByteOffset: 1, as: UInt8.self)
      target += 2
    }
    count &+= 2 &* bytes.count
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }

  /// An identifier that was made here, in capital letters.
  func put(_ identifier: Identifier) {
    let room = UnsafeMutableRawBufferPointer(start: base + count, count: Identifier.textCount)
    identifier.write(upperCase: true, to: room)
    count &+= Identifier.textCount
  }

  @inline(__always)
  func put(base64 bytes: UnsafeRawBufferPointer) { count &+= Base64.write(bytes, to: base + count) }

  @inline(__always)
  func put(_ moment: Timestamp) {
    if moment != last { format(moment) }
    (base + count).copyMemory(from: time, byteCount: 24)
    count &+= 24
  }

  @inline(never)
  private func format(_ timestamp: Timestamp) {
    let moment = timestamp.written
    if moment.seconds != last?.seconds {
      moment.text.withUnsafeBytes {
        time.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(time), byteCount: min(24, $0.count))
      }
    } else {
      var rest = moment.rawValue &- moment.seconds &* 1000
      for place in [22, 21, 20] {
        time.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ rest % 10), toByteOffset: place, as: UInt8.self)
        rest /= 10
      }
    }
    last = moment
  }
}
