/// One line of a script: when something matches, something else than usual happens. The first match wins.
public struct Rule: Hashable, Sendable {
  package var name: String
  package var when: RuleMatch
  /// How often it fires; nil is without end.
  package var times: Int?
  /// How many matches pass by before the first one fires.
  package var after: Int
  /// Of the matches that follow, the first of every so many fires.
  package var every: Int
  package var state: StateChange?
  package var action: Action

  package enum Action: Hashable, Sendable {
    case reply(Reply)
    case fault(Fault)
    /// Nothing unusual: shields what it matches from the rules behind it and from magic tokens.
    case proceed

    /// On whose connections it can do something, the one that is meant where none is named first.
    package var listeners: [Listener] {
      if case .fault(let fault) = self { fault.listeners } else { [.gateway] }
    }
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
