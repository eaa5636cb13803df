/// The last so many records of an endless row, addressed by their ordinal.
///
/// Ordinals start at 1 and never repeat. The room grows with use up to its capacity; from then on the oldest
/// record makes way for the newest. There is always one place more, where the next record is made.
struct Ring<Record: BitwiseCopyable>: ~Copyable {
  private var storage: UnsafeMutablePointer<Record>
  /// The places; one of them is always free.
  private var places: Int
  private let capacity: Int
  /// The place of the next record: `end` modulo `places`, kept so that nothing has to be divided.
  private var next: Int
  /// The oldest ordinal still there; `end` when there is none.
  private(set) var first: UInt64 = 1
  /// The ordinal the next record gets.
  private(set) var end: UInt64 = 1

  /// - Parameter first: the ordinal of the first record.
  init(capacity: Int, from first: UInt64 = 1) {
    (self.first, end) = (first, first)
    self.capacity = max(1, capacity)
    places = min(self.capacity, 64) + 1
    next = Int(first % UInt64(places))
    storage = .allocate(capacity: places)
  }

  deinit { storage.deallocate() }

  var count: Int { Int(end - first) }

  var isFull: Bool { count == capacity }

  func contains(_ ordinal: UInt64) -> Bool { ordinal >= first && ordinal < end }

  /// Adds a record, dropping the oldest one when the ring is full, and returns its ordinal.
  @inline(__always)
  @discardableResult
  mutating func append(_ record: Record) -> UInt64 {
    upcoming().initialize(to: record)
    return commit()
  }

  /// The place of the next record, to be initialised before ``commit()`` makes it one. What is written there piece
  /// by piece is not copied, which would be slow right afterwards.
  @inline(__always)
  mutating func upcoming() -> UnsafeMutablePointer<Record> {
    if count == places - 1, places <= capacity { grow() }
    return storage + next
  }

  /// Asks for the memory of the record that comes so many after the next one.
  @inline(__always)
  func prefetch(ahead count: Int) {
    let place = next + count
    (storage + (place < places ? place : place - places)).prefetch()
  }

  /// The record that was made in its place is there; the oldest one makes way when the ring is full.
  @inline(__always)
  @discardableResult
  mutating func commit() -> UInt64 {
    if isFull { first += 1 }
    let ordinal = end
    end += 1
    next = next + 1 < places ? next + 1 : 0
    return ordinal
  }

  /// The record that makes way for the next one; the ring must be full.
  var oldest: Record { (storage + (next + 1 < places ? next + 1 : 0)).pointee }

  mutating func removeFirst() {
    if first < end { first += 1 }
  }

  mutating func removeAll() { first = end }

  /// The record of an ordinal that `contains` says is there.
  subscript(ordinal: UInt64) -> Record {
    _read { yield slot(ordinal).pointee }
    _modify { yield &slot(ordinal).pointee }
  }

  @inline(__always)
  private func slot(_ ordinal: UInt64) -> UnsafeMutablePointer<Record> {
    storage + Int(ordinal % UInt64(places))
  }

  @inline(never)
  private mutating func grow() {
    let wider = min(capacity, (places - 1) * 2) + 1
    let fresh = UnsafeMutablePointer<Record>.allocate(capacity: wider)
    for ordinal in first..<end {
      (fresh + Int(ordinal % UInt64(wider))).initialize(to: slot(ordinal).pointee)
    }
    storage.deallocate()
    storage = fresh
    places = wider
    next = Int(end % UInt64(places))
  }
}

/// Written are the records that are there, under their ordinals. The capacity is a setting and given again.
extension Ring {
  func write(to state: inout StateWriter) {
    let stride = MemoryLayout<Record>.stride
    state.reserve(count * stride + 32)
    state.write(raw: first)
    state.write(count: count)
    state.write(raw: UInt32(stride))
    let start = Int(first % UInt64(places))
    let ahead = min(count, places - start)
    state.append(UnsafeRawBufferPointer(start: storage + start, count: ahead * stride))
    state.append(UnsafeRawBufferPointer(start: storage, count: (count - ahead) * stride))
  }

  init(reading state: inout StateReader, capacity: Int) throws(StateError) {
    let first = try state.raw(UInt64.self)
    guard first >= 1, first <= UInt64(Int64.max) else {
      throw state.error("the number of a first record was expected, and \(first) found")
    }
    let records = try state.rows(Record.self)
    guard records.count <= max(1, capacity) else {
      throw state.error("at most \(max(1, capacity)) records were expected, and \(records.count) found")
    }
    self.init(capacity: capacity, from: first)
    while places - 1 < records.count { grow() }
    let start = Int(first % UInt64(places))
    let ahead = min(records.count, places - start)
    records.copy(0..<ahead, to: storage + start)
    records.copy(ahead..<records.count, to: storage)
    end = first + UInt64(records.count)
    next = Int(end % UInt64(places))
  }
}
