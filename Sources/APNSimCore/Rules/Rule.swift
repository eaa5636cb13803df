package import APNSimWire

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

extension Rule {
  /// Writes the rule as an entry of a scenario's `rules`, which reads back as the same value.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !name.isEmpty {
      writer.member("name", name)
    }
    writer.key("when")
    when.write(to: &writer)
    switch action {
    case .reply(let reply):
      writer.key("reply")
      reply.write(to: &writer)
    case .answer(let answer):
      writer.key("reply")
      answer.write(to: &writer)
    case .fault(let fault):
      writer.key("fault")
      fault.write(to: &writer)
    case .proceed:
      writer.member("proceed", true)
    }
    if let times {
      writer.member("times", times)
    }
    if after > 0 {
      writer.member("after", after)
    }
    if every != 1 {
      writer.member("every", every)
    }
    if let state {
      writer.key("state")
      writer.beginObject()
      if let requires = state.requires {
        writer.member("requires", requires)
      }
      if let becomes = state.becomes {
        writer.member("becomes", becomes)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}
