import APNSimCore
import APNSimWire
import Testing

@Suite struct `A simulator's advice` {
  @Test func `a simulator's advice is empty for a provider that does everything right`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for number in 0..<200 as Range<UInt32> { provider.send(Samples.frame(number)) }
    provider.close()
    #expect(simulator.advice() == [])
  }

  @Test func `a simulator's advice names payloads that could be shorter`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(
      Samples.frame(1, payload: #"{"aps": {"alert":{"body":"hi"}}}"#)
        + Samples.frame(2, payload: #"{"aps":{"alert":{"body":"hi"}}}"#)
    )
    #expect(simulator.advice(for: Samples.app).map(\.kind) == [.payloadWhitespace, .alertOnlyBody])
    #expect(simulator.advice(for: Samples.app).map(\.count) == [1, 2])
  }

  @Test
  func `a simulator's advice warns of sending to a token whose listing was read, until the app is back`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    provider.send(Samples.frame(1))
    #expect(simulator.advice() == [])
    provider.send(Samples.frame(2))
    #expect(simulator.advice().map(\.severity) == [.hint])
    let reader = try simulator.openFeedback(opening, at: Moment.start)
    #expect(reader.nextChunk(at: Moment.start).count == 38)
    provider.send(Samples.frame(3))
    provider.send(Samples.frame(4))
    #expect(simulator.advice().map(\.kind) == [.sentToListedToken])
    #expect(simulator.advice().map(\.severity) == [.warning])
    #expect(simulator.advice().map(\.count) == [3])
    try simulator.perform(.setInstalled(device: "alice", app: nil, true))
    provider.send(Samples.frame(5))
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    provider.send(Samples.frame(6))
    #expect(simulator.advice().map(\.count) == [3])
  }

  @Test func `a simulator's advice warns of a list that waits for more than a day`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    provider.send(Samples.frame(1))
    try simulator.perform(.advanceClock(.hours(25)))
    provider.send(Samples.frame(2, to: Samples.offline))
    #expect(simulator.advice().map(\.kind) == [.feedbackNotRead])
  }

  @Test func `a simulator's advice warns of what an error cost and nobody resent`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(Samples.frame(1, to: [1]) + Samples.frame(2) + Samples.frame(3))
    first.close()
    let second = try CoreProvider(samples: simulator)
    second.send(Samples.frame(3))
    second.close()
    #expect(simulator.advice() == [])
    let third = try CoreProvider(samples: simulator)
    third.send(Samples.frame(4, payload: #"{"aps":{"badge":1}}"#))
    third.close()
    #expect(simulator.advice().map(\.kind) == [.discardedNotResent])
    #expect(simulator.advice().map(\.count) == [1])
  }

  @Test(arguments: [false, true])
  func `a simulator's advice on churn refuses connections where it is enforced`(enforces: Bool) throws {
    let simulator = try Samples.simulator { $0.enforce = enforces }
    for _ in 0..<20 { try CoreProvider(samples: simulator).close() }
    #expect(simulator.advice().map(\.kind) == [.connectionChurn])
    let third = try? simulator.openGateway(opening, at: Moment.start)
    #expect((third == nil) == enforces)
    _ = try simulator.openFeedback(opening, at: Moment.start)
    try simulator.perform(.advanceClock(.minutes(1)))
    _ = try simulator.openGateway(opening, at: Moment.start)
  }

  @Test func `a simulator's advice on writes is given on a real clock only`() throws {
    for clock in [ClockSetting.real, .virtual(start: Moment.start)] {
      let simulator = try Samples.simulator(clock: clock)
      let provider = try CoreProvider(samples: simulator)
      for number in 0..<30 as Range<UInt32> {
        provider.send(Samples.frame(number))
        provider.now = provider.now + .milliseconds(2)
      }
      provider.close()
      #expect(simulator.advice().map(\.kind) == (clock == .real ? [.oneNotificationPerWrite] : []))
    }
  }

  private var opening: ConnectionOpening {
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "UID=x")
    return ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
  }
}
