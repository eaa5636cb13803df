import APNSimCore

/// `expect:`, the expectations at the end of a run.
enum ExpectSection: ScenarioSection {
  static let row = Noun.Row("expect", ExpectationReader.list, "What is expected at the end of a run.")

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for check in ExpectationReader.readAll(value, &draft) {
      if case .simulator(let expectation) = check.subject { draft.scenario.expectations.append(expectation) }
      draft.script.checks.append(check)
    }
  }
}
