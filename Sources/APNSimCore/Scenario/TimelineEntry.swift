/// Something a scenario does, or looks at, after so much simulated time.
package struct TimelineEntry: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case perform(Command)
    case expect(Expectation)
  }

  package var at: TimeSpan
  package var action: Action

  package init(at: TimeSpan, action: Action) {
    self.at = at
    self.action = action
  }
}
