package import APNSimCore
import APNSimWire

/// Plays a scenario without a network: acts as its providers and as the listener between them and the core, and
/// advances the virtual clock from one event to the next.
///
/// The same script and seed give the same journal, byte for byte. A runner is used once, by one thread.
package final class ScenarioRunner: EffectOutlet, @unchecked Sendable {
  package let simulator: Simulator
  let script: ScenarioScript
  let start: Timestamp
  var queue = RunQueue()
  var providers: [String: ScriptedProvider] = [:]
  /// Names in the order of their first step.
  private var names: [String] = []
  private var outcomes: [ScenarioOutcome] = []
  var failures: [String] = []
  /// Provider tokens so far.
  var tokens: UInt64 = 0

  /// The seed of a scenario that names none, and the moment at which one without a clock begins.
  package static let defaultSeed: UInt64 = 1
  package static let defaultStart = Timestamp(seconds: 1_338_508_800)  // 2012-06-01T00:00:00Z

  /// - Parameters:
  ///   - seed: instead of the file's.
  ///   - recorder: gets the journal, from its first line.
  /// - Throws: `CommandError` for a scenario that cannot be put in place.
  package init(
    _ script: ScenarioScript,
    seed: UInt64? = nil,
    recorder: (any JournalRecorder)? = nil
  ) throws(CommandError) {
    self.script = script
    var scenario = script.scenario
    var start = Self.defaultStart
    if case .virtual(let chosen?) = scenario.clock { start = chosen }
    scenario.clock = .virtual(start: start)
    self.start = start
    simulator = try Simulator(
      configuration: script.configuration,
      scenario: scenario,
      seed: seed ?? scenario.seed ?? Self.defaultSeed,
      start: start
    )
    if let recorder { simulator.add(recorder) }
    simulator.setOutlet(self)
  }

  /// The simulated time.
  var now: Timestamp { simulator.time(at: start) }

  // MARK: The run

  /// Plays every step and judges every check.
  package func run() -> ScenarioReport {
    for check in script.checks {
      if let at = check.at { queue.add(.check(check), at: start + at) }
    }
    for step in script.traffic {
      queue.add(.step(step), at: start + step.at)
      provider(step.connection)?.stepsLeft += 1
    }
    let end = start + script.duration
    while true {
      let target = min(queue.next ?? end, end)
      if let due = simulator.nextDeadline, due <= target {
        move(to: due)
      } else if let next = queue.next, next <= end {
        move(to: next)
        if let entry = queue.take() { perform(entry.task) }
      } else {
        move(to: end)
        break
      }
    }
    return finish()
  }

  /// Advances the clock, through everything that is due.
  private func move(to moment: Timestamp) {
    let span = moment - now
    guard span > .zero else { return simulator.wake(at: start) }
    try? simulator.perform(.advanceClock(span), at: start)
  }

  private func finish() -> ScenarioReport {
    let timeline = simulator.expectationResults().map { ScenarioOutcome($0) }
    var all = timeline + outcomes
    all = all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
      \.element
    )
    all += script.checks.filter { $0.at == nil }.map { evaluate($0) }
    let report = ScenarioReport(
      name: script.scenario.name,
      seed: simulator.seed,
      start: start,
      end: now,
      outcomes: all,
      connections: names.compactMap { providers[$0].map { sight(of: $0) } },
      failures: simulator.timelineFailures().map(\.description) + failures + script.unreached
    )
    for name in names { providers[name]?.close(.peerClosed, at: start) }
    simulator.setOutlet(nil)
    return report
  }

  private func perform(_ task: RunQueue.Task) {
    switch task {
    case .check(let check): outcomes.append(evaluate(check))
    case .step(let step):
      guard let provider = provider(step.connection) else { return }
      perform(step.action, on: provider)
      provider.stepsLeft -= 1
      closeIfOver(provider)
    case .handshake(let name, let ordinal):
      guard let provider = providers[name], case .waiting(let actions) = provider.phase else { return }
      handshake(provider, ordinal: ordinal)
      for action in actions { act(action, on: provider) }
      closeIfOver(provider)
    case .arrival(let name, let bytes):
      guard let provider = providers[name] else { return }
      provider.onTheWay -= 1
      arrive(bytes, at: provider)
    case .answer(let name, let answer):
      guard let provider = providers[name] else { return }
      provider.onTheWay -= 1
      provider.sight.answers.append(answer)
    case .ending(let name, let ending):
      guard let provider = providers[name] else { return }
      provider.onTheWay -= 1
      end(provider, ending)
    case .closeAfterHandshake(let name):
      guard let provider = providers[name] else { return }
      depart(ending: .close, from: provider)
      provider.close(.simulatorClosed, at: start)
    }
  }

  private func provider(_ name: String) -> ScriptedProvider? {
    if let provider = providers[name] { return provider }
    guard let identity = script.providers[name] else { return nil }
    let provider = ScriptedProvider(name: name, provider: identity)
    providers[name] = provider
    names.append(name)
    return provider
  }

  // MARK: Looking

  private func evaluate(_ check: ScriptCheck) -> ScenarioOutcome {
    switch check.subject {
    case .simulator(let expectation):
      return ScenarioOutcome(simulator.evaluate(expectation.naming { self.providers[$0]?.sight.id }))
    case .connection(let name, let test):
      let sight = providers[name].map { self.sight(of: $0) } ?? ObservedConnection(name: name)
      return ScenarioOutcome(check.text, test, sight, isRemote: false, at: now)
    }
  }

  private func sight(of provider: ScriptedProvider) -> ObservedConnection {
    var sight = provider.sight
    sight.view = sight.id.flatMap { simulator.connection($0) }
    return sight
  }
}

extension ScenarioScript {
  /// The settings of the file, over the defaults.
  package var configuration: Configuration {
    var configuration = Configuration()
    for assignment in scenario.settings {
      // Each was checked where it was read.
      try? Setting.named(assignment.name)?.apply(assignment.text, to: &configuration)
    }
    return configuration
  }
}

extension Expectation {
  /// The same with the simulator's number instead of a name that the file gave a connection.
  package func naming(_ id: (String) -> ConnectionID?) -> Expectation {
    func renamed(_ matcher: Matcher) -> Matcher {
      switch matcher {
      case .equals(.string(let name)): id(name).map { .equals(.string($0.description)) } ?? matcher
      case .all(let matchers): .all(matchers.map(renamed))
      case .not(let matcher): .not(renamed(matcher))
      default: matcher
      }
    }
    func renamed(_ query: Query) -> Query {
      var query = query
      for index in query.conditions.indices where query.conditions[index].path == "connection" {
        query.conditions[index].matcher = renamed(query.conditions[index].matcher)
      }
      return query
    }
    var copy = self
    switch subject {
    case .notifications(let query): copy.subject = .notifications(renamed(query))
    case .inbox(let device, let query): copy.subject = .inbox(device: device, renamed(query))
    case .stored, .feedback, .badge, .activities, .ignored, .errors: break
    }
    return copy
  }
}

extension ScenarioOutcome {
  /// The result of a test of a connection.
  package init(
    _ text: String,
    _ test: ConnectionTest,
    _ sight: ObservedConnection,
    isRemote: Bool,
    at time: Timestamp
  ) {
    let differences = test.differences(from: sight, isRemote: isRemote)
    self.text = text
    isSatisfied = differences.isEmpty
    expected = test.summary
    found =
      differences.isEmpty ? "the same" : differences.map { "\($0.path) \($0.actual)" }.joined(separator: ", ")
    self.time = time
    nearMisses = differences.isEmpty ? [] : [NearMiss(id: sight.name, differences: differences)]
  }
}
