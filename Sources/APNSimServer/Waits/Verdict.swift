import APNSimCore

/// The verdict on a wait: whether its condition holds, and whether that can still change.
///
/// A count without an upper bound is reached once and for all. One with an upper bound, `exactly` and `never` among
/// them, is decided at the time-out only, or after enough quiet; it fails at once when there are too many.
struct Verdict {
  private let count: CountTest
  private let quietFor: Duration?
  private var matched = 0
  private var isComplete = false
  /// True if the notifications before the wait could be searched, as far as it matters.
  private var isKnown = true
  private var version = -1
  /// The time of the last match.
  private var last: ContinuousClock.Instant

  init(_ count: CountTest, quietFor: Duration?, _ start: ContinuousClock.Instant) {
    self.count = count
    self.quietFor = quietFor
    last = start
  }

  mutating func update(_ progress: Wait.Progress, at now: ContinuousClock.Instant) {
    guard progress.version > version else { return }
    if progress.matched != matched { last = now }
    version = progress.version
    matched = progress.matched
    isComplete = progress.isComplete
    isKnown = count.isKnown(missing: progress.missed)
  }

  /// The time at which it will have been quiet for long enough; nil if that is not required.
  var quietAt: ContinuousClock.Instant? { quietFor.map { last + $0 } }

  private var isTooMany: Bool { count.atMost.map { matched > $0 } ?? false }

  func isFinal(at now: ContinuousClock.Instant) -> Bool {
    if isTooMany { return true }
    if isComplete, !isKnown { return true }
    guard isComplete, count.holds(for: matched) else { return false }
    if let quietAt { return now >= quietAt }
    return count.atMost == nil
  }

  /// - Parameter isOver: true once the time-out has passed.
  func isSatisfied(at now: ContinuousClock.Instant, isOver: Bool) -> Bool {
    guard isComplete, isKnown, count.holds(for: matched) else { return false }
    if let quietAt { return now >= quietAt }
    return count.atMost == nil || isOver
  }
}
