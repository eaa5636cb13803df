import APNSimCore
import APNSimWire

/// Bytes of one connection and moment that are handed in together, in a reused buffer.
final class ReplayBatch {
  private(set) var connection: ReplayConnection?
  /// The connection's number, which is compared without retaining the connection.
  private var name: ConnectionID?
  private(set) var time = Timestamp(rawValue: 0)
  private(set) var read: UInt32 = 0
  private(set) var count = 0
  private var base: UnsafeMutableRawPointer
  private var capacity: Int

  /// The most bytes that are gathered, unless one piece is larger.
  static let most = 65_536

  init() {
    capacity = Self.most
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// True where bytes may join the gathered ones.
  @inline(__always)
  func joins(_ id: ConnectionID, _ time: Timestamp, _ read: UInt32, _ more: Int) -> Bool {
    name == id && self.time == time && self.read == read && count &+ more <= Self.most
  }

  /// Begins another batch.
  func begin(_ connection: ReplayConnection, _ time: Timestamp, _ read: UInt32) {
    (self.connection, name) = (connection, connection.name)
    (self.time, self.read) = (time, read)
    removeAll()
  }

  /// Removes the bytes.
  func removeAll() { count = 0 }

  /// Ends the batch.
  func end() { (connection, name) = (nil, nil) }

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
    count &+= bytes.count
  }

  /// Appends the bytes of a Base64 text; false, with nothing appended, where it is none.
  @inline(__always)
  func append(base64 text: UnsafeRawBufferPointer) -> Bool {
    reserve(Base64.room(for: text))
    guard let read = Base64.read(text, to: base + count) else { return false }
    count &+= read
    return true
  }

  @inline(__always)
  private func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  private func grow(_ more: Int) {
    let wider = max(capacity * 2, count + more)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    (base, capacity) = (fresh, wider)
  }
}
