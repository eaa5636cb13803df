import APNSimCore
import Testing

@Suite struct `Store and forward` {
  @Test func `only the last notification of an app waits for an offline device`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...3 { provider.send(Samples.frame(number, to: Samples.offline)) }
    #expect(simulator.outcomes == [.replaced, .replaced, .stored])
    #expect(simulator.stored(for: "bob")?.map(\.identifier) == [3])

    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.replaced, .replaced, .delivered])
    #expect(simulator.inbox(of: "bob")?.notifications.map(\.identifier) == [3])
    #expect(simulator.stored(for: "bob") == [])
  }

  @Test func `an expiry is the end of waiting and nothing else`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let soon = UInt32(Moment.start.seconds + 60)
    provider.send(Samples.frame(1, expiry: 1))
    provider.send(Samples.frame(2, to: Samples.offline, expiry: soon))
    #expect(simulator.outcomes == [.delivered, .stored])

    try simulator.perform(.advanceClock(.seconds(59)))
    #expect(simulator.outcomes == [.delivered, .stored])
    try simulator.perform(.advanceClock(.seconds(1)))
    #expect(simulator.outcomes == [.delivered, .expired])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.inbox(of: "bob")?.notifications == [])
    #expect(simulator.feedback(for: Samples.app) == [])
  }

  @Test(arguments: [UInt32(0), 0xFFFF_FFFF, 0x8000_0000])
  func `an expiry of zero or less is never stored and discards what was`(expiry: UInt32) throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    provider.send(Samples.frame(2, to: Samples.offline, expiry: expiry))
    #expect(simulator.outcomes == [.replaced, .notStored])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.inbox(of: "bob")?.notifications == [])
  }

  @Test func `the final edition reads the expiry without a sign`() throws {
    let simulator = try Samples.simulator { $0.edition = .final }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline, expiry: 0x8000_0000))
    #expect(simulator.outcomes == [.stored])
    #expect(simulator.notifications().first?.expiry == 0x8000_0000)
  }

  @Test func `without an expiry the storage period is the end`() throws {
    let simulator = try Samples.simulator { $0.storagePeriod = .hours(1) }
    let provider = try CoreProvider(samples: simulator)
    provider.send([0, 0, 32] + Samples.offline + [0, 2] + Array("{}".utf8))
    #expect(simulator.outcomes == [.rejected])
    let second = try CoreProvider(samples: simulator)
    let payload = Array(#"{"aps":{}}"#.utf8)
    second.send([0, 0, 32] + Samples.offline + [0, UInt8(payload.count)] + payload)
    try simulator.perform(.advanceClock(.minutes(59)))
    #expect(simulator.outcomes.last == .stored)
    try simulator.perform(.advanceClock(.minutes(1)))
    #expect(simulator.outcomes.last == .expired)
  }

  @Test func `sandbox and production do not share a store`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let sandbox = AppKey(topic: Samples.topic, environment: .sandbox)
    try simulator.perform(
      .putDevice(
        DeviceSpecification(
          name: "carol",
          isOnline: false,
          apps: [
            AppSpecification(app: Samples.app, token: Array(repeating: 1, count: 32)),
            AppSpecification(app: sandbox, token: Array(repeating: 2, count: 32)),
          ]
        )
      )
    )
    let production = try CoreProvider(samples: simulator)
    let other = try CoreProvider(simulator, topic: Samples.topic, environment: .sandbox)
    production.send(Samples.frame(1, to: Array(repeating: 1, count: 32)))
    other.send(Samples.frame(2, to: Array(repeating: 2, count: 32)))
    #expect(simulator.stored(for: "carol")?.map(\.identifier) == [1, 2])
  }

  @Test func `a badge stays or goes as the edition of the text says`() throws {
    for (absence, expected) in [(BadgeAbsence.keep, Int32(3)), (.clear, 0)] {
      let simulator = try Samples.simulator { $0.badgeAbsent = absence }
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, payload: #"{"aps":{"badge":3}}"#))
      #expect(simulator.device("alice")?.apps.first?.badge == 3)
      provider.send(Samples.frame(2))
      #expect(simulator.device("alice")?.apps.first?.badge == expected)
    }
  }

  @Test func `replacing one notification for ever does not fill the memory with expiries`() throws {
    let simulator = try Samples.simulator(clock: .real)
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...20_000 {
      provider.now = Moment.start + .milliseconds(Int64(number))
      provider.send(Samples.frame(number, to: Samples.offline))
    }
    #expect(simulator.pendingDeadlines <= 8192)
    #expect(simulator.stored(for: "bob")?.map(\.identifier) == [20_000])
  }
}
