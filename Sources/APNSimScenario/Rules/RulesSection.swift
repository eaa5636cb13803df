import APNSimCore

/// `rules:`, the script: of the rules that match, the first one decides.
enum RulesSection: ScenarioSection {
  static let key = "rules"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list of rules, such as [{ when: { nth: 3 }, reply: { status: 8 } }]") ?? [] {
      guard let rule = RuleReader(matchKeys: ["when"], subject: "a rule").read(item, draft) else { continue }
      draft.scenario.rules.append(rule)
    }
  }
}

/// `faults:`, rules whose only action is a fault: `when` is called `where` here. They come after the rules.
enum FaultsSection: ScenarioSection {
  static let key = "faults"
  private static let reader = RuleReader(matchKeys: ["where"], subject: "a fault", isOfFaults: true)

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list of faults, such as [{ fault: swallow, where: { nth: 3 } }]") ?? [] {
      if item.scalar != nil {
        guard let action = FaultReader.read(item) else { continue }
        var rule = Rule(action: action)
        rule.when.listener = action.usualDoor
        if case .fault(.unavailable) = action { rule.times = 1 }
        draft.scenario.rules.append(rule)
      } else if let rule = Self.reader.read(item, draft) {
        draft.scenario.rules.append(rule)
      }
    }
  }
}

/// `state: degraded`, the state in which the rules begin.
enum StateSection: ScenarioSection {
  static let key = "state"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let state = value.text("the name of the state that the rules start in") {
      draft.scenario.state = state
    }
  }
}
