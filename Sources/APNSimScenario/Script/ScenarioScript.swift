package import APNSimCore

/// A whole scenario file: the situation, the traffic in it, and the checks.
///
/// The core plays `scenario` by itself. The rest needs somebody who acts as the providers: a `ScenarioRunner` without a
/// network, or `apnsim scenario run --listen` with one.
package struct ScenarioScript: Sendable {
  package var scenario = Scenario()
  /// The scenario's description, one line for people.
  package var summary = ""
  /// The providers' steps, in the order of time.
  package var traffic: [TrafficStep] = []
  /// The owner of each connection of `traffic`, by the connection's name.
  package var providers: [String: TrafficProvider] = [:]
  /// The checks, each at its moment or at the end, in the order of the file.
  package var checks: [ScriptCheck] = []
  /// The end of the run; nil is `rest` after the last thing that happens.
  package var until: TimeSpan?

  package init() {}

  /// The time that a run goes on after the last step, so that what is on its way arrives.
  package static let rest = TimeSpan.minutes(1)

  /// The end of the run, in simulated time from its start.
  package var duration: TimeSpan {
    if let until { return until }
    let moments = traffic.map(\.at) + scenario.timeline.map(\.at) + checks.compactMap(\.at)
    return TimeSpan(milliseconds: (moments.max() ?? .zero).milliseconds) + Self.rest
  }

  /// Descriptions of everything in the file that lies after the end of the run: none of it happens, which is a failure.
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
