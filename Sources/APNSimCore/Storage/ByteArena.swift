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
    if room < UInt64(count) { end += room }
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

  /// The bytes at a position that `append` returned and `release` has not passed.
  func bytes(at position: UInt64, count: Int) -> UnsafeRawBufferPointer {
    guard let place = place(position) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: place, count: count)
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
