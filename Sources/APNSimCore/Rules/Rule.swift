/// One line of a script: where it matches, something else than usual happens. The first match wins.
public struct Rule: Hashable, Sendable {
  package var name: String
  package var when: RuleMatch
  /// The number of times it fires; nil is without end.
  package var times: Int?
  /// The number of matches that pass by before the first one fires.
  package var after: Int
  /// Of the matches that follow, the first of every so many fires.
  package var every: Int
  package var state: StateChange?
  package var action: Action

  package enum Action: Hashable, Sendable {
    /// An error response, as the binary interface has it; a request gets its counterpart.
    case reply(Reply)
    /// An answer, as HTTP/2 has it; a frame gets its counterpart.
    case answer(ScriptedAnswer)
    case fault(Fault)
    /// Nothing unusual: shields what it matches from the rules after it and from magic tokens.
    case proceed

    /// The listeners on whose connections it can do something.
    package var listeners: [Listener] {
      if case .fault(let fault) = self { fault.listeners } else { [.gateway, .http2] }
    }

    /// The listeners that are meant where none is named: both interfaces, but for what only the feedback service can do.
    package var usualDoor: RuleMatch.Door { listeners.first == .feedback ? .feedback : .interfaces }

    /// The number of times it happens where none is given.
    package var usualTimes: Int? { if case .fault(let fault) = self { fault.kind.times } else { nil } }
  }

  /// A rule that only fires in a state of the script, and moves it on.
  package struct StateChange: Hashable, Sendable {
    package var requires: String?
    package var becomes: String?

    package init(requires: String? = nil, becomes: String? = nil) {
      self.requires = requires
      self.becomes = becomes
    }
  }

  package init(
    name: String = "",
    when: RuleMatch = RuleMatch(),
    times: Int? = nil,
    after: Int = 0,
    every: Int = 1,
    state: StateChange? = nil,
    action: Action
  ) {
    self.name = name
    self.when = when
    self.times = times
    self.after = after
    self.every = every
    self.state = state
    self.action = action
  }
}
