/// What waits to be written to a recording: full blocks, oldest first, and the one that is being filled.
struct JournalQueue {
  /// What is to be written.
  enum Part {
    case full
    case everything
  }

  /// What there is to write, at one moment.
  struct Waiting {
    var full: [JournalBlock]
    /// The block that is being filled, and how far it was.
    var filling: JournalBlock?
    var count: Int
  }

  private var full: [JournalBlock] = []
  private var filling: JournalBlock?
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
      (filling == nil ? 0 : JournalBlock.byteCount - count) + (limit - inUse) * JournalBlock.byteCount
    guard bytes.count <= room || inUse == 0 else { return nil }
    var rest = bytes[...]
    var filled = 0
    while !rest.isEmpty {
      let block = filling ?? take()
      let taken = block.append(rest, after: count)
      rest = rest.dropFirst(taken)
      count += taken
      filling = block
      guard count == JournalBlock.byteCount else { continue }
      full.append(block)
      (filling, count, filled) = (nil, 0, filled + 1)
    }
    return filled
  }

  /// Hands out what waits. Full blocks are to come back; the other one goes on being filled behind what is told.
  mutating func waiting(_ part: Part) -> Waiting {
    defer { full = [] }
    return Waiting(full: full, filling: part == .everything ? filling : nil, count: count)
  }

  /// Blocks that are written.
  mutating func giveBack(_ blocks: [JournalBlock]) {
    inUse -= blocks.count
    for block in blocks where spare.count < 4 { spare.append(block) }
  }

  private mutating func take() -> JournalBlock {
    inUse += 1
    return spare.popLast() ?? JournalBlock()
  }
}
