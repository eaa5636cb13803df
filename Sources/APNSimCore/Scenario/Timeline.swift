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

/// A command of a timeline that could not be carried out.
package struct TimelineFailure: Hashable, Sendable, CustomStringConvertible {
  package let time: Timestamp
  package let reason: String

  package var description: String { "timeline at \(time): \(reason)" }
}

/// A scenario's timeline, and what has come of it so far.
struct Timeline {
  let entries: [TimelineEntry]
  /// The expectations that have been looked at, in order.
  private(set) var results: [Expectation.Result] = []
  /// The commands that could not be carried out, in order.
  private(set) var failures: [TimelineFailure] = []

  init(_ entries: [TimelineEntry]) { self.entries = entries }

  mutating func note(_ result: Expectation.Result) { results.append(result) }

  mutating func note(_ failure: TimelineFailure) { failures.append(failure) }
}

extension TimelineFailure: KeptByMembers {
  static let members = Members(Self.init, \.time, \.reason)
}

// The entries are the scenario's; a result says at which of them its expectation stands.
extension Timeline {
  func write(to state: inout StateWriter) {
    var places: [Expectation: Int] = [:]
    if !results.isEmpty {
      for (place, entry) in entries.enumerated() {
        if case .expect(let expectation) = entry.action, places[expectation] == nil {
          places[expectation] = place
        }
      }
    }
    let known = results.compactMap { result in
      places[result.expectation].map { (place: $0, result: result) }
    }
    state.write(count: known.count)
    for (place, result) in known {
      place.write(to: &state)
      result.isSatisfied.write(to: &state)
      result.found.write(to: &state)
      result.missed.write(to: &state)
      result.time.write(to: &state)
      result.nearMisses.write(to: &state)
    }
    failures.write(to: &state)
  }

  /// - Parameter entries: those of the scenario.
  init(reading state: inout StateReader, entries: [TimelineEntry]) throws(StateError) {
    self.init(entries)
    for _ in 0..<(try state.count()) {
      let place = try state.raw(Int.self)
      guard entries.indices.contains(place), case .expect(let expectation) = entries[place].action else {
        throw state.error("the timeline expects nothing at its entry \(place)")
      }
      results.append(
        try Expectation.Result(
          expectation: expectation,
          isSatisfied: state.read(),
          found: state.read(),
          missed: state.read(),
          time: state.read(),
          nearMisses: state.read()
        )
      )
    }
    failures = try state.read()
  }
}
