import CProcessor

/// The bytes of the history, notifications as sent and payloads: they go in at the end and leave from the
/// beginning, a block at a time.
///
/// A position is the number of bytes ever given out before it. A run of bytes never straddles two blocks, so it can
/// be read in place.
struct ByteArena: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// Blocks before this index of `blocks` are gone.
  private var head = 0
  /// The number, since the beginning, of the block at `head`.
  private var headNumber: UInt64 = 0
  private var spare: [UnsafeMutableRawPointer] = []
  private(set) var end: UInt64 = 0

  static var blockSize: Int { 256 * 1024 }

  init() {}

  deinit {
    for block in blocks[head...] { block.deallocate() }
    for block in spare { block.deallocate() }
  }

  /// Bytes of memory held for blocks in use.
  var residentBytes: Int { (blocks.count - head) * Self.blockSize }

  /// Copies bytes in and returns their position. Runs longer than a block are cut to one.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = min(bytes.count, Self.blockSize)
    let blockSize = UInt64(Self.blockSize)
    let room = blockSize - end % blockSize
    if room < UInt64(count) {
      // Room that stays free is written down with the rest, and is the same in every run.
      place(end)?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(room))
      end += room
    }
    let position = end
    let number = Int(position / blockSize - headNumber) + head
    if number == blocks.count {
      blocks.append(
        spare.popLast() ?? .allocate(byteCount: Self.blockSize, alignment: 64)
      )
    }
    if let base = bytes.baseAddress {
      (blocks[number] + Int(position % blockSize)).copyMemory(from: base, byteCount: count)
    }
    end += UInt64(count)
    return position
  }

  /// Asks for the memory of bytes to come: those from so many after the end, where their block is there already.
  @inline(__always)
  func prefetch(_ count: Int, ahead: Int) {
    guard let place = place(end &+ UInt64(ahead)) else { return }
    for offset in stride(from: 0, to: count, by: 64) { apnsim_prefetch(place + offset) }
  }

  /// The bytes at a position that `append` returned and `release` has not passed. They end with their block, whatever
  /// the count that was read back with them says.
  func bytes(at position: UInt64, count: Int) -> UnsafeRawBufferPointer {
    guard let place = place(position) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let room = Self.blockSize - Int(position % UInt64(Self.blockSize))
    return UnsafeRawBufferPointer(start: place, count: min(count, room))
  }

  /// The address of a position; nil where its block has been let go of, or is not there yet.
  @inline(__always)
  private func place(_ position: UInt64) -> UnsafeMutableRawPointer? {
    let blockSize = UInt64(Self.blockSize)
    let number = position / blockSize
    guard number >= headNumber, Int(number - headNumber) + head < blocks.count else { return nil }
    return blocks[Int(number - headNumber) + head] + Int(position % blockSize)
  }

  /// Lets go of every block that lies wholly before `position`.
  mutating func release(before position: UInt64) {
    let wanted = min(position, end) / UInt64(Self.blockSize)
    while headNumber < wanted, head < blocks.count {
      if spare.count < 2 { spare.append(blocks[head]) } else { blocks[head].deallocate() }
      head += 1
      headNumber += 1
    }
    if head > 64, head * 2 > blocks.count {
      blocks.removeFirst(head)
      head = 0
    }
  }
}

/// The bytes of the blocks that are there, up to the end.
extension ByteArena: Kept {
  func write(to state: inout StateWriter) {
    var left = Int(end - headNumber * UInt64(Self.blockSize))
    state.reserve(left + 32)
    state.write(raw: end)
    state.write(raw: headNumber)
    // Their number decides when the history makes room: the last one may be there without a byte in it.
    state.write(raw: UInt64(blocks.count - head))
    for block in blocks[head...] {
      let used = min(left, Self.blockSize)
      state.append(UnsafeRawBufferPointer(start: block, count: used))
      left -= used
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let end = try state.raw(UInt64.self)
    let headNumber = try state.raw(UInt64.self)
    let blockCount = try state.raw(UInt64.self)
    let blockSize = UInt64(Self.blockSize)
    let (start, isTooFar) = headNumber.multipliedReportingOverflow(by: blockSize)
    guard !isTooFar, start <= end, end <= UInt64(Int64.max) else {
      throw state.error("bytes from block \(headNumber) were expected, and they end at \(end)")
    }
    let needed = (end - start + blockSize - 1) / blockSize
    guard blockCount == needed || end % blockSize == 0 && blockCount == needed + 1 else {
      throw state.error("\(needed) blocks were expected, and \(blockCount) found")
    }
    let bytes = try state.take(Int(end - start))
    self.init()
    for number in 0..<Int(blockCount) {
      let block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 64)
      let range = min(number * Self.blockSize, bytes.count)..<min((number + 1) * Self.blockSize, bytes.count)
      if let source = bytes.baseAddress, !range.isEmpty {
        block.copyMemory(from: source + range.lowerBound, byteCount: range.count)
      }
      blocks.append(block)
    }
    self.end = end
    self.headNumber = headNumber
  }
}
