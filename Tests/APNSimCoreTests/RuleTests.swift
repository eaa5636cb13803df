import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Rules` {
  @Test func `the first rule that matches wins and times spends it`() throws {
    var nth = RuleMatch()
    nth.nth = .equals(.number("3"))
    let simulator = try simulator([
      Rule(name: "once", when: nth, times: 1, action: .reply(Reply(status: .processingError))),
      Rule(name: "then", when: nth, action: .reply(Reply(status: StatusCode(rawValue: 99)))),
    ])
    for expected in [UInt8(1), 99, 99] {
      let provider = try CoreProvider(samples: simulator)
      provider.send((UInt32(1)...5).flatMap { Samples.frame($0) })
      #expect(provider.reply == [8, expected, 0, 0, 0, 3])
      #expect(simulator.connection(provider.connection.id)?.counts.accepted == 2)
    }
  }

  @Test func `after and every count matches`() throws {
    let rule = Rule(after: 2, every: 3, action: .fault(.swallow))
    let simulator = try simulator([rule])
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...10).flatMap { Samples.frame($0) })
    let swallowed = simulator.notifications().filter { $0.outcome == .dropped }.map(\.number)
    #expect(swallowed == [3, 6, 9])
  }

  @Test func `a packet leaves when exactly so many further frames are in`() throws {
    let reply = Reply(status: .invalidToken, afterFrames: 20)
    var match = RuleMatch()
    match.nth = .equals(.number("3"))
    for cuts in Cuts.all {
      let simulator = try simulator([Rule(when: match, action: .reply(reply))])
      let provider = try CoreProvider(samples: simulator)
      let early = (UInt32(1)...22).flatMap { Samples.frame($0) }
      for piece in cuts.pieces(of: early) { provider.send(piece) }
      #expect(provider.reply.isEmpty)
      #expect(provider.ending == .none)
      provider.send(Samples.frame(23))
      #expect(provider.reply == [8, 8, 0, 0, 0, 3])
      #expect(provider.ending == .drain)
    }
  }

  @Test func `a packet that waits for frames leaves when the provider ends its side`() throws {
    let simulator = try simulator([Rule(action: .reply(Reply(status: .invalidToken, afterFrames: 20)))])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1) + Samples.frame(2))
    #expect(provider.reply.isEmpty)
    provider.end()
    #expect(provider.reply == [8, 8, 0, 0, 0, 1])
  }

  @Test func `a packet that waits for frames leaves when no frame can come any more`() throws {
    for cuts in Cuts.all {
      let simulator = try simulator([Rule(action: .reply(Reply(status: .invalidToken, afterFrames: 20)))])
      let provider = try CoreProvider(samples: simulator)
      for piece in cuts.pieces(of: Samples.frame(1) + Samples.frame(2) + [9]) { provider.send(piece) }
      #expect(provider.reply == [8, 8, 0, 0, 0, 1])
    }
  }

  @Test func `a delayed packet follows the simulated clock`() throws {
    let simulator = try simulator([
      Rule(times: 1, action: .reply(Reply(status: .invalidToken, delay: .milliseconds(300))))
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    #expect(provider.connection.hasPendingReply)
    try simulator.perform(.advanceClock(.milliseconds(299)))
    #expect(provider.reply.isEmpty)
    try simulator.perform(.advanceClock(.milliseconds(1)))
    #expect(provider.reply == [8, 8, 0, 0, 0, 1])
  }

  @Test(arguments: [
    (Reply.Identifier.right, UInt32(7)), (.wrong, 0xFFFF_FFF8), (.zero, 0),
    (.exactly(NotificationIdentifier(rawValue: 5)), 5),
  ])
  func `a reply carries the identifier it is told to`(identifier: Reply.Identifier, expected: UInt32) throws {
    let simulator = try simulator([
      Rule(action: .reply(Reply(status: .unknown, identifier: identifier)))
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(7))
    #expect(provider.reply == [8, 255] + Samples.big(expected))
  }

  @Test func `named states make a rule wait for another`() throws {
    let simulator = try simulator([
      Rule(
        state: .init(requires: "degraded", becomes: "healthy"),
        action: .reply(Reply(status: .shutdown))
      ),
      Rule(times: 1, state: .init(becomes: "degraded"), action: .proceed),
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...4).flatMap { Samples.frame($0) })
    #expect(provider.reply == [8, 10, 0, 0, 0, 2])
    let second = try CoreProvider(samples: simulator)
    second.send((UInt32(3)...6).flatMap { Samples.frame($0) })
    #expect(second.reply.isEmpty)
  }

  @Test func `payload paths with operators choose notifications`() throws {
    var match = RuleMatch()
    match.payload = [.init(path: "aps.badge", matcher: .greaterThan(99))]
    let simulator = try simulator([Rule(when: match, action: .reply(Reply(status: .processingError)))])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, payload: #"{"aps":{"badge":99}}"#))
    provider.send(Samples.frame(2, payload: #"{"aps":{"alert":"no badge"}}"#))
    #expect(provider.reply.isEmpty)
    provider.send(Samples.frame(3, payload: #"{"aps":{"badge":100}}"#))
    #expect(provider.reply == [8, 1, 0, 0, 0, 3])
  }

  @Test func `probability is drawn from the seed`() throws {
    var match = RuleMatch()
    match.probability = 0.3
    let swallowed = try [UInt64(1), 1, 2].map { seed in
      let simulator = try simulator([Rule(when: match, action: .fault(.swallow))], seed: seed)
      let provider = try CoreProvider(samples: simulator)
      provider.send((UInt32(0)..<500).flatMap { Samples.frame($0) })
      return simulator.notifications().filter { $0.outcome == .dropped }.map(\.number)
    }
    #expect(swallowed[0] == swallowed[1])
    #expect(swallowed[0] != swallowed[2])
    #expect((100...200).contains(swallowed[0].count))
  }

  @Test func `a connection ends after exactly so many bytes`() throws {
    var second = RuleMatch()
    second.connection = .equals(.number("2"))
    for cuts in Cuts.all {
      let simulator = try simulator([Rule(when: second, action: .fault(.reset(.afterBytes(140))))])
      let bytes = (UInt32(1)...5).flatMap { Samples.frame($0) }
      let first = try CoreProvider(samples: simulator)
      for piece in cuts.pieces(of: bytes) { first.send(piece) }
      #expect(first.ending == .none)
      let other = try CoreProvider(samples: simulator)
      for piece in cuts.pieces(of: bytes) { other.send(piece) }
      #expect(other.ending == .reset)
      #expect(simulator.connection(other.connection.id)?.counts.received == 2)
    }
  }

  @Test func `a connection ends after so many frames`() throws {
    for cuts in Cuts.all {
      let simulator = try simulator([Rule(action: .fault(.stopReading(.afterFrames(3))))])
      let provider = try CoreProvider(samples: simulator)
      for piece in cuts.pieces(of: (UInt32(1)...9).flatMap({ Samples.frame($0) })) { provider.send(piece) }
      #expect(provider.ending == .stopReading)
      #expect(simulator.connection(provider.connection.id)?.counts.accepted == 3)
    }
  }

  @Test func `an idle connection is closed after its simulated time`() throws {
    let simulator = try simulator([Rule(action: .fault(.idleClose(.hours(2))))])
    let provider = try CoreProvider(samples: simulator)
    try simulator.perform(.advanceClock(.minutes(90)))
    provider.send(Samples.frame(1))
    try simulator.perform(.advanceClock(.minutes(119)))
    #expect(provider.ending == .none)
    try simulator.perform(.advanceClock(.minutes(1)))
    #expect(provider.ending == .drain)
    #expect(provider.reply.isEmpty)
  }

  @Test func `a fault of the stream does not strike a connection that has been ended`() throws {
    let simulator = try simulator([
      Rule(action: .fault(.idleClose(.hours(2)))), Rule(action: .fault(.stopReading(.afterBytes(10)))),
    ])
    let provider = try CoreProvider(samples: simulator)
    let journal = MemoryJournal(simulator)
    try simulator.perform(.advanceClock(.hours(2)))
    #expect(provider.ending == .drain)
    provider.send(Samples.frame(1))
    let fired = journal.text.split(separator: "\n").filter { $0.contains("faultFired") }
    #expect(fired.count == 1 && fired.allSatisfy { $0.contains("idleClose") })
  }

  @Test func `the first of two faults of one kind is the connection's`() throws {
    let pairs: [(Fault, Fault)] = [
      (.latency(.seconds(1)), .latency(.seconds(2))),
      (.slice(3, .zero), .slice(5, .zero)),
      (.closeAfterHandshake(.seconds(1)), .closeAfterHandshake(.seconds(2))),
      (.idleClose(.seconds(1)), .idleClose(.seconds(2))),
      (.feedbackTruncate(50), .feedbackTruncate(10)),
      (.stopReading(.afterFrames(3)), .close(.afterFrames(1))),
    ]
    for (first, second) in pairs {
      var (alone, both) = (ConnectionPlan(), ConnectionPlan())
      var random = SeededGenerator(seed: 7)
      alone.add(first, &random)
      both = alone
      #expect(!both.hasRoom(for: second))
      both.add(second, &random)
      #expect(both == alone)
    }
  }

  @Test func `a fault that comes second on a connection has not fired`() throws {
    let simulator = try Samples.simulator()
    for fault in [Fault.reset(.afterFrames(1)), .close(.afterFrames(1))] {
      var once = Rule(action: .fault(fault))
      once.times = 1
      try simulator.perform(.addRule(once))
    }
    for ending in [ConnectionEnding.drain, .reset, .none] {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1))
      #expect(provider.ending == ending)
    }
    #expect(simulator.rules().map(\.fired) == [1, 1])
  }

  @Test func `a rule says after how long an idle connection is closed, whatever holds for the others`() throws
  {
    var configuration = Configuration()
    configuration.idleClose = .hours(5)
    let simulator = try simulator([Rule(action: .fault(.idleClose(.hours(2))))], configuration)
    let provider = try CoreProvider(samples: simulator)
    try simulator.perform(.advanceClock(.hours(2)))
    #expect(provider.ending == .drain)
  }

  @Test func `a refusal and a delay of the handshake are decided before it opens`() throws {
    var third = RuleMatch()
    third.connection = .equals(.number("3"))
    let simulator = try simulator([
      Rule(when: third, action: .fault(.refuseHandshake(.alert(44)))),
      Rule(times: 1, action: .fault(.acceptDelay(.seconds(1)))),
    ])
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "")
    let arrivals = (0..<3).map { _ in simulator.arrive(.gateway, at: Moment.start) }
    #expect(arrivals.map(\.ordinal) == [1, 2, 3])
    #expect(arrivals.map(\.acceptDelay) == [.seconds(1), .zero, .zero])
    let refusals = arrivals.map {
      simulator.refusal(.gateway, ordinal: $0.ordinal, provider: provider, at: Moment.start)
    }
    #expect(refusals == [nil, nil, .alert(44)])
  }

  @Test func `a rule for a device finds the first notification to a token that nobody has seen`() throws {
    let token = [UInt8](repeating: 0xCD, count: 32)
    var named = RuleMatch()
    named.device = .equals(.string(Hex.encode(token)))
    var anybody = RuleMatch()
    anybody.device = .exists(true)
    for match in [named, anybody] {
      for (tokens, fired) in [(TokenPolicy.any, 2), (.known, 0)] {
        let simulator = try Samples.simulator { $0.tokens = tokens }
        try simulator.perform(.addRule(Rule(when: match, action: .fault(.swallow))))
        try CoreProvider(samples: simulator).send(Samples.frame(1, to: token) + Samples.frame(2, to: token))
        #expect(simulator.rules().map(\.fired) == [fired])
      }
    }
  }

  @Test func `a device is called by its name or by a token that it has`() throws {
    let other = AppSpecification(
      app: AppKey(topic: "com.example.other", environment: .production),
      token: [UInt8](repeating: 0xEE, count: 32)
    )
    var devices = [DeviceSpecification(name: "both", apps: [other])]
    devices[0].apps.append(AppSpecification(app: Samples.app, token: [UInt8](repeating: 0xEF, count: 32)))
    for (called, fired) in [
      ("both", 1), (String(repeating: "EF", count: 32), 1), (String(repeating: "ee", count: 32), 1),
      (Hex.encode(Samples.online), 0), (String(repeating: "00", count: 32), 0),
    ] {
      let simulator = try Samples.simulator()
      for device in devices { try simulator.perform(.putDevice(device)) }
      var when = RuleMatch()
      when.device = .equals(.string(called))
      try simulator.perform(.addRule(Rule(when: when, action: .fault(.swallow))))
      try CoreProvider(samples: simulator).send(Samples.frame(1, to: [UInt8](repeating: 0xEF, count: 32)))
      #expect(simulator.rules().map(\.fired) == [fired], "\(called)")
    }
  }

  @Test func `a fault of feedback does not fire on the gateway, whatever listener it names`() throws {
    var anywhere = RuleMatch()
    anywhere.listener = .any
    let faults: [Fault] = [.feedbackHoldOpen, .feedbackTruncate(1), .feedbackKeep]
    let simulator = try simulator(faults.map { Rule(when: anywhere, action: .fault($0)) })
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    #expect(simulator.rules().map(\.fired) == [0, 0, 0])
  }

  private func simulator(
    _ rules: [Rule],
    _ configuration: Configuration = Configuration(),
    seed: UInt64 = 7
  ) throws -> Simulator {
    var configuration = configuration
    configuration.tokens = .known
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = rules
    return try Simulator(configuration: configuration, scenario: scenario, seed: seed, start: Moment.start)
  }
}
