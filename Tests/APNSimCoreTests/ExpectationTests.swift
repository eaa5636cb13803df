import APNSimCore
import APNSimWire
import Testing

@Suite struct `Expectations of the core` {
  @Test func `errors are told apart by status and identifier`() throws {
    let simulator = try Samples.simulator()
    for identifier in UInt32(1)...3 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(identifier, payload: identifier == 3 ? "" : "{}"))
    }
    func found(_ status: StatusCode?, _ identifier: UInt32? = nil) -> Int {
      let subject = APNSimCore.Expectation.Subject.errors(
        status,
        identifier.map { NotificationIdentifier(rawValue: $0) }
      )
      return simulator.evaluate(APNSimCore.Expectation(subject: subject, count: CountTest())).found
    }
    #expect(found(nil) == 3)
    #expect(found(.processingError) == 2)
    #expect(found(.processingError, 2) == 1)
    #expect(found(.missingPayload, 2) == 0)
    #expect(found(nil, 3) == 1)
  }

  @Test func `no upper bound holds for sure where some have made room`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 1000 }
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...1200).flatMap { Samples.frame($0) })
    let first = Query([.init(path: "identifier", matcher: .equals(.string("00000001")))])
    func result(_ query: Query, _ count: CountTest) -> APNSimCore.Expectation.Result {
      simulator.evaluate(APNSimCore.Expectation(subject: .notifications(query), count: count))
    }
    let never = result(first, .exactly(0))
    #expect(!never.isSatisfied && never.found == 0 && never.missed == 200)
    #expect(!result(Query(), .exactly(1000)).isSatisfied)
    #expect(result(Query(), CountTest(atLeast: 1000)).isSatisfied)
    try simulator.perform(.reset, at: Moment.start)
    #expect(result(first, .exactly(0)).isSatisfied)
  }

  @Test func `no upper bound holds for errors whose connections are forgotten`() throws {
    let simulator = try Samples.simulator { $0.limits.connections = 10 }
    for identifier in UInt32(1)...15 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(identifier, payload: "{}"))
      provider.close()
    }
    func result(_ count: CountTest) -> APNSimCore.Expectation.Result {
      simulator.evaluate(APNSimCore.Expectation(subject: .errors(.processingError, nil), count: count))
    }
    #expect(result(.exactly(10)).missed == 5)
    #expect(!result(CountTest(atMost: 12)).isSatisfied)
    #expect(result(CountTest(atLeast: 10)).isSatisfied)
    try simulator.perform(.reset)
    #expect(result(.exactly(0)).isSatisfied)
  }

  @Test func `no upper bound holds for what is asked of deliveries whose notifications are gone`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 1000 }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    provider.send((UInt32(2)...1501).flatMap { Samples.frame($0) })
    try simulator.perform(.setOnline(device: "bob", true))
    let hi = Query([.init(path: "alert", matcher: .equals(.string("hi")))])
    let never = simulator.evaluate(
      APNSimCore.Expectation(subject: .inbox(device: "bob", hi), count: .exactly(0))
    )
    #expect(!never.isSatisfied && never.missed > 0)
  }

  @Test func `no upper bound holds for an inbox where some of it has made room`() throws {
    let simulator = try Samples.simulator {
      $0.limits.keep = 1000
      $0.tokens = .any
    }
    let provider = try CoreProvider(samples: simulator)
    let another = [UInt8](repeating: 0xC3, count: 32)
    func result(_ device: String, _ count: CountTest) -> APNSimCore.Expectation.Result {
      simulator.evaluate(APNSimCore.Expectation(subject: .inbox(device: device, Query()), count: count))
    }
    provider.send(Samples.frame(1, to: Samples.online))
    #expect(result("alice", .exactly(1)).isSatisfied)
    provider.send((UInt32(2)...1201).flatMap { Samples.frame($0, to: another) })
    let made = result("alice", .exactly(0))
    #expect(!made.isSatisfied && made.found == 0 && made.missed == 1)
    let other = result(Hex.encode(another), .exactly(1000))
    #expect(!other.isSatisfied && other.found == 1000 && other.missed == 201)
    #expect(result(Hex.encode(another), CountTest(atLeast: 1000)).isSatisfied)
    #expect(result("bob", .exactly(0)).isSatisfied)
    try simulator.perform(.clearHistory, at: Moment.start)
    provider.send(Samples.frame(1202, to: Samples.online))
    for (device, count) in [("alice", 1), (Hex.encode(another), 0)] {
      let anew = result(device, .exactly(count))
      #expect(anew.isSatisfied && anew.missed == 0, "\(device)")
    }
  }

  @Test func `the next deadline is told while the clock stands still`() throws {
    let simulator = try Samples.simulator()
    #expect(simulator.nextDeadline == nil)
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline, expiry: UInt32(Moment.start.seconds + 60)))
    #expect(simulator.nextDeadline == Moment.start + .minutes(1))
    #expect(simulator.nextWake == nil)
  }

  @Test func `a rule looks at identifiers with any operator`() throws {
    var match = RuleMatch()
    match.identifier = .startsWith("000000f")
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = [Rule(when: match, action: .reply(Reply(status: .invalidToken)))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Moment.start)
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(0xE0) + Samples.frame(0xF1))
    #expect(provider.reply == [8, 8, 0, 0, 0, 0xF1])
  }
}
