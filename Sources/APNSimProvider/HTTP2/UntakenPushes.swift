/// The pushes of a plan that a connection left: the peer did not process them, so nothing comes twice if they are sent
/// again (RFC 9113, sections 6.8 and 8.7).
package struct UntakenPushes: Sendable, Equatable {
  /// The numbers of those that were written: above the last stream of GOAWAY, or refused.
  package private(set) var written: [Int] = []
  /// The numbers of those that were not, in ranges: all that is left of a plan, which may be millions.
  private(set) var unwritten: [Range<Int>] = []
  private var unwrittenCount = 0

  package var count: Int { written.count + unwrittenCount }

  static func isUntaken(_ outcome: PushFate) -> Bool {
    switch outcome {
    case .refused, .goneAway, .notSent: true
    case .answered, .reset, .unanswered: false
    }
  }

  mutating func note(_ outcome: PushFate, of index: Int, number: Int) {
    switch outcome {
    case .refused, .goneAway: written += index..<index + number
    case .notSent: add(index..<index + number)
    case .answered, .reset, .unanswered: break
    }
  }

  private mutating func add(_ range: Range<Int>) {
    unwrittenCount += range.count
    if let last = unwritten.last, last.upperBound == range.lowerBound {
      unwritten[unwritten.count - 1] = last.lowerBound..<range.upperBound
    } else if !range.isEmpty {
      unwritten.append(range)
    }
  }

  /// The number in the plan of the push of that number among these, those written before coming first.
  func place(of index: Int) -> Int {
    if index < written.count { return written[index] }
    var rest = index - written.count
    for range in unwritten {
      if rest < range.count { return range.lowerBound + rest }
      rest -= range.count
    }
    return unwritten.last?.upperBound ?? 0
  }

  /// In the order of the plan.
  func sorted() -> UntakenPushes {
    var pushes = UntakenPushes()
    pushes.written = written.sorted()
    for range in unwritten.sorted(by: { $0.lowerBound < $1.lowerBound }) { pushes.add(range) }
    return pushes
  }

  /// The same pushes by their numbers in the plan that `plan` are the pushes of.
  func placed(by plan: UntakenPushes) -> UntakenPushes {
    var pushes = UntakenPushes()
    pushes.written = written.map { plan.place(of: $0) }
    for range in unwritten { plan.eachRange(of: range) { pushes.add($0) } }
    return pushes
  }

  /// Calls `body` with the numbers in the plan of a range of these.
  private func eachRange(of range: Range<Int>, _ body: (Range<Int>) -> Void) {
    for index in range.clamped(to: 0..<written.count) { body(written[index]..<written[index] + 1) }
    var start = written.count
    for part in unwritten {
      let met = range.clamped(to: start..<start + part.count)
      let offset = part.lowerBound - start
      if !met.isEmpty { body(met.lowerBound + offset..<met.upperBound + offset) }
      start += part.count
    }
  }
}
