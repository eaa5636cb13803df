/// Turns what a connection writes into pieces with times, where faults cut it (`slice`) and delay it (`latency`,
/// `jitter`).
///
/// ```text
/// write ──▶ pieces of `pieceSize` bytes, `pause` apart ──▶ each `latency` and more later at the peer
/// ```
///
/// A pause follows every piece, also the last one of a write, and is only noticed by a later piece. The end of the
/// connection follows the last piece without a pause. The listener keeps the pieces and pauses with timers, because its
/// peer may read slowly; whoever plays without a network (scenario runner, replay) takes the times from here.
package struct OutputSchedule: Hashable, Sendable {
  /// The most bytes of a piece, each a TLS record of its own; nil where a write leaves whole.
  package let pieceSize: Int?
  /// The simulated time from the departure of a piece to that of the next.
  package let pause: TimeSpan
  /// The simulated time from departure to arrival.
  package let latency: TimeSpan
  private let jitter: ConnectionPlan.Jitter?
  /// The connection's own generator of times.
  private var random: SeededGenerator
  private var lastDeparture: Timestamp?
  private var lastArrival: Timestamp?

  package init(_ plan: ConnectionPlan) {
    pieceSize = plan.sliceBytes.map { max(1, $0) }
    pause = pieceSize == nil ? .zero : max(.zero, plan.slicePause)
    latency = max(.zero, plan.latency ?? .zero)
    jitter = plan.jitter
    random = SeededGenerator(seed: plan.jitter?.seed ?? 0)
  }

  /// Part of a write, with its times.
  package struct Piece: Hashable, Sendable {
    /// The bytes of the write, counted from its first.
    package var range: Range<Int>
    package var departure: Timestamp
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
    let first = lastDeparture.map { max(now, $0 + pause) } ?? now
    let (gap, delay) = (pause, number > 0 ? nextDelay() : .zero)
    let earliest = lastArrival ?? first
    if number > 0 {
      let last = first + Self.times(gap, number - 1)
      (lastDeparture, lastArrival) = (last, max(earliest, last + delay))
    }
    return (0..<number).lazy.map { index in
      let departure = first + Self.times(gap, index)
      let start = index * size
      return Piece(
        range: start..<start + min(size, count - start),
        departure: departure,
        arrival: max(earliest, departure + delay)
      )
    }
  }

  /// The arrival of the connection's end that is written now.
  package func endArrival(at now: Timestamp) -> Timestamp {
    let arrival = max(now, lastDeparture ?? now) + latency
    return max(arrival, lastArrival ?? arrival)
  }

  /// Saturates, as moments do.
  private static func times(_ span: TimeSpan, _ count: Int) -> TimeSpan {
    let (product, overflow) = span.milliseconds.multipliedReportingOverflow(by: Int64(count))
    return TimeSpan(milliseconds: overflow ? .max : product)
  }
}
