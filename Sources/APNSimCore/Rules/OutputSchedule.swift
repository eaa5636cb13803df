/// Turns what a connection writes into pieces with times, where faults cut it (`slice`) and delay it (`latency`,
/// `jitter`).
///
/// ```text
/// write ──▶ `latency`, and a drawn time, later ──▶ pieces of `pieceSize` bytes, `pause` apart ──▶ peer
/// ```
///
/// A pause follows every piece, also the last one of a write, and is only noticed by a later piece. The end of the
/// connection follows the last piece without a pause and without a drawn time. The listener asks for the time of each
/// write, and keeps it, the pieces and the pauses with timers, because its peer may read slowly. The scenario runner and
/// the replay, which have no network, take whole pieces from here.
package struct OutputSchedule: Hashable, Sendable {
  /// The most bytes of a piece, each a TLS record of its own; nil where a write leaves whole.
  package let pieceSize: Int?
  /// The simulated time from a piece to the next.
  package let pause: TimeSpan
  /// The simulated time by which every write, and the end, comes later.
  package let latency: TimeSpan
  private let jitter: ConnectionPlan.Jitter?
  /// The connection's own generator of times.
  private var random: SeededGenerator
  private var lastArrival: Timestamp?

  package init(_ plan: ConnectionPlan) {
    pieceSize = plan.sliceBytes.map { max(1, $0) }
    pause = pieceSize == nil ? .zero : max(.zero, plan.slicePause)
    latency = max(.zero, plan.latency ?? .zero)
    jitter = plan.jitter
    random = SeededGenerator(seed: plan.jitter?.seed ?? 0)
  }

  /// Part of a write, with its time.
  package struct Piece: Hashable, Sendable {
    /// The bytes of the write, counted from its first.
    package var range: Range<Int>
    package var arrival: Timestamp
  }

  /// True where a write arrives whole and at once.
  package var isImmediate: Bool { pieceSize == nil && !isDelayed }

  /// True where something may arrive later than it leaves.
  package var isDelayed: Bool { latency > .zero || jitter != nil }

  /// The simulated time that the next write is on its way; to be asked once for each write of some bytes. Nothing
  /// arrives before what left earlier.
  package mutating func nextDelay() -> TimeSpan {
    guard let jitter else { return latency }
    let bounds = jitter.from.milliseconds...jitter.to.milliseconds
    let drawn = Int64.random(in: bounds, using: &random)
    let (sum, overflow) = latency.milliseconds.addingReportingOverflow(drawn)
    return TimeSpan(milliseconds: overflow ? .max : sum)
  }

  /// Schedules a write of `count` bytes after all earlier ones.
  /// - Returns: its pieces in their order, made one by one because there may be very many; none for no bytes.
  package mutating func pieces(of count: Int, at now: Timestamp) -> some Sequence<Piece> {
    let count = max(0, count)
    let size = max(1, min(pieceSize ?? count, count))
    let number = count / size + (count % size > 0 ? 1 : 0)
    let (gap, delay) = (pause, number > 0 ? nextDelay() : .zero)
    let first = lastArrival.map { max(now + delay, $0 + gap) } ?? now + delay
    if number > 0 { lastArrival = first + Self.times(gap, number - 1) }
    return (0..<number).lazy.map { index in
      let start = index * size
      return Piece(range: start..<start + min(size, count - start), arrival: first + Self.times(gap, index))
    }
  }

  /// The arrival of the connection's end that is written now.
  package func endArrival(at now: Timestamp) -> Timestamp {
    max(now + latency, lastArrival ?? now)
  }

  /// Saturates, as moments do.
  private static func times(_ span: TimeSpan, _ count: Int) -> TimeSpan {
    let (product, overflow) = span.milliseconds.multipliedReportingOverflow(by: Int64(count))
    return TimeSpan(milliseconds: overflow ? .max : product)
  }
}
