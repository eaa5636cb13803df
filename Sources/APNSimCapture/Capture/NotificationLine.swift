import APNSimCore
import APNSimWire

/// A notification's line, read in the order of keys in which the simulator writes it (docs/journal.md). Nearly every
/// line of a large capture is one, and this takes a tenth of the time of ``LineFields``.
///
/// A line with the same content in another spelling is not read here.
struct NotificationLine {
  var seq: UInt64 = 0
  var time = Timestamp(rawValue: 0)
  var connection = ConnectionID(rawValue: 0)
  var facts = CapturedNotification(number: 0, outcome: .delivered, status: 0, read: 0)
  /// The frame in Base64, good until the next line is read.
  var raw = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Values that the next line probably repeats.
  struct Memory {
    var clock = CaptureClock()
    var outcome = Outcome.delivered
    var outcomeName = Array("delivered".utf8)
  }

  /// - Returns: false for any other line, with undefined values.
  @inline(__always)
  mutating func read(_ line: UnsafeRawBufferPointer, _ memory: inout Memory) -> Bool {
    var cursor = Cursor(line)
    guard cursor.take("{\"seq\":"), let seq = cursor.number(), seq > 0, cursor.take(",\"time\":\""),
      let moment = cursor.text(of: 24).flatMap({ memory.clock.read($0) }),
      cursor.take("\",\"event\":\"notification\",\"id\":\"n"), let number = cursor.number(),
      cursor.take("\",\"connection\":\"c"), let id = cursor.number().flatMap({ UInt32(exactly: $0) }), id > 0,
      cursor.take("\"")
    else { return false }
    (self.seq, time, connection) = (seq, moment, ConnectionID(rawValue: id))
    facts = CapturedNotification(number: number, outcome: .delivered, status: 0, read: 0)
    if cursor.take(",\"read\":") {
      guard let read = cursor.number().flatMap({ UInt32(exactly: $0) }) else { return false }
      facts.read = read
    }
    guard cursor.take(",\"topic\":\""), cursor.string() != nil else { return false }
    if cursor.take(",\"token\":\"") { guard cursor.string() != nil else { return false } }
    guard cursor.take(",\"command\":"), cursor.number() != nil else { return false }
    if cursor.take(",\"identifier\":\"") { guard cursor.string() != nil else { return false } }
    if cursor.take(",\"device\":\"") { guard cursor.string() != nil else { return false } }
    guard cursor.take(",\"outcome\":\""), let name = cursor.string() else { return false }
    if !memory.outcomeName.withUnsafeBytes({ name.hasBytes(of: $0) }) {
      guard let outcome = Outcome(String(decoding: name, as: UTF8.self)) else { return false }
      (memory.outcome, memory.outcomeName) = (outcome, Array(name))
    }
    facts.outcome = memory.outcome
    if cursor.take(",\"status\":") {
      guard let status = cursor.number().flatMap({ UInt8(exactly: $0) }) else { return false }
      facts.status = status
    }
    if cursor.take(",\"check\":\"") { guard cursor.string() != nil else { return false } }
    if cursor.take(",\"rule\":") { guard cursor.number() != nil else { return false } }
    _ = cursor.take(",\"magic\":true")
    if cursor.take(",\"replaced\":\"") { guard cursor.string() != nil else { return false } }
    guard cursor.take(",\"raw\":\""), let text = cursor.string(), cursor.take("}"), cursor.isAtEnd else {
      return false
    }
    raw = text
    return true
  }

  /// A place in the line.
  private struct Cursor {
    private var at: UnsafeRawPointer?
    private var left: Int

    init(_ line: UnsafeRawBufferPointer) { (at, left) = (line.baseAddress, line.count) }

    var isAtEnd: Bool { left == 0 }

    /// Steps over the text if it stands here.
    @inline(__always)
    mutating func take(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard let place = at, left >= count,
        UnsafeRawBufferPointer(start: place, count: count).hasBytes(of: text)
      else { return false }
      at = place + count
      left &-= count
      return true
    }

    @inline(__always)
    mutating func text(of count: Int) -> UnsafeRawBufferPointer? {
      guard let place = at, left >= count else { return nil }
      at = place + count
      left &-= count
      return UnsafeRawBufferPointer(start: place, count: count)
    }

    /// A whole number of up to 18 digits.
    @inline(__always)
    mutating func number() -> UInt64? {
      guard let place = at else { return nil }
      var value: UInt64 = 0
      var count = 0
      while count < left, count < 19 {
        let digit = place.load(fromByteOffset: count, as: UInt8.self) &- 0x30
        guard digit < 10 else { break }
        value = value &* 10 &+ UInt64(digit)
        count &+= 1
      }
      guard count > 0, count < 19 else { return nil }
      at = place + count
      left &-= count
      return value
    }

    /// Takes the rest of a string without escapes, and its closing quote.
    @inline(__always)
    mutating func string() -> UnsafeRawBufferPointer? {
      let rest = UnsafeRawBufferPointer(start: at, count: left)
      guard let place = at, let count = rest.offset(of: UInt8(ascii: "\"")) else { return nil }
      if count > 0, place.load(fromByteOffset: count &- 1, as: UInt8.self) == 0x5C { return nil }
      at = place + (count &+ 1)
      left &-= count &+ 1
      return UnsafeRawBufferPointer(start: place, count: count)
    }
  }
}

/// Reads the times of lines: always the same 24 bytes, and very often the same as those of the line before.
struct CaptureClock {
  private var text = [UInt8](repeating: 0, count: 24)
  private var value: Timestamp?

  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard bytes.count == 24 else { return Timestamp(String(decoding: bytes, as: UTF8.self)) }
    if value != nil, text.withUnsafeBytes({ bytes.hasBytes(of: $0) }) { return value }
    text.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    value = Timestamp(String(decoding: bytes, as: UTF8.self))
    return value
  }
}
