/// The pushes of a plan that a connection left: the peer did not process them, so nothing comes twice if they are sent
/// again (RFC 9113, sections 6.8 and 8.7).
package struct UntakenPushes: Sendable, Equatable {
  /// The numbers of those that were written: above the last stream of GOAWAY, or refused.
  package private(set) var written: [Int] = []
  /// The numbers of those that were not.
  private(set) var unwritten: [Int] = []

  package var count: Int { written.count + unwritten.count }

  static func isUntaken(_ outcome: RequestOutcome) -> Bool {
    switch outcome {
    case .refused, .goneAway, .notSent: true
    case .answered, .reset, .unanswered: false
    }
  }

  mutating func note(_ outcome: RequestOutcome, of index: Int, number: Int) {
    switch outcome {
    case .refused, .goneAway: written += index..<index + number
    case .notSent: unwritten += index..<index + number
    case .answered, .reset, .unanswered: break
    }
  }

  /// The number in the plan of the push of that number among these, those written before coming first.
  func place(of index: Int) -> Int {
    index < written.count ? written[index] : unwritten[index - written.count]
  }

  /// In the order of the plan.
  func sorted() -> UntakenPushes {
    var pushes = self
    pushes.written.sort()
    pushes.unwritten.sort()
    return pushes
  }

  /// The same pushes by their numbers in the plan that `plan` are the pushes of.
  func placed(by plan: UntakenPushes) -> UntakenPushes {
    var pushes = UntakenPushes()
    pushes.written = written.map { plan.place(of: $0) }
    pushes.unwritten = unwritten.map { plan.place(of: $0) }
    return pushes
  }
}
