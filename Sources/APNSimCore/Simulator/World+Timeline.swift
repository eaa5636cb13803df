/// Following the timeline.
extension World {
  /// Lets the timeline's entries be due at their moments.
  mutating func scheduleTimeline() {
    for (index, entry) in timeline.entries.enumerated() {
      schedule(.timeline(index: UInt32(truncatingIfNeeded: index)), at: setup.start + entry.at)
    }
  }

  /// Follows one entry of the timeline. A command that cannot be carried out is an event, not a failure of anything else.
  mutating func follow(_ index: UInt32) {
    switch timeline.entries[Int(index)].action {
    case .expect(let expectation): check(expectation)
    case .perform(let command):
      do throws(CommandError) { try perform(command) } catch {
        timeline.note(TimelineFailure(time: now, reason: error.description))
        emit(.timelineFailed(error.description))
      }
    }
  }
}
