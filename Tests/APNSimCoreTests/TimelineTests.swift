import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A timeline` {
  @Test func `a timeline does and looks at things when their simulated time comes`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(10), action: .perform(.setOnline(device: "bob", true))),
      TimelineEntry(at: .minutes(10), action: .expect(inbox(of: "bob", .exactly(1)))),
      TimelineEntry(at: .minutes(5), action: .expect(inbox(of: "bob", .exactly(1)))),
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    try simulator.perform(.advanceClock(.hours(1)))
    #expect(simulator.expectationResults().map(\.isSatisfied) == [false, true])
    #expect(
      simulator.expectationResults().map(\.time) == [
        Moment.start + .minutes(5), Moment.start + .minutes(10),
      ]
    )
  }

  @Test func `a timeline says what it could not do and goes on`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(1), action: .perform(.setOnline(device: "nobody", true))),
      TimelineEntry(at: .minutes(2), action: .perform(.setOnline(device: "bob", true))),
    ])
    let journal = MemoryJournal(simulator)
    try simulator.perform(.advanceClock(.minutes(3)))
    #expect(journal.text.contains(#"there is no device \"nobody\""#))
    #expect(simulator.device("bob")?.isOnline == true)
  }

  @Test func `a timeline may move the clock as often as it likes`() throws {
    let entry = TimelineEntry(at: .minutes(1), action: .perform(.advanceClock(.milliseconds(1))))
    let simulator = try simulator([TimelineEntry](repeating: entry, count: 50_000))
    try simulator.perform(.advanceClock(.minutes(1)))
    #expect(simulator.time(at: Moment.start) == Moment.start + .minutes(1) + .milliseconds(1))
  }

  @Test func `an advance on the way goes through what is due there, and the clock runs on from it`() throws {
    let late = Moment.start + .minutes(30)
    let simulator = try simulator([
      TimelineEntry(at: .minutes(1), action: .perform(.advanceClock(.minutes(10)))),
      TimelineEntry(at: .minutes(5), action: .perform(.setOnline(device: "bob", true))),
      TimelineEntry(at: .minutes(8), action: .perform(.setClock(late))),
    ])
    try simulator.perform(.resumeClock, at: Moment.start)
    try simulator.perform(.freezeClock, at: Moment.start + .minutes(2))
    #expect(simulator.device("bob")?.isOnline == true)
    #expect(simulator.time(at: Moment.start) == late)
    try simulator.perform(.resumeClock, at: Moment.start + .minutes(2))
    try simulator.perform(.freezeClock, at: Moment.start + .minutes(3))
    #expect(simulator.time(at: Moment.start) == late + .minutes(1))
  }

  @Test func `a timeline sets the clock back, and it goes on from there`() throws {
    let early = Timestamp(seconds: 1_300_000_000)
    let entry = TimelineEntry(at: .minutes(1), action: .perform(.setClock(early)))
    let standing = try simulator([entry])
    try standing.perform(.advanceClock(.hours(1)))
    #expect(standing.time(at: Moment.start) == early)
    let running = try simulator([entry])
    try running.perform(.resumeClock, at: Moment.start)
    #expect(running.time(at: Moment.start + .minutes(1)) == early)
    #expect(running.time(at: Moment.start + .minutes(3)) == early + .minutes(2))
  }

  @Test func `a timeline names what came nearest when nothing matched`() throws {
    let simulator = try simulator([])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, payload: #"{"aps":{"alert":"order #17"}}"#))
    let query = Query([
      .init(path: "topic", matcher: .equals(.string(Samples.topic))),
      .init(path: "payload.aps.alert", matcher: .contains("Order")),
    ])
    let result = simulator.evaluate(
      APNSimCore.Expectation(subject: .notifications(query), count: CountTest(atLeast: 1))
    )
    #expect(!result.isSatisfied)
    #expect(result.nearMisses.map(\.id) == ["n1"])
    let difference = try #require(result.nearMisses.first?.differences.first)
    #expect(difference.path == "payload.aps.alert")
    #expect(difference.expected == #"contains "Order""#)
    #expect(difference.actual == .string("order #17"))
  }

  @Test func `a timeline names what differs in the least first, then what came last`() throws {
    let simulator = try simulator([])
    let provider = try CoreProvider(samples: simulator)
    for (identifier, alert) in ["Order 1", "other", "Order 2", "order", "Order 3", "Order 4"].enumerated() {
      provider.send(Samples.frame(UInt32(identifier), payload: #"{"aps":{"alert":"\#(alert)"}}"#))
    }
    let query = Query([
      .init(path: "identifier", matcher: .equals(.string("0000000f"))),
      .init(path: "topic", matcher: .equals(.string(Samples.topic))),
      .init(path: "alert", matcher: .startsWith("Order")),
    ])
    for subject in [APNSimCore.Expectation.Subject.notifications(query), .inbox(device: "alice", query)] {
      let result = simulator.evaluate(APNSimCore.Expectation(subject: subject, count: .exactly(1)))
      #expect(result.found == 0)
      #expect(result.nearMisses.map(\.id) == ["n6", "n5", "n3"])
      #expect(result.nearMisses.map(\.differences.count) == [1, 1, 1])
    }
    let shorter = Query([query.conditions[2]])
    for subject in [APNSimCore.Expectation.Subject.notifications(shorter), .inbox(device: "alice", shorter)] {
      let result = simulator.evaluate(APNSimCore.Expectation(subject: subject, count: .exactly(3)))
      #expect(result.found == 4)
      #expect(result.nearMisses.map(\.id) == ["n4", "n2"])
    }
  }

  @Test func `a timeline looks at a long history in a fraction of the time that showing it takes`() throws {
    let simulator = try simulator([])
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...20_000).flatMap { Samples.frame($0) })
    let query = Query([.init(path: "identifier", matcher: .equals(.string("00004e20")))])
    let looking = threadTime {
      let expectation = APNSimCore.Expectation(subject: .notifications(query), count: .exactly(1))
      #expect(simulator.evaluate(expectation).isSatisfied)
    }
    let showing = threadTime { #expect(simulator.notifications().count == 20_000) }
    #expect(looking < showing / 2)
  }

  private func inbox(of device: String, _ count: CountTest) -> APNSimCore.Expectation {
    APNSimCore.Expectation(subject: .inbox(device: device, Query()), count: count)
  }

  private func simulator(_ timeline: [TimelineEntry]) throws -> Simulator {
    var configuration = Configuration()
    configuration.tokens = .known
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.timeline = timeline
    return try Simulator(configuration: configuration, scenario: scenario, seed: 1, start: Moment.start)
  }
}
