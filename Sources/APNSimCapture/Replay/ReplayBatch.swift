import APNSimCore
import APNSimWire

/// Bytes of one connection and moment that are handed in together.
final class ReplayBatch {
  /// The portions in which bytes are gathered.
  enum Portions {
    /// The bytes of a read and moment together.
    case reads
    /// The bytes of each line alone, before the next line, because their tokens may have to be looked up there.
    case lines
    /// The same, and a notification's outcome shows whether its token had been issued.
    case linesWithVerdicts
  }

  let portions: Portions
  /// The most bytes that are handed in at once: no more notifications than the history keeps until they are counted.
  let mostAtOnce: Int
  private(set) var connection: ReplayConnection?
  /// The connection's number, which is compared without retaining the connection.
  private var name: ConnectionID?
  private(set) var time = Timestamp(rawValue: 0)
  private(set) var read: UInt32 = 0
  var gathered = GatheredBytes(capacity: most)
  /// The line that begins the next batch, while this one is handed in.
  var next = GatheredBytes(capacity: most)

  /// The most bytes that are gathered, unless one piece is larger.
  static let most = 65_536

  init(_ portions: Portions, mostAtOnce: Int) { (self.portions, self.mostAtOnce) = (portions, mostAtOnce) }

  /// True where bytes may join the gathered ones.
  @inline(__always)
  func joins(_ id: ConnectionID, _ time: Timestamp, _ read: UInt32, _ more: Int) -> Bool {
    name == id && self.time == time && self.read == read && gathered.count &+ more <= Self.most
  }

  /// Begins another batch with the bytes of `next`.
  func begin(_ connection: ReplayConnection, _ time: Timestamp, _ read: UInt32) {
    (self.connection, name) = (connection, connection.name)
    (self.time, self.read) = (time, read)
    swap(&gathered, &next)
    next.removeAll()
  }

  /// Ends the batch.
  func end() { (connection, name) = (nil, nil) }
}

/// Bytes in a buffer that is used again.
struct GatheredBytes: ~Copyable {
  private(set) var count = 0
  private var base: UnsafeMutableRawPointer
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
    count &+= bytes.count
  }

  /// Appends the bytes of a Base64 text; false, with nothing appended, where it is none.
  @inline(__always)
  mutating func append(base64 text: UnsafeRawBufferPointer) -> Bool {
    reserve(Base64.room(for: text))
    guard let read = Base64.read(text, to: base + count) else { return false }
    count &+= read
    return true
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  private mutating func grow(_ more: Int) {
    let wider = max(capacity * 2, count + more)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    (base, capacity) = (fresh, wider)
  }
}
