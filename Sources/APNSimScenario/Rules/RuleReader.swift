import APNSimCore

/// Reads one rule, or one entry of `faults`.
struct RuleReader {
  /// What the mapping of what is looked at is called: `when` or `where`.
  let matchKey: String
  /// For messages: `a rule`.
  let subject: String

  /// Whether it can do nothing but make something go wrong.
  private let isOfFaults: Bool

  /// - Parameter isOfFaults: nil for what the name says: `where` is that of an entry of `faults`.
  init(matchKey: String, subject: String, isOfFaults: Bool? = nil) {
    self.matchKey = matchKey
    self.subject = subject
    self.isOfFaults = isOfFaults ?? (matchKey == "where")
  }

  func read(_ item: Value, _ draft: ScenarioDraft?) -> Rule? {
    let actions = isOfFaults ? ["fault"] : ["reply", "fault", "proceed"]
    let keys = ["name", matchKey] + actions + ["times", "after", "every", "probability", "state"]
    guard let fields = Fields(item, of: subject, keys: keys) else { return nil }
    let state = fields["state"].flatMap { Self.stateChange($0) }
    let matchFields = fields[matchKey].flatMap {
      Fields($0, of: "\"\(matchKey)\"", keys: RuleMatchReader.keys)
    }
    var match = RuleMatch()
    match.listener = .gateway
    if let matchFields { match = RuleMatchReader.read(matchFields, draft) }
    if let probability = fields["probability"] { match.probability = probability.probability() }
    let action = action(fields, hasState: state != nil)
    let times = fields["times"].flatMap { $0.integer("times", 1...Int(Int32.max)) }
    let after = fields["after"].flatMap { $0.integer("after") } ?? 0
    let every = fields["every"].flatMap { $0.integer("every", 1...Int(Int32.max)) } ?? 1
    guard let action else { return nil }
    if let matchFields { check(matchFields, action) }
    if matchFields?["listener"] == nil { match.listener = Self.listener(of: action) }
    return Rule(
      name: fields["name"].flatMap { $0.text("a name") } ?? "",
      when: match,
      times: times,
      after: after,
      every: every,
      state: state,
      action: action
    )
  }

  private func action(_ fields: Fields, hasState: Bool) -> Rule.Action? {
    let given = ["reply", "fault", "proceed"].compactMap { name in fields[name].map { (name, $0) } }
    if let (name, second) = given.dropFirst().first {
      second.report("\(subject) does one thing: \"\(given[0].0)\" or \"\(name)\", not both")
      return nil
    }
    switch given.first {
    case ("reply", let value)?: return ReplyReader.read(value).map { .reply($0) }
    case ("fault", let value)?: return FaultReader.read(value)
    case (_, let value)?:
      if let proceeds = value.flag("proceed"), !proceeds { value.mismatch("true for proceed") }
      return .proceed
    case nil:
      if hasState, !isOfFaults { return .proceed }
      fields.value.report(
        isOfFaults
          ? "a fault needs the key \"fault\""
          : "\(subject) needs \"reply\" or \"fault\" (or \"proceed: true\" to let pass what it matches)"
      )
      return nil
    }
  }

  /// The listener that is meant when none is named.
  static func listener(of action: Rule.Action) -> Listener {
    switch action {
    case .fault(.feedbackHoldOpen), .fault(.feedbackTruncate), .fault(.feedbackKeep): .feedback
    case .reply, .fault, .proceed: .gateway
    }
  }

  /// Reports what a rule looks at although it cannot know it yet when it decides.
  private func check(_ match: Fields, _ action: Rule.Action) {
    guard case .fault(let fault) = action, fault.isOfConnection else { return }
    var unknown = RuleMatchReader.ofNotification
    var moment = "when a connection opens"
    if case .acceptDelay = fault {
      unknown += ["topic", "environment"]
      moment = "before the handshake"
    }
    for key in unknown {
      guard let value = match[key] else { continue }
      value.report("\"\(fault.name)\" is decided \(moment), when \"\(key)\" is not known yet")
    }
  }

  private static func stateChange(_ value: Value) -> Rule.StateChange? {
    guard let fields = Fields(value, of: "a state", keys: ["requires", "becomes"]) else { return nil }
    let requires = fields["requires"].flatMap { $0.text("the name of a state") }
    let becomes = fields["becomes"].flatMap { $0.text("the name of a state") }
    guard requires != nil || becomes != nil else {
      value.report("a state needs \"requires\", \"becomes\" or both")
      return nil
    }
    return Rule.StateChange(requires: requires, becomes: becomes)
  }
}
