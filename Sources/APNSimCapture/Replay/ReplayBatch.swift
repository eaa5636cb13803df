internal import APNSimCore
internal import APNSimWire

/// Bytes of one connection and moment that are handed in together, in memory that is used again.
final class ReplayBatch {
  private(set) var connection: ReplayConnection?
  /// The connection's name, for a look that takes no reference to it.
  private var name: ConnectionID?
  private(set) var time = Timestamp(rawValue: 0)
  private(set) var read: UInt32 = 0
  private(set) var count = 0
  private var base: UnsafeMutableRawPointer
  private var capacity: Int

  /// How many bytes are gathered at most, unless one piece is larger.
  static let most = 65_536

  init() {
    capacity = Self.most
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Whether bytes may join those that are there.
  @inline(__always)
  func joins(_ id: ConnectionID, _ time: Timestamp, _ read: UInt32, _ more: Int) -> Bool {
    name == id && self.time == time && self.read == read && count &+ more <= Self.most
  }

  /// Begins anew.
  func begin(_ connection: ReplayConnection, _ time: Timestamp, _ read: UInt32) {
    (self.connection, name) = (connection, connection.name)
    (self.time, self.read) = (time, read)
    removeAll()
  }

  /// Forgets the bytes.
  func removeAll() { count = 0 }

  /// Nothing waits any more.
  func end() { (connection, name) = (nil, nil) }

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
    count &+= bytes.count
  }

  /// False, and nothing appended, where the text is not Base64.
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
