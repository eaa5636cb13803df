import Testing

@testable import APNSimProvider

@Suite struct `A latency histogram` {
  private static func histogram(_ microseconds: some Sequence<Int>) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for time in microseconds { histogram.add(.microseconds(time)) }
    return histogram
  }

  @Test func `percentiles are at most one part in 32 too high, and never beyond the greatest`() {
    let histogram = Self.histogram((1...100_000).lazy.map { $0 * 7 % 100_003 })
    for permille in [1, 10, 500, 900, 990, 999] {
      let exact = permille * 100
      let found = histogram.percentile(permille)
      #expect(found >= exact && found <= exact + exact / 32 + 1, "\(permille): \(found)")
    }
    #expect(histogram.percentile(1000) == 100_002 && histogram.greatest == 100_002)
    #expect(histogram.least == 1 && (49_900...50_100).contains(histogram.mean))
  }

  @Test(arguments: [0, 1, 31, 32, 33, 63, 64, 1023, 1024, 65_535, 1 << 35])
  func `a latency histogram has a place for every duration`(microseconds: Int) {
    let histogram = Self.histogram([microseconds])
    #expect(histogram.percentile(500) == microseconds && histogram.mean == microseconds)
  }

  @Test func `a latency histogram counts what is longer than a day, and less than nothing, without harm`() {
    var histogram = Self.histogram([])
    histogram.add(.seconds(Int64.max))
    histogram.add(.seconds(-5))
    #expect(histogram.count == 2 && histogram.least == 0 && histogram.greatest == 1 << 35)
  }

  @Test func `a latency histogram of parts is that of the whole`() {
    var sum = LatencyHistogram()
    for part in 0..<4 { sum.add(Self.histogram(stride(from: part, to: 1000, by: 4))) }
    sum.add(LatencyHistogram())
    #expect(sum == Self.histogram(0..<1000))
    #expect(LatencyHistogram().percentile(500) == 0)
  }
}
