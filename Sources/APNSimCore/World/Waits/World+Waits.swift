/// Holding notifications against the waits.
extension World {
  /// Holds the notifications from a number on, which have just come, against all waits.
  @inline(__always)
  mutating func noteArrivals(from number: UInt64) {
    if !waits.isEmpty { holdAgainstWaits(from: number) }
  }

  @inline(never)
  private mutating func holdAgainstWaits(from number: UInt64) {
    let oldest = history.notifications.first
    let arrivals = max(number, oldest)..<history.notifications.end
    for wait in waits.waits {
      waits.countEvaluations(arrivals.count)
      var hasChanged = false
      wait.query.forEachMatch(arrivals, in: self) { if wait.count($0, oldest: oldest) { hasChanged = true } }
      if hasChanged { waits.report(wait) }
    }
  }

  /// Holds an earlier notification, whose outcome has changed, against the waits that ask for outcomes.
  @inline(never)
  mutating func noteOutcome(of number: UInt64) {
    guard history.notifications.contains(number) else { return }
    for wait in waits.waits where wait.isAboutOutcomes {
      waits.countEvaluations(1)
      guard wait.query.matches(history.notifications[number], in: self),
        wait.count(number, oldest: history.notifications.first)
      else { continue }
      waits.report(wait)
    }
  }

  /// Looks at some of the notifications that came before a wait; returns where to go on, nil at the end.
  mutating func lookBack(_ wait: Wait, from number: UInt64, before end: UInt64) -> UInt64? {
    let wanted = max(number, wait.first)
    wait.miss(history.missing(from: wanted, before: end))
    let oldest = history.notifications.first
    let start = min(max(wanted, oldest), end)
    let part = wait.query.stretch(start..<end, in: self)
    let stop = part.upperBound
    var hasChanged = false
    if start < stop {
      wait.query.forEachMatch(part, in: self) {
        if wait.count($0, oldest: oldest) { hasChanged = true }
      }
    }
    if stop >= end {
      wait.complete()
      hasChanged = true
    }
    if hasChanged { waits.report(wait) }
    return stop >= end ? nil : stop
  }

  /// Counts as missed what came before a wait and has not been looked at.
  mutating func stopLookingBack(_ wait: Wait, from number: UInt64, before end: UInt64) {
    let wanted = max(number, wait.first)
    let kept = max(wanted, history.notifications.first)
    wait.miss(history.missing(from: wanted, before: end) + (end > kept ? end - kept : 0))
    wait.complete()
    waits.report(wait)
  }
}
