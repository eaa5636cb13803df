/// The dynamic table of one direction (RFC 7541 section 2.3.2): the newest entry has index 62.
///
/// Their texts, as a header list has them, stand one after the other in one buffer, the oldest first, and move to its front when it is full.
/// So an insertion allocates nothing once the table has its size.
struct DynamicTable: ~Copyable {
  struct Entry: BitwiseCopyable {
    /// Where its text starts in the buffer: two lengths, name and value (``HeaderList``).
    var start = 0
    var nameCount = 0
    var valueCount = 0
    var name = HeaderName.other
    /// The flaw that makes a request with this field malformed; found once, when the field came in.
    var flaw = FieldFlaw.none
    /// The owner's finding about the value.
    var finding: UInt32 = 0

    /// RFC 7541 section 4.1.
    var size: Int { nameCount &+ valueCount &+ 32 }
  }

  /// The size that the peer was promised: it may not choose a larger one.
  var ceiling: Int
  /// The size that holds.
  private(set) var limit: Int
  /// The sum of the entries' sizes.
  private(set) var size = 0
  /// The oldest first, from `oldest` on.
  private var entries: [Entry] = []
  private var oldest = 0
  private var text = GrowingBytes()

  init(ceiling: Int) {
    self.ceiling = ceiling
    limit = ceiling
  }

  var count: Int { entries.count &- oldest }

  /// The entry of an index that counts from 0, the newest; nil beyond the oldest.
  @inline(__always)
  subscript(index: Int) -> Entry? {
    guard index >= 0, index < count else { return nil }
    return entries[entries.count &- 1 &- index]
  }

  /// Lengths, name and value.
  @inline(__always)
  func text(of entry: Entry) -> UnsafeRawBufferPointer {
    text.bytes.part(entry.start, HeaderList.prefix &+ entry.nameCount &+ entry.valueCount)
  }

  @inline(__always)
  func name(of entry: Entry) -> UnsafeRawBufferPointer {
    text.bytes.part(entry.start &+ HeaderList.prefix, entry.nameCount)
  }

  @inline(__always)
  func value(of entry: Entry) -> UnsafeRawBufferPointer {
    text.bytes.part(entry.start &+ HeaderList.prefix &+ entry.nameCount, entry.valueCount)
  }

  /// A size update (section 6.3); false where it is larger than was promised.
  mutating func resize(to bytes: Int) -> Bool {
    guard bytes <= ceiling else { return false }
    limit = bytes
    evict(until: limit)
    return true
  }

  /// Adds an entry, after the oldest have made room for it. One larger than the table empties it (section 4.4).
  ///
  /// - Parameter bytes: lengths, name and value. They must not be this table's: they are copied after the eviction.
  mutating func insert(_ bytes: UnsafeRawBufferPointer, _ entry: Entry) {
    var entry = entry
    evict(until: limit &- entry.size)
    guard entry.size <= limit else { return }
    if text.count &+ entry.size > max(1024, limit &* 2) || oldest >= 256 { moveToFront() }
    entry.start = text.count
    text.append(bytes)
    entries.append(entry)
    size &+= entry.size
  }

  private mutating func evict(until bytes: Int) {
    while size > bytes, oldest < entries.count {
      size &-= entries[oldest].size
      oldest &+= 1
    }
    if oldest == entries.count {
      entries.removeAll(keepingCapacity: true)
      text.removeAll()
      oldest = 0
    }
  }

  private mutating func moveToFront() {
    entries.removeSubrange(..<oldest)
    oldest = 0
    guard let first = entries.first?.start else { return text.removeAll() }
    text.removeFirst(first)
    for index in entries.indices { entries[index].start &-= first }
  }
}
