internal import NIOCore

/// What waits to be written to a recording: full blocks, oldest first, and the one that is being filled.
struct JournalQueue {
  /// What is to be written.
  enum Part {
    case full
    case everything
  }

  /// A block to write, and how far it is filled.
  struct Portion {
    var block: JournalBlock
    var count: Int
    var isFull: Bool { count == JournalBlock.byteCount }
    /// How many full blocks wait behind it.
    var behind: Int
  }

  private var full: CircularBuffer<JournalBlock> = []
  private var current: JournalBlock?
  private var count = 0
  /// Written blocks; the one that was written last is still in the processor's caches.
  private var spare: [JournalBlock] = []
  /// Blocks that are somewhere, being written included.
  private var inUse = 0
  private let limit: Int

  /// - Parameter limit: bytes that may wait.
  init(limit: Int) { self.limit = max(1, limit / JournalBlock.byteCount) }

  /// Takes all of the bytes, or none when there is no room; an empty queue takes any number.
  /// - Returns: how many blocks became full; nil when there was no room.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let room =
      (current == nil ? 0 : JournalBlock.byteCount - count) + (limit - inUse) * JournalBlock.byteCount
    guard bytes.count <= room || inUse == 0 else { return nil }
    var rest = bytes[...]
    var filled = 0
    while !rest.isEmpty {
      let block = current ?? take()
      let taken = block.append(rest, after: count)
      rest = rest.dropFirst(taken)
      count += taken
      current = block
      guard count == JournalBlock.byteCount else { continue }
      full.append(block)
      (current, count, filled) = (nil, 0, filled + 1)
    }
    return filled
  }

  /// Hands out the oldest full block, which is to come back; with none left, where everything is wanted, the block
  /// that goes on being filled. One question, so that this one cannot become full in between.
  mutating func take(_ part: Part) -> Portion? {
    if let block = full.popFirst() {
      return Portion(block: block, count: JournalBlock.byteCount, behind: full.count)
    }
    guard part == .everything, let current else { return nil }
    return Portion(block: current, count: count, behind: 0)
  }

  /// A full block is written.
  mutating func giveBack(_ block: JournalBlock) {
    inUse -= 1
    if spare.count < 4 { spare.append(block) }
  }

  private mutating func take() -> JournalBlock {
    inUse += 1
    return spare.popLast() ?? JournalBlock()
  }
}
