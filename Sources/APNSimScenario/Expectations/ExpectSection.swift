internal import APNSimCore

/// `expect:`, what must be so in the end.
enum ExpectSection: ScenarioSection {
  static let key = "expect"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for check in ExpectationReader.readAll(value, &draft) {
      if case .simulator(let expectation) = check.subject { draft.scenario.expectations.append(expectation) }
      draft.script.checks.append(check)
    }
  }
}
