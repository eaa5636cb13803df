/// Places from 0 that can be taken once each.
struct FreePlaces {
  /// Where to go on looking for a free place: itself for one that is free.
  private var next: [Int]

  init(_ count: Int) { next = Array(0...count) }

  /// Takes those of a range that are free, and tells of each stretch of them.
  mutating func take(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = free(from: range.lowerBound)
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, next[end] == end {
        next[end] = end + 1
        end += 1
      }
      body(start..<end)
      start = free(from: end)
    }
  }

  /// The first free place from one on, or the end.
  private mutating func free(from place: Int) -> Int {
    var end = place
    while next[end] != end { end = next[end] }
    var step = place
    while next[step] != end, step != end { (next[step], step) = (end, next[step]) }
    return end
  }
}
