/// Telling waits what they wait for.
extension World {
  /// Notifications from a number on have come.
  @inline(__always)
  mutating func noteArrivals(from number: UInt64) {
    if !waits.isEmpty { holdAgainstWaits(from: number) }
  }

  @inline(never)
  private mutating func holdAgainstWaits(from number: UInt64) {
    let oldest = history.notifications.first
    let arrivals = max(number, oldest)..<history.notifications.end
    for wait in waits.waits {
      waits.evaluations &+= UInt64(arrivals.count)
      var hasChanged = false
      wait.query.forEachMatch(arrivals, in: self) { if wait.count($0, oldest: oldest) { hasChanged = true } }
      if hasChanged { waits.noteChange(of: wait) }
    }
  }

  /// A notification that had come before has become something else.
  @inline(never)
  mutating func noteOutcome(of number: UInt64) {
    guard history.notifications.contains(number) else { return }
    for wait in waits.waits where wait.isAboutOutcomes {
      waits.evaluations &+= 1
      guard wait.query.matches(history.notifications[number], in: self),
        wait.count(number, oldest: history.notifications.first)
      else { continue }
      waits.noteChange(of: wait)
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
    if hasChanged { waits.noteChange(of: wait) }
    return stop >= end ? nil : stop
  }

  /// What came before a wait and has not been looked at counts as missed.
  mutating func stopLookingBack(_ wait: Wait, from number: UInt64, before end: UInt64) {
    let wanted = max(number, wait.first)
    let kept = max(wanted, history.notifications.first)
    wait.miss(history.missing(from: wanted, before: end) + (end > kept ? end - kept : 0))
    wait.complete()
    waits.noteChange(of: wait)
  }

  /// The waits go on in a new beginning, with nothing counted.
  mutating func carryOnWaits(from older: borrowing World) {
    waits = older.waits
    for wait in waits.waits {
      wait.beginAnew(from: history.notifications.end)
      waits.noteChange(of: wait)
    }
  }

  mutating func remove(_ wait: Wait) { waits.waits.removeAll { $0 === wait } }

  mutating func add(_ wait: Wait) { waits.waits.append(wait) }
}
