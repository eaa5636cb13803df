import APNSimCore

/// Reads one rule, or one entry of `faults`.
struct RuleReader {
  /// The names that the mapping of conditions may have: `when`, `where`.
  let matchKeys: [String]
  /// For messages: `a rule`.
  let subject: String
  /// True for an entry of `faults`, whose only action is a fault.
  let isOfFaults: Bool
  let noun: Noun

  /// The entries of `rules`, and those of `faults`.
  static let ofRules = RuleReader(matchKeys: ["when"], subject: "a rule")
  /// A rule that is added to a running simulator, whose devices need not be there yet.
  static let ofCommands = RuleReader(matchKeys: ["where", "when"], subject: "a fault")
  static let ofFaults = RuleReader(matchKeys: ["where"], subject: "a fault", isOfFaults: true)

  init(matchKeys: [String], subject: String, isOfFaults: Bool = false) {
    (self.matchKeys, self.subject, self.isOfFaults) = (matchKeys, subject, isOfFaults)
    let match = matchKeys.map {
      Noun.Row($0, .mapping(RuleMatchReader.noun), "What it is for: all of it must match.")
    }
    let fault = Noun.Row("fault", FaultReader.kind, "What goes wrong.")
    let actions = [
      Noun.Row(
        "reply",
        ReplyReader.kind,
        "The answer, written for one interface; the other has its nearest counterpart."
      ),
      fault, Noun.Row("proceed", .yes, "Nothing unusual happens, and no later rule is asked."),
    ]
    noun = Noun(
      isOfFaults ? "faultRule" : "rule",
      subject,
      isOfFaults
        ? "A rule with a fault. These are tried after all the rules."
        : "What happens to what matches. The first rule that matches decides.",
      rows: [Noun.Row("name", .text, "A name for reports.")] + match + (isOfFaults ? [fault] : actions)
        + Self.bounds,
      terms: (isOfFaults
        ? [.some(["fault"])]
        : [.atMostOne(Self.actionKeys), .some(Self.actionKeys + ["state"])])
        + matchKeys.flatMap { Self.terms(on: $0, isOfFaults: isOfFaults) }
    )
  }

  /// The keys of which a rule has one at most.
  private static let actionKeys = ["reply", "fault", "proceed"]
  private static let bounds = [
    Noun.Row("times", .positive, "It fires at most so often."),
    Noun.Row("after", .count, "It lets so many matches pass first."),
    Noun.Row("every", .positive, "Then it fires at the first of every so many."),
    Noun.Row("probability", .probability, "The share of those that match, drawn from the seed."),
    Noun.Row("state", .mapping(stateNoun), "The named state in which it holds, and the one that follows it."),
  ]
  private static let stateNoun = Noun(
    "stateChange",
    "a state",
    "The named state in which a rule holds, and the one that follows it.",
    rows: [
      Noun.Row("requires", .text, "It holds in this state only."),
      Noun.Row("becomes", .text, "After it, the state is this."),
    ],
    terms: [.some(["requires", "becomes"])]
  )

  /// The terms of the conditions at a key together with the action.
  private static func terms(on match: String, isOfFaults: Bool) -> [Noun.Term] {
    let reply = Noun.Term.never([
      .given("reply"), .value(match, .having(["listener"], .word(Listener.feedback.rawValue))),
    ])
    return [.never([.given("probability"), .value(match, .having(["probability"], .json))])]
      + (isOfFaults ? [] : [reply]) + FaultReader.terms(on: match)
  }

  func read(_ item: Value, _ draft: ScenarioDraft?) -> Rule? {
    guard let fields = Fields(item, of: noun) else { return nil }
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
    var times = fields.integer("times")
    // An outage is over after a while, and comes again only where a number says so.
    if fields["times"] == nil { times = action?.usualTimes }
    let after = fields.integer("after") ?? 0
    let every = fields.integer("every") ?? 1
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
      fields[key].flatMap { Fields($0, of: RuleMatchReader.noun, as: "\"\(key)\"") }
    }
  }

  private func action(_ fields: Fields, hasState: Bool, isOfRequests: Bool) -> Rule.Action? {
    let names = noun.keys.filter { Self.actionKeys.contains($0) }
    let given = names.compactMap { name in fields[name].map { (name, $0) } }
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
    guard let fields = Fields(value, of: stateNoun) else { return nil }
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
