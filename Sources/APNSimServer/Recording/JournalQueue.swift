import NIOCore

/// The blocks that wait to be written to a recording: full ones, oldest first, and the one that is being filled.
struct JournalQueue {
  /// The part of the queue that is to be written.
  enum Part {
    case full
    case everything
  }

  /// A block to write, and the number of bytes in it.
  struct Portion {
    var block: JournalBlock
    var count: Int
    var isFull: Bool { count == JournalBlock.byteCount }
    /// The number of full blocks that wait after it.
    var behind: Int
  }

  private var full: CircularBuffer<JournalBlock> = []
  private var current: JournalBlock?
  private var count = 0
  /// The full block that was taken and not returned yet.
  private var taken: JournalBlock?
  /// Written blocks for reuse; the last one is still in the processor's caches.
  private var spare: [JournalBlock] = []
  /// The number of blocks in use, those being written included.
  private var inUse = 0
  private let limit: Int

  /// - Parameter limit: the maximum number of waiting bytes.
  init(limit: Int) { self.limit = max(1, limit / JournalBlock.byteCount) }

  /// Appends all of the bytes, or none when there is no room. If nothing waits but the block that is being filled,
  /// there is room for any number, since waiting would not make more.
  /// - Returns: the number of blocks that became full; nil when there was no room.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let room =
      (current == nil ? 0 : JournalBlock.byteCount - count) + (limit - inUse) * JournalBlock.byteCount
    guard bytes.count <= room || inUse <= (current == nil ? 0 : 1) else { return nil }
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

  /// Takes the oldest full block, which is to be returned; without one, if everything is wanted, the block that is
  /// being filled. Both in one call, so that the latter cannot become full in between.
  mutating func take(_ part: Part) -> Portion? {
    if let block = full.popFirst() {
      taken = block
      return Portion(block: block, count: JournalBlock.byteCount, behind: full.count)
    }
    guard part == .everything, let current else { return nil }
    return Portion(block: current, count: count, behind: 0)
  }

  /// Returns a full block that is written.
  mutating func giveBack(_ block: JournalBlock) {
    inUse -= 1
    taken = nil
    if spare.count < 4 { spare.append(block) }
  }

  /// The number of lines that wait, those of the block that is being written included.
  /// - Parameter done: the number of bytes of the oldest block that are written.
  func lineCount(after done: Int) -> Int {
    var done = min(done, JournalBlock.byteCount)
    var lines = 0
    for block in [taken].compactMap({ $0 }) + Array(full) {
      lines += JournalWriter.lineCount(block.bytes(done..<JournalBlock.byteCount))
      done = 0
    }
    guard let current else { return lines }
    return lines + JournalWriter.lineCount(current.bytes(min(done, count)..<count))
  }

  private mutating func take() -> JournalBlock {
    inUse += 1
    return spare.popLast() ?? JournalBlock()
  }
}
