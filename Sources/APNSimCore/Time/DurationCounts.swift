/// Counts durations by bounds, as Prometheus has them in a histogram.
package struct DurationCounts: Sendable, Equatable {
  /// The highest durations of the counts, in microseconds; longer ones have a count of their own, the last.
  package static let bounds: [Int64] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000,
    5_000_000, 10_000_000, 60_000_000,
  ]
  package private(set) var counts: [UInt64]
  /// The sum of all, in microseconds.
  package private(set) var sum: UInt64

  package init() {
    self.init(counts: [UInt64](repeating: 0, count: Self.bounds.count + 1), sum: 0)
  }

  private init(counts: [UInt64], sum: UInt64) { (self.counts, self.sum) = (counts, sum) }

  /// The number of all.
  package var count: UInt64 { counts.reduce(0, &+) }

  /// Adds so many of one duration, in microseconds.
  package mutating func add(_ microseconds: Int64, count: Int = 1) {
    let place = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
    counts[place] &+= UInt64(count)
    sum &+= UInt64(max(0, microseconds)) &* UInt64(count)
  }
}

extension DurationCounts: KeptByMembers {
  static let members = Members(Self.init, \.counts, \.sum)

  func complete(_ state: StateReader) throws(StateError) {
    guard counts.count == Self.bounds.count + 1 else {
      throw state.error("\(Self.bounds.count + 1) counts were expected, and \(counts.count) found")
    }
  }
}
