package import APNSimCore

/// The result of a run: every expectation with what was found, and each connection as its provider observed it.
package struct ScenarioReport: Sendable {
  package var name: String
  package var seed: UInt64
  package var start: Timestamp
  package var end: Timestamp
  /// The results, in the order of judging.
  package var outcomes: [ScenarioOutcome]
  /// The connections, in the order of their first steps.
  package var connections: [ObservedConnection]
  /// Steps of the timeline or the traffic that could not be carried out, because they name something that is not there.
  package var failures: [String]

  package init(
    name: String,
    seed: UInt64,
    start: Timestamp,
    end: Timestamp,
    outcomes: [ScenarioOutcome],
    connections: [ObservedConnection],
    failures: [String]
  ) {
    self.name = name
    self.seed = seed
    self.start = start
    self.end = end
    self.outcomes = outcomes
    self.connections = connections
    self.failures = failures
  }

  /// True where every step was carried out and every expectation holds.
  package var isSatisfied: Bool { failures.isEmpty && outcomes.allSatisfy(\.isSatisfied) }
}

/// One expectation and what was found.
package struct ScenarioOutcome: Hashable, Sendable {
  /// The expectation's text, with its place in the file: `line 33: inbox of bob`.
  package var text: String
  package var isSatisfied: Bool
  package var expected: String
  package var found: String
  package var time: Timestamp
  /// The notifications that came nearest; empty where the expectation holds.
  package var nearMisses: [NearMiss]

  package struct NearMiss: Hashable, Sendable {
    /// The notification, or the connection's name.
    package var id: String
    package var differences: [Difference]
  }

  package struct Difference: Hashable, Sendable {
    package var path: String
    package var expected: String
    package var actual: String
  }
}

extension ScenarioOutcome {
  package init(_ result: Expectation.Result) {
    text = result.expectation.text
    isSatisfied = result.isSatisfied
    expected = result.expectation.count.description
    found = result.missed > 0 ? "\(result.found), \(Self.explanation(of: result))" : "\(result.found)"
    time = result.time
    nearMisses = result.nearMisses.map { miss in
      NearMiss(
        id: miss.id,
        differences: miss.differences.map { difference in
          Difference(
            path: difference.path,
            expected: difference.expected,
            actual: difference.found
          )
        }
      )
    }
  }

  /// A note that there may have been more than were found.
  private static func explanation(of result: Expectation.Result) -> String {
    // The devices of earlier deliveries are not kept either.
    let anybody = if case .inbox = result.expectation.subject { ", to this device or others," } else { "" }
    return "and \(result.missed) earlier ones\(anybody) are no longer kept (keep)"
  }
}
