import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `Reset` {
  @Test func `clearing the history takes no line from a recording`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    try simulator.perform(.clearHistory)
    let lines = journal.text.split(separator: "\n").suffix(2)
    #expect(lines.first?.contains(#""event":"command","do":{"history.clear":"#) == true)
    #expect(lines.last?.contains(#""event":"historyCleared""#) == true)
  }

  /// Everything that a reader has not had.
  private func rest(_ reader: JournalReader) -> (lines: [UInt8], missed: UInt64, isOfClearing: Bool) {
    var rest = (lines: [UInt8](), missed: UInt64(0), isOfClearing: false)
    while true {
      let slice = reader.next()
      rest.lines += slice.lines
      rest.missed += slice.missed
      if slice.missed > 0 { rest.isOfClearing = slice.wasCleared }
      if slice.isLast { return rest }
    }
  }

  @Test(arguments: [Command.reset, .clearHistory, .replaceScenario(Scenario())])
  func `a reader of the journal has every line, whatever cleared the history`(_ command: Command) throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let (early, late) = (simulator.readJournal { _ in 1 }, simulator.readJournal { _ in 1 })
    let reader = simulator.readJournal { _ in 1 }
    let provider = try CoreProvider(samples: simulator)
    func expected() -> Substring { journal.text.drop { $0 != "\n" }.dropFirst() }
    _ = rest(early)
    var (some, lines): ([UInt8], [UInt8]) = ([], [])
    for number in UInt32(1)...20 {
      provider.send(Samples.frame(2 * number) + Samples.frame(2 * number + 1, to: Samples.offline))
      if number % 3 == 0 { lines += rest(reader).lines }
      if number % 4 == 0 { some += early.next(maxBytes: 100).lines }
      try simulator.perform(command)
    }
    lines += rest(reader).lines
    #expect(String(decoding: lines, as: UTF8.self) == expected())
    let all = rest(late)
    #expect(String(decoding: all.lines, as: UTF8.self) == expected() && all.missed == 0)
    #expect(expected().hasSuffix(String(decoding: some + rest(early).lines, as: UTF8.self)))
  }

  @Test func `a reader of what matches has it before a reset and after it`() throws {
    let simulator = try Samples.simulator()
    let condition = Query.Condition(path: "identifier", matcher: .equals(.string("00000002")))
    let reader = simulator.readJournal(matching: CompiledQuery(Query([condition]))) { $0 }
    let provider = try CoreProvider(samples: simulator)
    for _ in 1...3 {
      provider.send(Samples.frame(1) + Samples.frame(2))
      try simulator.perform(.reset)
    }
    #expect(rest(reader).lines.split(separator: 0x0A).count == 3)
  }

  @Test
  func `the journal of a reader that is far behind the beginning is saved, and the rest is told as a gap`()
    throws
  {
    let simulator = try Samples.simulator()
    let readers = (1...3).map { _ in simulator.readJournal { $0 } }
    let first = simulator.nextSeq
    let provider = try CoreProvider(samples: simulator)
    let payload = #"{"aps":{},"x":"\#(String(repeating: "x", count: 200))"}"#
    let batch = (UInt32(1)...100).flatMap { Samples.frame($0, payload: payload) }
    for _ in 1...200 { provider.send(batch) }
    try simulator.perform(.reset)
    let found = readers.map { rest($0) }
    #expect(found[0].missed == 0 && found[2].missed > 0 && found[2].isOfClearing)
    #expect(found.reduce(0) { $0 + $1.lines.count } < 20 << 20)
    for (lines, missed, _) in found {
      #expect(UInt64(lines.count { $0 == 0x0A }) + missed == simulator.nextSeq - first)
    }
  }

  @Test func `nobody reads any more who has been let go of`() throws {
    let simulator = try Samples.simulator()
    var reader: JournalReader? = simulator.readJournal { $0 }
    try simulator.perform(.reset)
    #expect(simulator.journalReaderCount == 1 && reader?.next().isLast == false)
    reader = nil
    #expect(simulator.journalReaderCount == 0)
  }

  @Test func `a reset brings the state just after start`() throws {
    let simulator = try Samples.simulator()
    let devices = simulator.devices()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1) + Samples.frame(2, to: Samples.offline))
    try simulator.perform(.setOnline(device: "alice", false))
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol")))
    try simulator.perform(.advanceClock(.hours(1)))
    try simulator.perform(.addRule(Rule(name: "all", action: .fault(.swallow))))
    try simulator.perform(.clearFeedback(nil))

    try simulator.perform(.reset)
    #expect(simulator.devices() == devices)
    #expect(simulator.notifications().isEmpty)
    #expect(simulator.inbox(of: "alice")?.notifications == [])
    #expect(simulator.stored(for: "bob") == [])
    #expect(simulator.rules().isEmpty)
    #expect(simulator.time(at: Moment.start) == Moment.start)
    #expect(simulator.pendingDeadlines == 0)
  }

  @Test func `a provider goes on over a reset, and numbers go on counting`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let frame = Samples.frame(2)
    // Half a frame is on its way while the reset comes.
    provider.send(Samples.frame(1) + frame[..<20])
    let seq = simulator.notifications()[0].seq
    try simulator.perform(.reset)
    #expect(simulator.connection(provider.connection.id)?.counts == ConnectionCounts())
    provider.send(frame[20...])
    let after = simulator.notifications()
    #expect(after.map(\.id) == ["n2"])
    #expect(after[0].seq > seq)
    #expect(after[0].outcome == .delivered)
    #expect(simulator.inbox(of: "alice")?.notifications.map(\.id) == ["n2"])
    #expect(simulator.connection(provider.connection.id)?.counts.accepted == 1)
    #expect(try CoreProvider(samples: simulator).connection.id == ConnectionID("c2"))
  }

  @Test func `after a reset the same inputs get the same tokens, outcomes and draws`() throws {
    var match = RuleMatch()
    match.probability = 0.5
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices =
      Samples.devices + [
        DeviceSpecification(name: "dora", apps: [AppSpecification(app: Samples.app)])
      ]
    scenario.rules = [Rule(when: match, action: .fault(.swallow))]
    let simulator = try Simulator(scenario: scenario, seed: 9, start: Moment.start)
    let provider = try CoreProvider(samples: simulator)
    func round() -> ([Outcome], DeviceView?) {
      provider.send((UInt32(1)...40).flatMap { Samples.frame($0) })
      return (simulator.outcomes, simulator.device("dora"))
    }
    let first = round()
    try simulator.perform(.reset)
    let second = round()
    #expect(first == second)
    #expect(Set(first.0) == [.dropped, .delivered])
  }

  @Test func `a delayed answer that is on its way leaves after a reset as well`() throws {
    let reply = Reply(status: .invalidToken, delay: .seconds(5))
    let simulator = try Samples.simulator()
    try simulator.perform(.addRule(Rule(action: .reply(reply))))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(7))
    #expect(provider.reply.isEmpty)
    try simulator.perform(.reset)
    try simulator.perform(.advanceClock(.seconds(5)))
    #expect(provider.reply == [8, 8, 0, 0, 0, 7])
  }

  @Test func `a scenario that cannot be changes nothing`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    let device = CoreDevice(simulator, named: "alice")
    device.connect(Samples.topic)
    var bad = Scenario()
    bad.devices = [
      DeviceSpecification(name: "a", apps: [AppSpecification(app: Samples.app, token: Samples.online)]),
      DeviceSpecification(name: "b", apps: [AppSpecification(app: Samples.app, token: Samples.online)]),
    ]
    #expect(throws: CommandError.tokenTaken(app: Samples.app, device: "a")) {
      try simulator.perform(.replaceScenario(bad))
    }
    #expect(simulator.devices().map(\.name) == ["alice", "bob"])
    #expect(simulator.device("alice")?.connection == device.connection.id && !device.isEnded)
    #expect(simulator.notifications().count == 1)
  }

  @Test func `a scenario that has no room for the topic of an open connection cannot be`() throws {
    let simulator = try Samples.simulator { $0.limits.apps = 3 }
    let provider = try CoreProvider(samples: simulator)
    var full = Scenario()
    full.apps = ["a", "b", "c"].map { AppKey(topic: "com.example.\($0)", environment: .production) }
    #expect(throws: CommandError.tooManyApps(limit: 3)) { try simulator.perform(.replaceScenario(full)) }
    provider.send(Samples.frame(1))
    #expect(simulator.notifications().map(\.app.topic) == [Samples.topic])
    full.apps.removeLast()
    try simulator.perform(.replaceScenario(full))
    provider.send(Samples.frame(2))
    #expect(simulator.notifications().map(\.app.topic) == [Samples.topic])
  }

  @Test func `another scenario brings its devices, rules, clock and settings`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    var next = Scenario()
    next.clock = .virtual(start: Moment.start + .days(1))
    next.settings = [SettingAssignment(name: "edition", text: "final")]
    next.devices = [
      DeviceSpecification(name: "erin", apps: [AppSpecification(app: Samples.app, token: Samples.online)])
    ]
    try simulator.perform(.replaceScenario(next))
    #expect(simulator.devices().map(\.name) == ["erin"])
    #expect(simulator.time(at: Moment.start) == Moment.start + .days(1))
    provider.send(Samples.frame(1, expiry: 0xFFFF_FFFF) + [9])
    #expect(simulator.inbox(of: "erin")?.notifications.count == 1)
    // The final edition answers an unknown command with 128.
    #expect(provider.reply.prefix(2) == [8, 128])
  }

  @Test func `a reader of a list that is kept finds the new list whole after a reset`() throws {
    let simulator = try Samples.simulator { $0.feedbackKeep = true }
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "")
    let reader = try simulator.openFeedback(
      ConnectionOpening(peer: "", provider: provider),
      at: Moment.start
    )
    func add(_ byte: UInt8) throws {
      let token = [UInt8](repeating: byte, count: 32)
      try simulator.perform(
        .addFeedback(.init(subject: .token(token), app: Samples.app, moment: .at(Moment.start)))
      )
    }
    for byte in UInt8(1)...3 { try add(byte) }
    #expect(reader.nextChunk(at: Moment.start).count == 3 * 38)
    try simulator.perform(.reset)
    #expect(reader.nextChunk(at: Moment.start).isEmpty)
    try add(9)
    #expect(reader.nextChunk(at: Moment.start).suffix(32) == ArraySlice([UInt8](repeating: 9, count: 32)))
  }

  @Test(arguments: [32, 2000])
  func `a reader in the middle of a list that is kept finds a longer new one whole`(tokenSize: Int) throws {
    let simulator = try Samples.simulator { $0.feedbackKeep = true }
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "")
    let reader = try simulator.openFeedback(
      ConnectionOpening(peer: "", provider: provider),
      at: Moment.start
    )
    func tuples(_ count: Int, _ tokenSize: Int) -> [FeedbackSpecification] {
      (0..<count).map { number in
        let token = [UInt8](repeating: UInt8(number % 251), count: tokenSize)
        return FeedbackSpecification(subject: .token(token), app: Samples.app, moment: .at(Moment.start))
      }
    }
    for tuple in tuples(100, tokenSize) { try simulator.perform(.addFeedback(tuple)) }
    #expect(!reader.nextChunk(maximumBytes: 5000, at: Moment.start).isEmpty)
    var next = Scenario()
    next.feedback = tuples(150, 40_000)
    try simulator.perform(.replaceScenario(next))
    var decoder = FeedbackTupleDecoder()
    var tokens: [[UInt8]] = []
    while case let chunk = reader.nextChunk(at: Moment.start), !chunk.isEmpty {
      tokens += decoder.decode(chunk).map(\.token)
    }
    #expect(tokens.map(\.count) == [Int](repeating: 40_000, count: 150))
    #expect(tokens.map(\.first) == (0..<150).map { UInt8($0) })
  }

  @Test func `a reset keeps the seed, and another scenario has its own or that of the start`() throws {
    var scenario = Scenario()
    scenario.seed = 42
    let simulator = try Simulator(scenario: scenario, seed: 7, start: Moment.start)
    try simulator.perform(.reset)
    #expect(simulator.seed == 7)
    var next = Scenario()
    next.seed = 43
    try simulator.perform(.replaceScenario(next))
    #expect(simulator.seed == 43)
    try simulator.perform(.reset)
    #expect(simulator.seed == 43)
    next.seed = nil
    try simulator.perform(.replaceScenario(next))
    #expect(simulator.seed == 7)
  }

  @Test func `a scenario that is told begins by what it says, also where it is the one of the start`() throws
  {
    var scenario = Scenario()
    scenario.seed = 42
    scenario.settings = [SettingAssignment(name: "edition", text: "guide")]
    var configuration = Configuration()
    configuration.edition = .final
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 7,
      start: Moment.start
    )
    // The answer of the edition in force to an unknown command.
    func status() throws -> UInt8? {
      let provider = try CoreProvider(samples: simulator)
      provider.send([9])
      return provider.reply.dropFirst().first
    }
    for (command, seed, answer) in [
      (Command.reset, 7, 128), (.replaceScenario(scenario), 42, 255), (.reset, 42, 255),
    ] as [(Command, UInt64, UInt8)] {
      try simulator.perform(command)
      #expect(simulator.seed == seed)
      #expect(try status() == answer)
    }
  }

  @Test func `a scenario whose clock has a beginning begins the same whenever it is told`() throws {
    func journal(_ clocks: [ClockSetting], after delay: TimeSpan) throws -> String {
      let simulator = try Samples.simulator()
      let journal = MemoryJournal(simulator)
      for clock in clocks {
        var next = Scenario()
        next.clock = clock
        try simulator.perform(.replaceScenario(next), at: Moment.start + delay)
        try simulator.perform(.reset, at: Moment.start + delay + delay)
        try simulator.perform(.advanceClock(.hours(1)), at: Moment.start + delay + delay)
      }
      return journal.text
    }
    let fixed = ClockSetting.virtual(start: Moment.start + .days(3))
    for (clocks, isSame) in [
      ([fixed, fixed], true), ([.virtual(start: nil)], false), ([.real], false),
    ] as [([ClockSetting], Bool)] {
      let journals = try [TimeSpan.seconds(1), .hours(5)].map { try journal(clocks, after: $0) }
      #expect((journals[0] == journals[1]) == isSame, "\(clocks) \(journals)")
    }
  }

  @Test func `a scenario of more rules than can be told apart does not begin`() throws {
    var scenario = Scenario()
    scenario.rules = Array(repeating: Rule(action: .fault(.swallow)), count: 65_535)
    #expect(throws: CommandError.self) { try Simulator(scenario: scenario, seed: 7, start: Moment.start) }
    let simulator = try Samples.simulator()
    #expect(throws: CommandError.self) { try simulator.perform(.replaceScenario(scenario)) }
  }

  @Test func `a connection that was answered is none of the new beginning`() throws {
    let simulator = try Samples.simulator()
    let bad = Samples.frame(1, to: Array(repeating: 0xEE, count: 32))
    let answered = try CoreProvider(samples: simulator)
    answered.send(bad)
    let waiting = try CoreProvider(samples: simulator)
    try simulator.perform(.reset)
    var match = RuleMatch()
    match.connection = .equals(.number("2"))
    try simulator.perform(.addRule(Rule(when: match, action: .reply(Reply(status: .shutdown)))))
    let journal = MemoryJournal(simulator)
    answered.send(Samples.frame(2))
    answered.close()
    #expect(simulator.notifications().isEmpty && simulator.connection(answered.connection.id) == nil)
    #expect(!journal.text.contains(answered.connection.id.description))
    #expect(simulator.connection(waiting.connection.id)?.isOpen == true)
    let next = try CoreProvider(samples: simulator)
    next.send(Samples.frame(3))
    #expect(next.reply == [8, 10, 0, 0, 0, 3])
  }

  @Test func `a recording has all of a beginning that is longer than what is kept`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 1000 }
    let journal = MemoryJournal(simulator)
    var next = Scenario()
    next.devices = (1...3000).map { DeviceSpecification(name: "d\($0)") }
    try simulator.perform(.replaceScenario(next))
    let lines = journal.text.split(separator: "\n").dropFirst()
    #expect(lines.count { $0.contains(#""event":"deviceAdded""#) } == 3000 + Samples.devices.count)
    let numbers = lines.compactMap { (try? JSONValue.parse(Array($0.utf8)))?.member("seq")?.intValue }
    #expect(numbers == Array(1...numbers.count))
  }

  /// Commands come from other threads; here one comes where another thread's would, between two batches of a read.
  @Test func `what is read is judged by what holds when its turn comes`() throws {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    let provider = try CoreProvider(samples: simulator)
    var strict = Scenario()
    strict.devices = Samples.devices
    strict.settings = [SettingAssignment(name: "payload", text: "strict")]
    let watcher = simulator.whenJournalReaches(simulator.nextSeq) { [strict] in
      try? simulator.perform(.replaceScenario(strict))
    }
    provider.send((UInt32(1)...1000).flatMap { Samples.frame($0, payload: "x") })
    #expect(watcher != nil && provider.reply.prefix(2) == [8, 1])
    #expect(simulator.outcomes.first == .rejected)
  }
}

@Suite struct `Rules that come and go` {
  @Test func `an added rule comes first and holds for open connections`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    try simulator.perform(.addRule(Rule(name: "swallow", action: .fault(.swallow))))
    provider.send(Samples.frame(2))
    try simulator.perform(.addRule(Rule(name: "pass", action: .proceed)))
    provider.send(Samples.frame(3))
    #expect(simulator.outcomes == [.delivered, .dropped, .delivered])
    #expect(simulator.rules().map(\.id) == ["r2", "r1"])
    #expect(simulator.rules().map(\.fired) == [1, 1])
  }

  @Test func `a removed rule no longer fires and stays named by what it decided`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    try simulator.perform(.addRule(Rule(name: "gone", action: .fault(.swallow))))
    provider.send(Samples.frame(1))
    try simulator.perform(.removeRule("gone"))
    provider.send(Samples.frame(2))
    #expect(simulator.outcomes == [.dropped, .delivered])
    #expect(simulator.notifications()[0].explanations[0].detail?.contains("gone") == true)
    #expect(throws: CommandError.unknownRule("gone")) { try simulator.perform(.removeRule("gone")) }
  }

  @Test func `clearing rules takes all away`() throws {
    let simulator = try Samples.simulator()
    for _ in 0..<3 { try simulator.perform(.addRule(Rule(action: .fault(.swallow)))) }
    try simulator.perform(.clearRules)
    #expect(simulator.rules().isEmpty)
  }
}

@Suite struct `The time that a new beginning takes` {
  /// The processor time for what a command does until it returns.
  private func cost(_ simulator: Simulator, _ command: Command) throws -> Duration {
    var kept: [Simulator.CommandOutcome] = []
    let devices = simulator.stock.devices
    let time = try threadTime { kept.append(try simulator.carryOut(command, at: Moment.start)) }
    // None of them has been touched under the lock: they are all there, to be let go of afterwards.
    #expect(kept.first?.replaced?.deviceCount == devices && simulator.stock.devices == 0)
    return time
  }

  @Test(arguments: [Command.reset, .replaceScenario(Scenario())])
  func `the time that a new beginning takes does not grow with the devices that were made on first sight`(
    _ command: Command
  ) throws {
    func least(devices: UInt32) throws -> Duration {
      try (0..<3).map { _ in
        let simulator = try Simulator(seed: 1, start: Moment.start)
        let provider = try CoreProvider(samples: simulator)
        for first in stride(from: UInt32(0), to: devices, by: 500) {
          provider.send(
            (first..<min(first + 500, devices)).flatMap { number in
              let place = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
              return Samples.frame(number, to: place + [UInt8](repeating: 0xA1, count: 28))
            }
          )
        }
        #expect(simulator.stock.devices == Int(devices))
        return try cost(simulator, command)
      }.min() ?? .zero
    }
    let (few, many) = (try least(devices: 10), try least(devices: 20_000))
    #expect(many < few * 10 + .milliseconds(1), "\(few) with 10 devices, \(many) with 20,000")
  }
}
