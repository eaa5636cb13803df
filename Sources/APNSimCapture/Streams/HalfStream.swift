package import APNSimCore

/// One direction of a TCP connection, put back together from its segments.
///
/// Segments may come late, early, twice and overlapping. The first copy of a byte wins, as in the receivers that
/// already handed it to their application when the second came. What is missing is a piece of its own, and the
/// stream goes on behind it.
package struct HalfStream: Sendable {
  /// What comes out, in stream order.
  package enum Piece: Hashable, Sendable {
    case bytes(ArraySlice<UInt8>, of: Origin)
    /// So many bytes were sent and are not in the capture; of what follows them, where something does.
    case missing(Int, of: Origin?)
  }

  /// What the packet of a piece says besides.
  package struct Origin: Hashable, Sendable {
    package var time: Timestamp
    /// What its sender had of the other direction when it said this.
    package var acknowledgement: UInt32?
  }

  /// Bytes that arrived before those in front of them; `bytes` nil where a snap length cut them off.
  private struct Held {
    var offset: Int64
    var count: Int64
    var bytes: ArraySlice<UInt8>?
    var origin: Origin
    var end: Int64 { offset + count }
  }

  /// The sequence number of the next byte to come out; nil before the first packet of this direction.
  private var next: UInt32?
  /// How many bytes have come out or were given up.
  private(set) var position: Int64 = 0
  private var held: [Held] = []
  private var heldBytes = 0
  /// Where the stream ends, once its FIN was seen.
  private var end: Int64?
  /// How far the other side says that it has everything.
  private var acknowledged: Int64 = 0
  /// What the other side acknowledged before the first packet of this direction: its first word and its latest.
  private var early: (first: UInt32, last: UInt32)?
  /// Where this side's reset stood.
  private var resetOffset: Int64?
  private var waited = 0
  /// Since when the other side says that it has what is missing here.
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

  /// Whether nothing has come out, and nothing waits.
  var isEmpty: Bool { position == 0 && held.isEmpty }

  /// Whether a SYN with that number can be the one that this direction began with, as far as is known.
  func hasBegun(behind sequence: UInt32) -> Bool {
    guard let next, initialSequence == nil else { return true }
    let begin = next &- UInt32(truncatingIfNeeded: position)
    return (0...Self.resetReach).contains(Self.distance(sequence &+ 1, begin))
  }

  /// Whether a segment stands so far from what is expected that no receiver would have taken it: farther than any
  /// window in use reaches, and than a capture loses in one go. A reset ends everything and has to stand closer: a
  /// receiver takes one inside its window (RFC 5961, section 3.2), and the sender of one may be behind what it sent.
  package func isStray(_ segment: TCPSegment) -> Bool {
    guard !segment.flags.contains(.syn) else { return false }
    let isReset = segment.flags.contains(.rst)
    guard let next else {
      guard isReset, let early else { return false }
      return abs(Self.distance(early.last, segment.sequence)) > Self.resetReach
    }
    let offset = position + Self.distance(next, segment.sequence)
    // What stands before the beginning is of an earlier connection.
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

  /// How far `to` stands behind `from`; negative where it stands before it.
  private static func distance(_ from: UInt32, _ to: UInt32) -> Int64 { Int64(Int32(bitPattern: to &- from)) }

  /// Takes a segment of this direction and appends what comes out to `pieces`.
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

  /// Takes a reset of this direction, which says how far its sender has come.
  package mutating func reset(at sequence: UInt32) {
    // Nothing was said in this direction and nothing of it acknowledged: a refused connection.
    guard next != nil || early != nil else { return }
    resetOffset = place(sequence, isSYN: false)
  }

  /// Where in the stream a sequence number stands. The first of this direction is its beginning, unless the other side
  /// had acknowledged less before it: what stands between was sent and is not in the capture.
  private mutating func place(_ sequence: UInt32, isSYN: Bool) -> Int64 {
    if let next { return position + Self.distance(next, sequence) }
    var start = sequence
    if let early {
      // A SYN says where the stream begins; an acknowledgement of long ago says nothing of it.
      if !isSYN, (0...Self.farthest).contains(Self.distance(early.first, sequence)) { start = early.first }
      let ahead = Self.distance(start, early.last)
      if ahead <= Self.farthest { acknowledged = max(acknowledged, position + ahead) }
    }
    next = start
    early = nil
    return position + Self.distance(start, sequence)
  }

  /// Says where the stream begins, as the other side's SYN acknowledged it.
  package mutating func begin(at sequence: UInt32) {
    guard next == nil else { return }
    next = sequence
    initialSequence = sequence &- 1
  }

  /// Whether somebody who acknowledges this has more than has come out; what may be a FIN does not count.
  /// - Parameter count: bytes that came out and wait.
  func isBehind(_ acknowledgement: UInt32, waiting count: Int) -> Bool {
    guard let next else { return false }
    let ahead = Self.distance(next, acknowledgement)
    return ahead <= 1 << 30 && ahead + Int64(count) > 1
  }

  /// Says that another packet of the connection has passed: what was acknowledged a while ago and never seen is given
  /// up.
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

  /// Gives up whatever is still missing: the connection is over, or the capture is.
  /// - Parameter otherHasEnded: the other direction has its FIN.
  package mutating func finish(otherHasEnded: Bool, into pieces: inout [Piece]) {
    while !held.isEmpty { skip(into: &pieces) }
    // A FIN counts as one in its acknowledgement, and where it was not captured itself only the rest tells of it: a
    // single byte more than was seen is it, and where the other direction ended, this one did. A side that resets the
    // connection sends a FIN before that seldom, and its reset stands behind all that it sent.
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
