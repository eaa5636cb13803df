import APNSimCapture
package import APNSimCore

/// One direction of a TCP connection, reassembled from its segments.
///
/// Segments may come late, early, twice and overlapping. The first copy of a byte wins, as in receivers that already
/// passed it to their application when the second came. Missing bytes are a piece of their own, and the stream goes on
/// after it.
package struct HalfStream: Sendable {
  /// A piece of the stream, in stream order.
  package enum Piece: Hashable, Sendable {
    case bytes(ArraySlice<UInt8>, of: Origin)
    /// A number of bytes was sent and is not in the capture; the origin is that of the bytes after them.
    case missing(Int, of: Origin?)
  }

  /// The time and acknowledgement of a piece's packet.
  package struct Origin: Hashable, Sendable {
    package var time: Timestamp
    /// The sender's acknowledgement of the other direction at that time.
    package var acknowledgement: UInt32?
  }

  /// Bytes that arrived before earlier ones; `bytes` is nil where a snap length cut them off.
  private struct Held {
    var offset: Int64
    var count: Int64
    var bytes: ArraySlice<UInt8>?
    var origin: Origin
    var end: Int64 { offset + count }
  }

  /// The sequence number of the next byte to come out; nil before the first packet of this direction.
  private var next: UInt32?
  /// The number of bytes that came out or were given up.
  private(set) var position: Int64 = 0
  private var held: [Held] = []
  private var heldBytes = 0
  /// The end of the stream, once its FIN was seen.
  private var end: Int64?
  /// The position up to which the other side has acknowledged.
  private var acknowledged: Int64 = 0
  /// The first and latest acknowledgement by the other side before the first packet of this direction.
  private var early: (first: UInt32, last: UInt32)?
  /// The position of this side's reset.
  private var resetOffset: Int64?
  private var waited = 0
  /// The time since when the other side has acknowledged what is missing here.
  private var missedSince: Timestamp?
  /// Bytes that came again.
  package private(set) var repeatedBytes = 0

  package init() {}

  package var hasStarted: Bool { next != nil }

  /// Everything up to the FIN has come out.
  package var isFinished: Bool { end.map { position >= $0 } ?? false }

  package var hasFIN: Bool { end != nil }

  /// The sequence number that the stream began with, as its SYN gave it.
  private(set) var initialSequence: UInt32?

  /// True where nothing has come out, and nothing waits.
  var isEmpty: Bool { position == 0 && held.isEmpty }

  /// True where a SYN with that number can be the one that began this direction.
  func hasBegun(after sequence: UInt32) -> Bool {
    guard let next, initialSequence == nil else { return true }
    let begin = next &- UInt32(truncatingIfNeeded: position)
    return (0...Self.resetReach).contains(Self.distance(sequence &+ 1, begin))
  }

  /// True for a segment so far from the expected position that no receiver would have taken it: farther than any window
  /// in use reaches, and than a capture loses in one go. A reset has to stand closer: a receiver takes one inside its
  /// window (RFC 5961, section 3.2), and its sender may lag behind what it sent.
  package func isStray(_ segment: TCPSegment) -> Bool {
    guard !segment.flags.contains(.syn) else { return false }
    let isReset = segment.flags.contains(.rst)
    guard let next else {
      guard isReset, let early else { return false }
      return abs(Self.distance(early.last, segment.sequence)) > Self.resetReach
    }
    let offset = position + Self.distance(next, segment.sequence)
    // Bytes before the beginning belong to an earlier connection.
    if isReset, let initialSequence, position < 1 << 30, Self.distance(initialSequence, segment.sequence) < 0
    {
      return true
    }
    guard isReset else {
      return offset > max(position, acknowledged) + Self.farthest || offset < position - Self.farthest
    }
    let known = max(position, acknowledged, held.last?.end ?? 0)
    return offset > known + Self.resetReach || offset < min(position, acknowledged) - Self.resetReach
  }

  private static let farthest: Int64 = 64 << 20
  private static let resetReach: Int64 = 256 << 10

  /// The distance from `from` to `to`; negative where `to` stands before it.
  private static func distance(_ from: UInt32, _ to: UInt32) -> Int64 { Int64(Int32(bitPattern: to &- from)) }

  /// Takes a segment of this direction and appends the released pieces to `pieces`.
  package mutating func receive(_ segment: TCPSegment, _ limits: StreamLimits, into pieces: inout [Piece]) {
    var sequence = segment.sequence
    if segment.flags.contains(.syn) {
      if next == nil { initialSequence = sequence }
      sequence &+= 1
    }
    let offset = place(sequence, isSYN: segment.flags.contains(.syn))
    let length = Int64(segment.payload.count) + Int64(segment.cutOff)
    if segment.flags.contains(.fin), end == nil, offset + length >= position { end = offset + length }
    let cut = offset + Int64(segment.payload.count)
    let origin = Origin(
      time: segment.time,
      acknowledgement: segment.flags.contains(.ack) ? segment.acknowledgement : nil
    )
    insert(offset, Int64(segment.payload.count), segment.payload, of: origin, into: &pieces)
    insert(cut, Int64(segment.cutOff), nil, of: origin, into: &pieces)
    release(into: &pieces)
    while heldBytes > limits.heldBytes || held.count > limits.heldSegments { skip(into: &pieces) }
  }

  /// Takes an acknowledgement that the other side sent for this direction.
  package mutating func acknowledge(_ number: UInt32) {
    guard let next else {
      early = (first: early?.first ?? number, last: number)
      return
    }
    let ahead = Self.distance(next, number)
    // No window is larger than 1 GiB (RFC 7323, section 2.3).
    if ahead <= 1 << 30 { acknowledged = max(acknowledged, position + ahead) }
  }

  /// Takes the acknowledgement of the other side's reset, unless it is out of any window.
  package mutating func acknowledge(inReset number: UInt32) {
    guard let next, Self.distance(next, number) <= Self.farthest else { return }
    acknowledge(number)
  }

  /// Takes a reset of this direction, whose sequence number is its sender's position.
  package mutating func reset(at sequence: UInt32) {
    // Nothing was sent in this direction and nothing acknowledged: a refused connection.
    guard next != nil || early != nil else { return }
    resetOffset = place(sequence, isSYN: false)
  }

  /// The position of a sequence number in the stream. The first one of this direction is its beginning, unless the
  /// other side had acknowledged less before: the bytes between were sent and are not in the capture.
  private mutating func place(_ sequence: UInt32, isSYN: Bool) -> Int64 {
    if let next { return position + Self.distance(next, sequence) }
    var start = sequence
    if let early {
      // A SYN gives the beginning of the stream; a much older acknowledgement belongs to another connection.
      if !isSYN, (0...Self.farthest).contains(Self.distance(early.first, sequence)) { start = early.first }
      let ahead = Self.distance(start, early.last)
      if ahead <= Self.farthest { acknowledged = max(acknowledged, position + ahead) }
    }
    next = start
    early = nil
    return position + Self.distance(start, sequence)
  }

  /// Sets the beginning of the stream, as the other side's SYN acknowledged it.
  package mutating func begin(at sequence: UInt32) {
    guard next == nil else { return }
    next = sequence
    initialSequence = sequence &- 1
  }

  /// True where an acknowledgement is ahead of what has come out; a possible FIN does not count.
  /// - Parameter count: the bytes that came out and wait.
  func isBehind(_ acknowledgement: UInt32, waiting count: Int) -> Bool {
    guard let next else { return false }
    let ahead = Self.distance(next, acknowledgement)
    return ahead <= 1 << 30 && ahead + Int64(count) > 1
  }

  /// Counts another packet of the connection: bytes that were acknowledged a while ago and never seen are given up.
  package mutating func wait(_ limits: StreamLimits, until time: Timestamp, into pieces: inout [Piece]) {
    guard let first = held.first, acknowledged > position else {
      (waited, missedSince) = (0, nil)
      return
    }
    waited += 1
    let since = missedSince ?? time
    missedSince = since
    guard waited > limits.patience || time - since > limits.swapped, acknowledged >= first.offset else {
      return
    }
    skip(into: &pieces)
  }

  /// Gives up everything that is still missing, at the end of the connection or of the capture.
  /// - Parameter otherHasEnded: true where the other direction has its FIN.
  package mutating func finish(otherHasEnded: Bool, into pieces: inout [Piece]) {
    while !held.isEmpty { skip(into: &pieces) }
    // A FIN counts as one byte in its acknowledgement. Where it was not captured it is inferred: from a single
    // acknowledged byte more than was seen, or from the end of the other direction. A side that resets the connection
    // seldom sends a FIN before, and its reset stands after all that it sent.
    let hasReset = resetOffset.map { $0 >= acknowledged } ?? false
    let hasUnseenFIN = !hasReset && acknowledged > position && (otherHasEnded || acknowledged - position == 1)
    let sent = max(acknowledged, resetOffset ?? 0)
    let known = end ?? (hasUnseenFIN ? acknowledged - 1 : sent)
    giveUp(to: known, of: nil, into: &pieces)
  }

  private mutating func insert(
    _ offset: Int64,
    _ count: Int64,
    _ bytes: ArraySlice<UInt8>?,
    of origin: Origin,
    into pieces: inout [Piece]
  ) {
    guard count > 0 else { return }
    var start = offset
    let end = offset + count
    if start < position {
      repeatedBytes += Int(min(end, position) - start)
      start = min(end, position)
    }
    if held.isEmpty, start == position, start < end {
      comeOut(bytes.map { $0.dropFirst(Int(start - offset)) }, end - start, of: origin, into: &pieces)
      return
    }
    var index = held.partitioningIndex { $0.end > start }
    while start < end {
      if index < held.count, held[index].offset <= start {
        let covered = min(end, held[index].end)
        repeatedBytes += Int(covered - start)
        start = covered
        index += 1
        continue
      }
      let free = index < held.count ? min(end, held[index].offset) : end
      // A copy of its own: the packet's bytes belong to a much larger buffer.
      let copy = bytes.map { bytes in
        ArraySlice(Array(bytes.dropFirst(Int(start - offset)).prefix(Int(free - start))))
      }
      held.insert(Held(offset: start, count: free - start, bytes: copy, origin: origin), at: index)
      heldBytes += copy?.count ?? 0
      start = free
      index += 1
    }
  }

  private mutating func comeOut(
    _ bytes: ArraySlice<UInt8>?,
    _ count: Int64,
    of origin: Origin?,
    into pieces: inout [Piece]
  ) {
    position += count
    next = next.map { $0 &+ UInt32(truncatingIfNeeded: count) }
    (waited, missedSince) = (0, nil)
    if let bytes, let origin {
      pieces.append(.bytes(bytes, of: origin))
    } else if case .missing(let before, let first) = pieces.last {
      pieces[pieces.count - 1] = .missing(before + Int(count), of: first ?? origin)
    } else {
      pieces.append(.missing(Int(count), of: origin))
    }
  }

  private mutating func release(into pieces: inout [Piece]) {
    var released = 0
    while released < held.count, held[released].offset <= position {
      comeOut(held[released].bytes, held[released].count, of: held[released].origin, into: &pieces)
      heldBytes -= held[released].bytes?.count ?? 0
      released += 1
    }
    held.removeFirst(released)
  }

  /// Gives up what is missing in front of the first held segment.
  private mutating func skip(into pieces: inout [Piece]) {
    guard let first = held.first else { return }
    giveUp(to: first.offset, of: first.origin, into: &pieces)
    release(into: &pieces)
  }

  private mutating func giveUp(to offset: Int64, of origin: Origin?, into pieces: inout [Piece]) {
    if offset > position { comeOut(nil, offset - position, of: origin, into: &pieces) }
  }
}
