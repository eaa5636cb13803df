import APNSimCore

/// `timeline:`, what happens and what is looked at as simulated time passes.
///
/// At one moment the entries follow in the order of the file, and all of them come before the traffic of that moment.
enum TimelineSection: ScenarioSection {
  static let key = "timeline"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list, such as [{ at: 10m, do: { device.online: bob } }]") ?? [] {
      guard let fields = Fields(item, of: "a timeline entry", keys: ["at", "do", "expect"]) else { continue }
      let at = fields.require("at").flatMap { $0.timeSpan("\"at\"") }
      switch (fields["do"], fields["expect"]) {
      case (let action?, nil):
        let commands = TimelineAction.read(action, &draft)
        guard let at else { continue }
        draft.scenario.timeline += commands.map { TimelineEntry(at: at, action: .perform($0)) }
      case (nil, let expected?):
        for check in ExpectationReader.readAll(expected, &draft) { add(check, at, to: &draft) }
      case (_?, let second?): second.report("a timeline entry has \"do\" or \"expect\", not both")
      case (nil, nil): item.report("a timeline entry needs \"do\" or \"expect\"")
      }
    }
  }

  /// What the core can look at by itself is its business, with any provider and on any listener.
  private static func add(_ check: ScriptCheck, _ at: TimeSpan?, to draft: inout ScenarioDraft) {
    guard let at else { return }
    if case .simulator(let expectation) = check.subject, !expectation.namesConnection {
      draft.scenario.timeline.append(TimelineEntry(at: at, action: .expect(expectation)))
    } else {
      var check = check
      check.at = at
      draft.script.checks.append(check)
    }
  }
}
