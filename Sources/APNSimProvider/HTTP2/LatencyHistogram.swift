/// Counts durations, so that their percentiles can be told; of a fixed size, however many there are.
///
/// Up to 32 microseconds each one has a bucket of its own; from there on each power of two has 32, so that a percentile is
/// at most one part in 32 too high.
package struct LatencyHistogram: Sendable, Equatable {
  private var buckets = [UInt64](repeating: 0, count: (highestPower - shift + 2) * width)
  package private(set) var count: UInt64 = 0
  /// The least, the greatest and the sum of all, in microseconds.
  package private(set) var least = 0
  package private(set) var greatest = 0
  private var sum = 0.0

  /// The buckets of a power of two, and their number's logarithm.
  private static let width = 1 << shift
  private static let shift = 5
  /// Longer ones, from nine hours on, count as that long.
  private static let highestPower = 35

  package init() {}

  package mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let whole = max(0, min(seconds, 1 << 16)) * 1_000_000
    let microseconds = min(Int(whole + max(0, attoseconds) / 1_000_000_000_000), 1 << Self.highestPower)
    buckets[Self.place(of: microseconds)] += 1
    least = count == 0 ? microseconds : min(least, microseconds)
    greatest = max(greatest, microseconds)
    count += 1
    sum += Double(microseconds)
  }

  package mutating func add(_ other: LatencyHistogram) {
    guard other.count > 0 else { return }
    least = count == 0 ? other.least : min(least, other.least)
    greatest = max(greatest, other.greatest)
    for (place, number) in other.buckets.enumerated() where number > 0 { buckets[place] += number }
    count += other.count
    sum += other.sum
  }

  /// The mean in microseconds; 0 of none.
  package var mean: Int { count == 0 ? 0 : Int((sum / Double(count)).rounded()) }

  /// The duration, in microseconds, that so many of a thousand do not exceed; 0 of none.
  package func percentile(_ permille: Int) -> Int {
    let wanted = (count * UInt64(clamping: permille) + 999) / 1000
    var seen: UInt64 = 0
    for (place, number) in buckets.enumerated() where number > 0 {
      seen += number
      if seen >= wanted { return max(least, min(greatest, Self.highest(of: place))) }
    }
    return greatest
  }

  private static func place(of microseconds: Int) -> Int {
    guard microseconds >= width else { return microseconds }
    let scale = Int.bitWidth - 1 - microseconds.leadingZeroBitCount - shift
    return scale * width + microseconds >> scale
  }

  /// The highest duration of a bucket.
  private static func highest(of place: Int) -> Int {
    guard place >= width else { return place }
    let scale = place / width - 1
    return (place % width + width + 1) << scale - 1
  }
}
