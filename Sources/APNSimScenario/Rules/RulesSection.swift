import APNSimCore

/// `rules:`, the script: of the rules that match, the first one decides.
enum RulesSection: ScenarioSection {
  static let row = Noun.Row(
    "rules",
    .list(.mapping(RuleReader.ofRules.noun)),
    "What goes wrong: the first rule that matches decides. Rules come before magic tokens."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list of rules, such as [{ when: { nth: 3 }, reply: { status: 8 } }]") ?? [] {
      guard let rule = RuleReader.ofRules.read(item, draft) else { continue }
      draft.scenario.rules.append(rule)
    }
  }
}

/// `faults:`, rules whose only action is a fault: `when` is called `where` here. They come after the rules.
enum FaultsSection: ScenarioSection {
  static let row = Noun.Row(
    "faults",
    .list(.either([FaultReader.word, .mapping(RuleReader.ofFaults.noun)])),
    "Rules whose only action is a fault, in a shorter form; they come after the rules."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list of faults, such as [{ fault: swallow, where: { nth: 3 } }]") ?? [] {
      if item.scalar != nil {
        guard let action = FaultReader.read(item) else { continue }
        var rule = Rule(action: action)
        rule.when.listener = action.usualDoor
        rule.times = action.usualTimes
        draft.scenario.rules.append(rule)
      } else if let rule = RuleReader.ofFaults.read(item, draft) {
        draft.scenario.rules.append(rule)
      }
    }
  }
}

/// `state: degraded`, the state in which the rules begin.
enum StateSection: ScenarioSection {
  static let row = Noun.Row("state", .text, "The named state that the rules start in.")

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let state = value.text("the name of the state that the rules start in") {
      draft.scenario.state = state
    }
  }
}
