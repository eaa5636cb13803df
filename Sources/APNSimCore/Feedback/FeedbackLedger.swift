import APNSimWire
import DequeModule

/// One app's feedback list: who no longer has the app, in the order it was found out.
///
/// It is kept as the very bytes the feedback service sends, in blocks of one TLS record, so that handing out a million
/// tuples is handing out blocks, which the history shares. A device's token stands in it once, with the time of its
/// latest refusal; scripted tuples stand as they were given. "The feedback service's list is cleared after you read
/// it" (Binary Provider API, 2018): `take` removes what it returns.
struct FeedbackLedger {
  /// Whole tuples, as many as one TLS record holds.
  private struct Block {
    /// The lasting position of its first byte: the bytes that were ever before it.
    var start: UInt64
    var bytes: [UInt8] = []
    var count = 0

    var end: UInt64 { start + UInt64(bytes.count) }

    func lengthOfTuple(at offset: Int) -> Int {
      FeedbackTuple.headerByteCount + Int(bytes[offset + 4]) << 8 + Int(bytes[offset + 5])
    }

    /// The offset of the first tuple that does not begin before a lasting position; the end if none does.
    func beginning(from position: UInt64) -> Int {
      var offset = 0
      while offset < bytes.count, start + UInt64(offset) < position { offset += lengthOfTuple(at: offset) }
      return offset
    }
  }

  private static let blockByteCount = 16_384

  private var blocks: Deque<Block> = []
  /// The lasting position of the oldest tuple; it is in the first block.
  private var head: UInt64 = 0
  /// The lasting position after the last tuple.
  private(set) var end: UInt64 = 0
  private(set) var count = 0
  /// As many tuples stand in it, one at least.
  var limit: Int
  /// Devices' tuples have 38 bytes; scripted ones may have up to 65,541.
  private var byteLimit: UInt64 { UInt64(limit) * 128 }

  init(limit: Int) { self.limit = limit }

  /// Appends a tuple, dropping the oldest beyond the limits, and returns its lasting position.
  @discardableResult
  mutating func append(_ tuple: FeedbackTuple) -> UInt64 {
    let length = FeedbackTuple.headerByteCount + tuple.token.count
    while count > 0, count >= limit || end - head + UInt64(length) > byteLimit { dropOldest() }
    let position = end
    let room = Self.blockByteCount - FeedbackTuple.headerByteCount - tuple.token.count
    if blocks.last.map({ $0.bytes.count > room }) ?? true {
      var block = Block(start: end)
      // A list that fills one block fills more.
      if !blocks.isEmpty { block.bytes.reserveCapacity(Self.blockByteCount) }
      blocks.append(block)
    }
    let last = blocks.count - 1
    tuple.encode(into: &blocks[last].bytes)
    blocks[last].count += 1
    end = blocks[last].end
    count += 1
    return position
  }

  /// True if the tuple at a lasting position is still in the list.
  func contains(position: UInt64) -> Bool { position >= head && position < end }

  /// Renews the timestamp of the tuple at a lasting position; false when it was handed out meanwhile.
  mutating func renew(position: UInt64, timestamp: UInt32) -> Bool {
    guard contains(position: position) else { return false }
    let index = block(at: position)
    let offset = Int(position - blocks[index].start)
    for place in 0..<4 {
      blocks[index].bytes[offset + place] = UInt8(truncatingIfNeeded: timestamp >> UInt32(24 - 8 * place))
    }
    return true
  }

  /// Takes whole tuples, at least one if there is any: as many as fit, up to the end of a block.
  ///
  /// With a cursor (a list that is kept) nothing is removed: the tuples after it are returned and it moves on.
  mutating func take(
    maximumBytes: Int,
    from cursor: UnsafeMutablePointer<UInt64>?
  ) -> (bytes: [UInt8], count: Int) {
    let start = max(head, cursor?.pointee ?? head)
    cursor?.pointee = start
    guard start < end else { return ([], 0) }
    let (bytes, taken) = Self.tuples(of: blocks[block(at: start)], from: start, maximumBytes: maximumBytes)
    if let cursor {
      cursor.pointee = start + UInt64(bytes.count)
    } else {
      remove(bytes.count, count: taken)
    }
    return (bytes, taken)
  }

  private static func tuples(
    of block: Block,
    from start: UInt64,
    maximumBytes: Int
  ) -> (bytes: [UInt8], count: Int) {
    let first = Int(start - block.start)
    if first == 0, block.bytes.count <= maximumBytes { return (block.bytes, block.count) }
    var offset = first
    var count = 0
    while offset < block.bytes.count {
      let length = block.lengthOfTuple(at: offset)
      if offset > first, offset + length - first > maximumBytes { break }
      offset += length
      count += 1
    }
    return (Array(block.bytes[first..<offset]), count)
  }

  private mutating func dropOldest() {
    guard let first = blocks.first else { return }
    remove(first.lengthOfTuple(at: Int(head - first.start)), count: 1)
  }

  private mutating func remove(_ byteCount: Int, count: Int) {
    head += UInt64(byteCount)
    self.count -= count
    while let first = blocks.first, first.end <= head { blocks.removeFirst() }
  }

  /// The index of the block that has a lasting position of the list.
  private func block(at position: UInt64) -> Int {
    var low = 0
    var high = blocks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].start <= position { low = middle } else { high = middle }
    }
    return low
  }

  /// Lets lasting positions begin where an older list's ended, so that no reader's place in that one fits here.
  mutating func begin(after older: FeedbackLedger) {
    head += older.end
    end += older.end
    for index in blocks.indices { blocks[index].start += older.end }
  }

  /// The list as it stands.
  var tuples: [FeedbackTuple] { tuples(from: 0, most: .max).tuples }

  /// The oldest of the list from a lasting position on, which may be any number, and where to go on; nil at the end.
  func tuples(from position: UInt64, most: Int) -> (tuples: [FeedbackTuple], next: UInt64?) {
    var found: [FeedbackTuple] = []
    found.reserveCapacity(min(count, most))
    var next = max(head, position)
    while found.count < most, next < end {
      let block = blocks[block(at: next)]
      block.bytes.withUnsafeBytes { buffer in
        var offset = block.beginning(from: next)
        while found.count < most, let (tuple, end) = FeedbackTuple.decode(buffer, from: offset) {
          found.append(tuple)
          offset = end
        }
        next = found.count < most ? block.end : block.start + UInt64(offset)
      }
    }
    return (found, next < end ? next : nil)
  }

  mutating func removeAll() {
    head = end
    blocks = []
    count = 0
  }
}

extension FeedbackLedger: KeptByMembers {
  /// Positions are below it: so many bytes never wait, and sums of a few such numbers fit.
  private static let endOfPositions: UInt64 = 1 << 60

  static let members = Members(checked: Self.init, \.head, \.end, \.bytes)

  private var bytes: [[UInt8]] { blocks.map(\.bytes) }

  private init(_ state: StateReader, _ head: UInt64, _ end: UInt64, _ blocks: [[UInt8]]) throws(StateError) {
    self.init(limit: 1)
    (self.head, self.end) = (head, end)
    guard head <= end, end < Self.endOfPositions else {
      throw state.error("a feedback list was expected, and one from \(head) to \(end) found")
    }
    var length: UInt64 = 0
    for bytes in blocks {
      guard !bytes.isEmpty else { throw state.error("tuples were expected, and no bytes found") }
      self.blocks.append(Block(start: length, bytes: bytes))
      length += UInt64(bytes.count)
    }
    guard length <= end, end - length <= head, head < end || blocks.isEmpty else {
      throw state.error("a feedback list from \(head) to \(end) was expected, and \(length) bytes found")
    }
    for index in blocks.indices {
      self.blocks[index].start += end - length
      guard let counted = Self.countTuples(of: self.blocks[index], from: head) else {
        throw state.error("whole tuples of a feedback list were expected")
      }
      self.blocks[index].count = counted.all
      count += counted.listed
    }
    guard let first = self.blocks.first else {
      guard head == end else { throw state.error("a feedback list from \(head) to \(end) was expected") }
      return
    }
    guard head < first.end, first.start + UInt64(first.beginning(from: head)) == head else {
      throw state.error("a feedback list from \(head) was expected, where no tuple begins")
    }
  }

  /// The tuples, and those of them that do not begin before a lasting position; nil where one is not whole.
  private static func countTuples(of block: Block, from position: UInt64) -> (all: Int, listed: Int)? {
    block.bytes.withUnsafeBytes { buffer in
      var (offset, all, listed) = (0, 0, 0)
      while offset < buffer.count {
        guard buffer.count - offset >= FeedbackTuple.headerByteCount else { return nil }
        if block.start + UInt64(offset) >= position { listed += 1 }
        offset += FeedbackTuple.headerByteCount + Int(buffer[offset + 4]) << 8 + Int(buffer[offset + 5])
        all += 1
      }
      return offset == buffer.count ? (all, listed) : nil
    }
  }
}
