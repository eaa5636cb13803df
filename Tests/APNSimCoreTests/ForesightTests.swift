import APNSimCore
import APNSimWire
import Testing

@Suite struct `Looking ahead` {
  private static func texts(_ foresight: Foresight) -> [String] {
    foresight.upcoming.map { "\($0.at - Moment.start) \($0.kind): \($0.text)" }
  }

  /// bob is offline and comes online after ten minutes; what is sent to him expires after an hour.
  private func simulator(_ timeline: [TimelineEntry]) throws -> Simulator {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.timeline = timeline
    return try Simulator(scenario: scenario, seed: 7, start: Moment.start)
  }

  private static let expiry = UInt32(1_338_508_800 + 3600)

  @Test func `foresight tells what is due in order, and moves nothing`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .hours(2), action: .perform(.setInstalled(device: "alice", app: Samples.app, false)))
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline, expiry: Self.expiry))
    let next = simulator.nextSeq
    let all = simulator.foresee()
    #expect(
      Self.texts(all) == [
        "1h stored: n1 for bob expires in store", "2h timeline: alice loses com.example.sim",
      ]
    )
    #expect(all.upcoming.first?.notification == 1 && all.upcoming.first?.device == "bob" && !all.isCut)
    #expect(Self.texts(simulator.foresee(until: Moment.start + .minutes(59))) == [])
    let (until, hour) = simulator.foresee(for: .hours(1))
    #expect(until == Moment.start + .hours(1) && hour.upcoming.count == 1)
    #expect(simulator.nextSeq == next && simulator.outcomes == [.stored])
  }

  @Test func `foresight follows the timeline: who comes online gets what waits, and it does not expire`()
    throws
  {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(10), action: .perform(.setOnline(device: "bob", true)))
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline, expiry: Self.expiry))
    let ahead = Self.texts(simulator.foresee())
    #expect(ahead == ["10m timeline: bob comes online", "10m stored: n1 is delivered to bob"])
    try simulator.perform(.advanceClock(.hours(2)))
    #expect(simulator.outcomes == [.delivered])
    #expect(simulator.foresee().upcoming == [])
  }

  @Test func `what expires before its device comes online is not delivered as well`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .hours(2), action: .perform(.setOnline(device: "bob", true)))
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline, expiry: Self.expiry))
    let ahead = Self.texts(simulator.foresee())
    #expect(ahead == ["1h stored: n1 for bob expires in store", "2h timeline: bob comes online"])
    try simulator.perform(.advanceClock(.hours(3)))
    #expect(simulator.outcomes == [.expired])
  }

  @Test func `foresight says that an app which is gone by then refuses`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(5), action: .perform(.setInstalled(device: "bob", app: nil, false))),
      TimelineEntry(at: .minutes(10), action: .perform(.setOnline(device: "bob", true))),
    ])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    let ahead = simulator.foresee().upcoming
    #expect(ahead.last?.text == "n1 is refused by bob: the app is gone")
    try simulator.perform(.advanceClock(.minutes(10)))
    #expect(simulator.outcomes == [.refused])
  }

  @Test func `foresight knows nothing of what comes after a new beginning`() throws {
    let simulator = try simulator([
      TimelineEntry(at: .minutes(1), action: .perform(.reset)),
      TimelineEntry(at: .minutes(2), action: .perform(.setOnline(device: "bob", true))),
    ])
    let foresight = simulator.foresee()
    #expect(Self.texts(foresight) == ["1m timeline: everything begins anew"] && foresight.isCut)
  }

  @Test func `foresight tells the devices of magic tokens and the end of an outage`() throws {
    let outage = Fault.unavailable(Fault.Outage(span: .minutes(3)))
    var toAlice = RuleMatch()
    toAlice.device = .equals(.string("alice"))
    let simulator = try Samples.simulator(rules: [Rule(when: toAlice, action: .fault(outage))])
    let provider = try CoreProvider(samples: simulator)
    let offline = MagicToken(kind: .offline, code: 5).token()
    provider.send(Samples.frame(1, to: offline))
    provider.send(Samples.frame(2))
    let ahead = simulator.foresee().upcoming
    #expect(ahead.map(\.kind) == [.fault, .magic, .stored])
    #expect(ahead.first?.text == "unavailable ends: r1")
    #expect(ahead.last?.text == "n1 is delivered to \(Hex.encode(offline))")
  }

  @Test func `foresight is bounded, and finds the earliest of very many`() throws {
    let simulator = try simulator([])
    let provider = try CoreProvider(samples: simulator)
    for number in 0..<2000 {
      let token = Samples.big(UInt32(number)) + [UInt8](repeating: 0x0F, count: 28)
      let magic = Array("APNSIM".utf8) + [0x0F, UInt8(1 + number * 7 % 250)] + token.prefix(24)
      provider.send(Samples.frame(UInt32(number), to: magic))
    }
    let foresight = simulator.foresee()
    #expect(foresight.upcoming.count == Simulator.mostUpcoming && foresight.isCut)
    #expect(foresight.upcoming.map(\.at) == foresight.upcoming.map(\.at).sorted())
    #expect(foresight.upcoming.first?.at == Moment.start + .minutes(1))
  }
}
