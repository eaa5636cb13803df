package import APNSimCore

/// Everything a scenario file says: the situation, and what is to happen in it and be found.
///
/// `scenario` is what the core plays by itself. The rest needs somebody who acts as the providers: a
/// `ScenarioRunner` without a network, or `apnsim scenario run --listen` with one.
package struct ScenarioScript: Sendable {
  package var scenario = Scenario()
  /// One line for people: what the scenario shows.
  package var summary = ""
  /// What the providers do, in the order of time.
  package var traffic: [TrafficStep] = []
  /// Who each connection of `traffic` belongs to, by its name.
  package var providers: [String: TrafficProvider] = [:]
  /// What must be so, at its moment or in the end, in the order of the file.
  package var checks: [ScriptCheck] = []
  /// When the run ends; nil is `rest` after the last thing that happens.
  package var until: TimeSpan?

  package init() {}

  /// How long a run goes on after the last step, so that what is on its way arrives.
  package static let rest = TimeSpan.minutes(1)

  /// When the run ends, in simulated time from its start.
  package var duration: TimeSpan {
    if let until { return until }
    let moments = traffic.map(\.at) + scenario.timeline.map(\.at) + checks.compactMap(\.at)
    return TimeSpan(milliseconds: (moments.max() ?? .zero).milliseconds) + Self.rest
  }

  /// What the file wants later than it says that the run ends: nothing of it happens and none of it is looked at, which
  /// is no success.
  package var unreached: [String] {
    guard let until else { return [] }
    var late: [String] = []
    for entry in scenario.timeline where entry.at > until {
      if case .expect(let expectation) = entry.action { late.append("\(expectation.text), at \(entry.at)") }
    }
    late += checks.compactMap { check in
      check.at.flatMap { $0 > until ? "\(check.text), at \($0)" : nil }
    }
    let moments = scenario.timeline.filter { if case .perform = $0.action { true } else { false } }.map(\.at)
    if let first = (moments + traffic.map(\.at)).filter({ $0 > until }).min() {
      late.append("what happens at \(first) and later")
    }
    return late.map { "\($0): the run ends earlier, at \(until)" }
  }
}

extension TimeSpan {
  /// Saturates, as moments do.
  static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let (sum, overflow) = left.milliseconds.addingReportingOverflow(right.milliseconds)
    return TimeSpan(milliseconds: overflow ? .max : sum)
  }
}
