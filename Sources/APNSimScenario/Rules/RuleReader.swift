import APNSimCore

/// Reads one rule, or one entry of `faults`.
struct RuleReader {
  /// The names that the mapping of conditions may have: `when`, `where`.
  let matchKeys: [String]
  /// For messages: `a rule`.
  let subject: String
  /// True for an entry of `faults`, whose only action is a fault.
  var isOfFaults = false

  func read(_ item: Value, _ draft: ScenarioDraft?) -> Rule? {
    let actions = isOfFaults ? ["fault"] : ["reply", "fault", "proceed"]
    let keys = ["name"] + matchKeys + actions + ["times", "after", "every", "probability", "state"]
    guard let fields = Fields(item, of: subject, keys: keys) else { return nil }
    let state = fields["state"].flatMap { Self.stateChange($0) }
    let matchFields = matchFields(fields)
    var match = RuleMatch()
    if let matchFields { match = RuleMatchReader.read(matchFields, draft) }
    if let probability = fields["probability"] {
      if match.probability != nil {
        probability.report("the probability is already given among the conditions")
      }
      match.probability = probability.probability()
    }
    let isOfRequests = matchFields?["interface"]?.scalar == "http2"
    let action = action(fields, hasState: state != nil, isOfRequests: isOfRequests)
    var times = fields["times"].flatMap { $0.integer("times", 1...Int(Int32.max)) }
    // An outage is over after a while, and comes again only where a number says so.
    if fields["times"] == nil, case .fault(.unavailable)? = action { times = 1 }
    let after = fields["after"].flatMap { $0.integer("after") } ?? 0
    let every = fields["every"].flatMap { $0.integer("every", 1...Int(Int32.max)) } ?? 1
    guard let action else { return nil }
    if let matchFields { check(matchFields, action) }
    if matchFields?["listener"] == nil { match.listener = action.usualDoor }
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

  private func matchFields(_ fields: Fields) -> Fields? {
    let given = matchKeys.filter { fields[$0] != nil }
    if let second = given.dropFirst().first {
      fields[second]?.report("\"\(given[0])\" and \"\(second)\" mean the same here: give only one")
    }
    return given.first.flatMap { key in
      fields[key].flatMap { Fields($0, of: "\"\(key)\"", keys: RuleMatchReader.keys) }
    }
  }

  private func action(_ fields: Fields, hasState: Bool, isOfRequests: Bool) -> Rule.Action? {
    let given = ["reply", "fault", "proceed"].compactMap { name in fields[name].map { (name, $0) } }
    if let (name, second) = given.dropFirst().first {
      second.report("\(subject) does one thing: \"\(given[0].0)\" or \"\(name)\", not both")
      return nil
    }
    switch given.first {
    case ("reply", let value)?: return ReplyReader.read(value, isOfRequests: isOfRequests)
    case ("fault", let value)?: return FaultReader.read(value)
    case (_, let value)?:
      if let proceeds = value.flag("proceed"), !proceeds { value.mismatch("true for proceed") }
      return .proceed
    case nil:
      if hasState, !isOfFaults { return .proceed }
      fields.value.report(
        isOfFaults
          ? "a fault needs the key \"fault\""
          : "\(subject) needs \"reply\" or \"fault\" (or \"proceed: true\" to let matches pass)"
      )
      return nil
    }
  }

  /// Reports conditions that are not known yet when the rule decides, and listeners on which its action does nothing.
  private func check(_ match: Fields, _ action: Rule.Action) {
    if let value = match["listener"], let listener = value.scalar.flatMap({ Listener(rawValue: $0) }),
      !action.listeners.contains(listener)
    {
      let listeners = Enumeration.of(action.listeners.map(\.rawValue))
      value.report("\(action.title) does nothing on the \(listener) listener: expected \(listeners)")
    }
    guard case .fault(let fault) = action else { return }
    let moment = fault.moment
    for key in RuleMatchReader.unknownKeys(at: moment) {
      guard let value = match[key] else { continue }
      let decided = moment == .arrival ? "before the handshake" : "when a connection opens"
      value.report("\"\(fault.name)\" is decided \(decided), when \"\(key)\" is not known yet")
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

extension Rule.Action {
  /// For messages: `"swallow"`.
  fileprivate var title: String {
    switch self {
    case .reply, .answer: "a reply"
    case .fault(let fault): "\"\(fault.name)\""
    case .proceed: "\"proceed\""
    }
  }
}
