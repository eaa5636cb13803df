internal import APNSimWire

/// One app's feedback list: who no longer has the app, in the order it was found out.
///
/// It is kept as the very bytes the feedback service sends, so that handing out a million tuples is copying. A
/// device's token stands in it once, with the time of its latest refusal; scripted tuples stand as they were given.
/// "The feedback service's list is cleared after you read it" (Binary Provider API, 2018): `take` removes what it
/// returns.
struct FeedbackLedger {
  private var bytes: [UInt8] = []
  /// Offset in `bytes` of the oldest tuple.
  private var head = 0
  /// Bytes ever removed: a tuple's lasting position is its offset plus this.
  private var removed: UInt64 = 0
  private(set) var count = 0
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// Appends a tuple, dropping the oldest beyond the limit, and returns its lasting position.
  @discardableResult
  mutating func append(_ tuple: FeedbackTuple) -> UInt64 {
    if count == limit { _ = take(maximumBytes: nextLength, from: nil) }
    let position = removed + UInt64(bytes.count)
    tuple.encode(into: &bytes)
    count += 1
    return position
  }

  /// Whether the tuple at a lasting position is still in the list.
  func contains(position: UInt64) -> Bool {
    position >= removed + UInt64(head) && position < removed + UInt64(bytes.count)
  }

  /// Renews the timestamp of the tuple at a lasting position; false when it was handed out meanwhile.
  mutating func renew(position: UInt64, timestamp: UInt32) -> Bool {
    guard position >= removed + UInt64(head), position < removed + UInt64(bytes.count) else { return false }
    let offset = Int(position - removed)
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: timestamp >> UInt32(24 - 8 * index))
    }
    return true
  }

  /// Takes as many whole tuples as fit, at least one if there is any.
  ///
  /// With a cursor (a list that is kept) nothing is removed: the tuples after it are returned and it moves on.
  mutating func take(
    maximumBytes: Int,
    from cursor: UnsafeMutablePointer<UInt64>?
  ) -> (bytes: [UInt8], count: Int) {
    var start = head
    if let cursor, cursor.pointee > removed + UInt64(head) { start = Int(cursor.pointee - removed) }
    let (end, taken) = bytes.withUnsafeBytes { Self.tuples($0, from: start, maximumBytes: maximumBytes) }
    let chunk = Array(bytes[min(start, end)..<end])
    if let cursor {
      cursor.pointee = removed + UInt64(end)
    } else {
      head = end
      count -= taken
      compact()
    }
    return (chunk, taken)
  }

  /// Where so many bytes of whole tuples end, or one if it alone has more, and how many those are.
  private static func tuples(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    maximumBytes: Int
  ) -> (end: Int, count: Int) {
    var end = start
    var count = 0
    while bytes.count - end >= FeedbackTuple.headerByteCount {
      let length = FeedbackTuple.headerByteCount + Int(bytes[end + 4]) << 8 + Int(bytes[end + 5])
      if end > start, end + length - start > maximumBytes { break }
      end += length
      count += 1
    }
    return (min(end, bytes.count), count)
  }

  /// The lasting position after the last tuple.
  var end: UInt64 { removed + UInt64(bytes.count) }

  /// Lets lasting positions begin where an older list's ended, so that no reader's place in that one fits here.
  mutating func begin(after older: FeedbackLedger) { removed += older.end }

  /// The list as it stands.
  var tuples: [FeedbackTuple] { tuples(most: .max) }

  /// The oldest of the list.
  func tuples(most: Int) -> [FeedbackTuple] {
    var found: [FeedbackTuple] = []
    found.reserveCapacity(min(count, most))
    bytes.withUnsafeBytes { buffer in
      var offset = head
      while found.count < most, let (tuple, end) = FeedbackTuple.decode(buffer, from: offset) {
        found.append(tuple)
        offset = end
      }
    }
    return found
  }

  mutating func removeAll() {
    removed += UInt64(bytes.count)
    bytes = []
    head = 0
    count = 0
  }

  private var nextLength: Int { head < bytes.count ? lengthOfTuple(at: head) : 0 }

  private func lengthOfTuple(at offset: Int) -> Int {
    FeedbackTuple.headerByteCount + Int(bytes[offset + 4]) << 8 + Int(bytes[offset + 5])
  }

  private mutating func compact() {
    if head == bytes.count {
      removeAll()
    } else if head > 1 << 20, head > bytes.count / 2 {
      bytes.removeFirst(head)
      removed += UInt64(head)
      head = 0
    }
  }
}
