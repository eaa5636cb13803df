/// A growing row of small fixed-size records, addressed by index and freed by it.
///
/// Records live in blocks that never move, so a million of them neither double nor copy themselves while growing,
/// and reading one is two loads. Freed places are used again, last freed first, which keeps a run reproducible.
struct Slab<Record: BitwiseCopyable>: ~Copyable {
  private var blocks: [UnsafeMutablePointer<Record>] = []
  private var free: [UInt32] = []
  /// Places ever used; every index below it is addressable.
  private(set) var count: UInt32 = 0

  fileprivate static var blockShift: UInt32 { 10 }
  fileprivate static var blockMask: UInt32 { (1 << blockShift) - 1 }

  init() {}

  deinit {
    for block in blocks { UnsafeMutableRawPointer(block).deallocate() }
  }

  /// Puts a record into a free place and returns its index; nil when 32 bits of index are used up.
  mutating func insert(_ record: Record) -> UInt32? {
    if let index = free.popLast() {
      self[index] = record
      return index
    }
    guard count < UInt32.max - 1 else { return nil }
    if count & Self.blockMask == 0 { blocks.append(Self.makeBlock()) }
    let index = count
    count += 1
    pointer(index).initialize(to: record)
    return index
  }

  /// Asks for the memory of a record that will be read soon.
  @inline(__always)
  func prefetch(_ index: UInt32) { pointer(index).prefetch() }

  /// Records of 64 bytes lie in one cache line each.
  private static func makeBlock() -> UnsafeMutablePointer<Record> {
    let byteCount = MemoryLayout<Record>.stride << Int(blockShift)
    return UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
      .bindMemory(to: Record.self, capacity: 1 << Int(blockShift))
  }

  /// Gives a place back. The caller forgets the index.
  mutating func remove(_ index: UInt32) { free.append(index) }

  subscript(index: UInt32) -> Record {
    _read { yield pointer(index).pointee }
    _modify { yield &pointer(index).pointee }
  }

  /// The records as they are now, for reading while something else is being changed.
  struct Rows {
    fileprivate let blocks: [UnsafeMutablePointer<Record>]

    subscript(index: UInt32) -> Record {
      blocks[Int(index >> Slab.blockShift)][Int(index & Slab.blockMask)]
    }
  }

  var rows: Rows { Rows(blocks: blocks) }

  @inline(__always)
  private func pointer(_ index: UInt32) -> UnsafeMutablePointer<Record> {
    blocks[Int(index >> Self.blockShift)] + Int(index & Self.blockMask)
  }
}

/// The records as they lie, those of free places too, and the free places in the order in which they were freed.
extension Slab: Kept {
  func write(to state: inout StateWriter) {
    let stride = MemoryLayout<Record>.stride
    state.reserve(Int(count) * stride + free.count * 4 + 32)
    state.write(count: Int(count))
    state.write(raw: UInt32(stride))
    var left = Int(count)
    for block in blocks where left > 0 {
      let used = min(left, 1 << Int(Self.blockShift))
      state.append(UnsafeRawBufferPointer(start: block, count: used * stride))
      left -= used
    }
    free.withUnsafeBufferPointer { state.write(rows: $0) }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let records = try state.rows(Record.self)
    guard let count = UInt32(exactly: records.count), count < UInt32.max else {
      throw state.error("there cannot be \(records.count) places")
    }
    let free = try Self.freePlaces(of: count, &state)
    self.init()
    let blockSize = 1 << Int(Self.blockShift)
    for start in stride(from: 0, to: records.count, by: blockSize) {
      let block = Self.makeBlock()
      records.copy(start..<min(start + blockSize, records.count), to: block)
      blocks.append(block)
    }
    self.free = free
    self.count = count
  }

  /// Reads which places are free, each of them once: a place that is given out twice would be two records' own.
  private static func freePlaces(
    of count: UInt32,
    _ state: inout StateReader
  ) throws(StateError) -> [UInt32] {
    let free = [UInt32](try state.rows(UInt32.self))
    guard !free.isEmpty else { return free }
    var isFree = [Bool](repeating: false, count: Int(count))
    for place in free {
      guard place < count, !isFree[Int(place)] else {
        throw state.error("\(place) of \(count) places was expected to be free, and once")
      }
      isFree[Int(place)] = true
    }
    return free
  }
}
