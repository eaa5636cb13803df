import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A timeline` {
  @Test func `does and looks at things when their simulated time comes`() throws {
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

  @Test func `says what it could not do and goes on`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(1), action: .perform(.setOnline(device: "nobody", true))),
      TimelineEntry(at: .minutes(2), action: .perform(.setOnline(device: "bob", true))),
    ])
    let journal = MemoryJournal(simulator)
    try simulator.perform(.advanceClock(.minutes(3)))
    #expect(journal.text.contains(#"there is no device \"nobody\""#))
    #expect(simulator.device("bob")?.isOnline == true)
  }

  @Test func `names what came nearest when nothing matched`() throws {
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
