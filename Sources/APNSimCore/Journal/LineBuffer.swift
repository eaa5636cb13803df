internal import APNSimWire

/// Memory for lines, written to by pointer: a journal's notification costs a few hundred nanoseconds, and an array's
/// checks would be most of them. `reserve` comes before what is put, and covers all of it.
final class LineBuffer {
  private var base: UnsafeMutableRawPointer
  private var capacity = 65_536
  private(set) var count = 0
  /// The text of the time that was written last; times of one second differ in three digits only.
  private let time: UnsafeMutableRawPointer
  private var second = Int64.min

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
    var digits = 1
    var bound: UInt64 = 10
    while digits < 20, value >= bound {
      digits &+= 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var rest = value
    var place = count &+ digits
    repeat {
      place &-= 1
      base.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ rest % 10), toByteOffset: place, as: UInt8.self)
      rest /= 10
    } while place > count
    count &+= digits
  }

  @inline(__always)
  func put(hex bytes: UnsafeRawBufferPointer) {
    var place = base + count
    for byte in bytes {
      place.storeBytes(of: Self.digit(byte >> 4), as: UInt8.self)
      place.storeBytes(of: Self.digit(byte & 15), toByteOffset: 1, as: UInt8.self)
      place += 2
    }
    count &+= 2 &* bytes.count
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }

  @inline(__always)
  func put(base64 bytes: UnsafeRawBufferPointer) { count &+= Base64.write(bytes, to: base + count) }

  @inline(__always)
  func put(_ moment: Timestamp) {
    let seconds = moment.seconds
    if seconds != second { format(moment) }
    (base + count).copyMemory(from: time, byteCount: 24)
    let millisecond = UInt64(truncatingIfNeeded: moment.rawValue &- seconds &* 1000)
    let place = base + count + 20
    place.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ millisecond / 100), as: UInt8.self)
    place.storeBytes(
      of: UInt8(truncatingIfNeeded: 0x30 &+ millisecond / 10 % 10),
      toByteOffset: 1,
      as: UInt8.self
    )
    place.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 &+ millisecond % 10), toByteOffset: 2, as: UInt8.self)
    count &+= 24
  }

  @inline(never)
  private func format(_ moment: Timestamp) {
    moment.text.withUnsafeBytes {
      time.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(time), byteCount: 24)
    }
    second = moment.seconds
  }
}
