import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `Magic tokens` {
  @Test func `a token refuses itself with any byte`() throws {
    for code in UInt8.min...UInt8.max where code != 10 {
      let (simulator, provider) = try start()
      provider.send(frame(1, .refuse, code))
      #expect(provider.reply == [8, code, 0, 0, 0, 1])
      #expect(simulator.outcomes == [.rejected])
    }
  }

  @Test func `a shutdown lets its own notification through and names it`() throws {
    let (simulator, provider) = try start()
    provider.send(Samples.frame(1) + frame(2, .refuse, 10) + Samples.frame(3))
    #expect(provider.reply == [8, 10, 0, 0, 0, 2])
    #expect(simulator.outcomes == [.delivered, .delivered, .discarded])
  }

  @Test func `a token ends its connection in the way it says`() throws {
    for (code, ending) in [(UInt8(0), ConnectionEnding.drain), (1, .reset), (3, .stopReading)] {
      let (_, provider) = try start()
      provider.send(Samples.frame(1) + frame(2, .fault, code) + Samples.frame(3))
      #expect(provider.ending == ending)
      #expect(provider.reply.isEmpty)
    }
  }

  @Test func `a swallowed notification is accepted and reaches nobody`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .fault, 2) + Samples.frame(2))
    #expect(simulator.outcomes == [.dropped, .delivered])
    #expect(provider.ending == .none)
  }

  @Test func `a lost packet is in the journal and not on the wire`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .fault, 4))
    #expect(provider.reply.isEmpty)
    #expect(provider.ending == .reset)
    let view = try #require(simulator.connection(provider.connection.id))
    #expect(view.error?.response.bytes == [8, 8, 0, 0, 0, 1])
  }

  @Test func `an offline token comes online after its minutes`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .offline, 5) + frame(2, .offline, 5) + frame(3, .offline, 0))
    #expect(simulator.outcomes == [.replaced, .stored, .stored])
    try simulator.perform(.advanceClock(.minutes(5)))
    #expect(simulator.outcomes == [.replaced, .delivered, .stored])
    provider.send(frame(4, .offline, 5))
    #expect(simulator.outcomes.last == .delivered)
  }

  @Test func `an uninstalled token is listed after its minutes`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .uninstalled, 10))
    #expect(simulator.outcomes == [.refused])
    #expect(simulator.feedback(for: Samples.app) == [])
    try simulator.perform(.advanceClock(.minutes(10)))
    let listed = simulator.feedback(for: Samples.app)
    #expect(listed.map(\.timestamp) == [UInt32(Moment.start.seconds + 600)])
    #expect(listed.map(\.token) == [MagicToken(kind: .uninstalled, code: 10).token()])
  }

  @Test func `an uninstalled token is listed again after another notification`() throws {
    let (simulator, provider) = try start()
    for round in UInt32(1)...3 {
      provider.send(frame(round, .uninstalled, 10))
      #expect(simulator.feedback(for: Samples.app).isEmpty)
      try simulator.perform(.advanceClock(.minutes(10)))
      let listed = simulator.feedback(for: Samples.app)
      #expect(listed.map(\.timestamp) == [UInt32(Moment.start.seconds) + 600 * round])
      try simulator.perform(.clearFeedback(nil))
    }
  }

  @Test func `an uninstalled token that was installed again meanwhile is not listed`() throws {
    let (simulator, provider) = try start()
    let name = Hex.encode(MagicToken(kind: .uninstalled, code: 10).token())
    provider.send(frame(1, .uninstalled, 10))
    try simulator.perform(.advanceClock(.minutes(5)))
    try simulator.perform(.setInstalled(device: name, app: nil, true))
    try simulator.perform(.advanceClock(.minutes(6)))
    #expect(simulator.feedback(for: Samples.app).isEmpty)
    provider.send(frame(2, .uninstalled, 10))
    try simulator.perform(.advanceClock(.minutes(10)))
    #expect(simulator.feedback(for: Samples.app).map(\.timestamp) == [UInt32(Moment.start.seconds) + 1260])
  }

  @Test func `what is swallowed is said to be, whatever its payload`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .fault, 2, payload: "{}"))
    try simulator.perform(.addRule(Rule(action: .fault(.swallow))))
    provider.send(Samples.frame(2, payload: "{}"))
    #expect(simulator.outcomes == [.dropped, .dropped])
    for (view, decider) in zip(simulator.notifications(), ["magicToken", "rule"]) {
      #expect(view.explanations.map(\.check) == [decider, "deliver"])
      #expect(
        view.explanations.last?.detail == "swallowed by a scripted fault; its payload was not judged"
      )
      #expect(view.explanations.last?.hint == nil)
    }
  }

  @Test(arguments: [(UInt8(0), 10), (5, 0)])
  func `what is stored for a reacting device that is offline is not said to be under way`(
    code: UInt8,
    room: Int
  ) throws {
    let simulator = try Samples.simulator { $0.limits.underway = room }
    let token = MagicToken(kind: .react, code: code).token()
    let app = AppSpecification(app: Samples.app, token: token)
    try simulator.perform(.putDevice(DeviceSpecification(name: "carl", isOnline: false, apps: [app])))
    try CoreProvider(samples: simulator).send(frame(1, .react, code))
    let view = try #require(simulator.notification(1))
    #expect(view.outcome == .stored)
    #expect(view.explanations.last?.detail == "carl is offline")
    try simulator.perform(.setOnline(device: "carl", true))
    #expect(simulator.notification(1)?.explanations.last?.detail == "delivered when the device came online")
  }

  @Test func `a reacting token takes its time to deliver and to answer`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .react, 5))
    #expect(simulator.outcomes == [.stored])
    try simulator.perform(.advanceClock(.milliseconds(500)))
    #expect(simulator.outcomes == [.delivered])
    provider.send(frame(2, .react, 3, payload: "{}"))
    #expect(provider.reply.isEmpty)
    try simulator.perform(.advanceClock(.milliseconds(300)))
    #expect(provider.reply == [8, 1, 0, 0, 0, 2])
  }

  @Test(arguments: [UInt32(0), 1, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func `a reacting device gets each notification at its moment, whatever the expiry`(expiry: UInt32) throws {
    let (simulator, provider) = try start()
    let token = MagicToken(kind: .react, code: 5).token()
    provider.send(Samples.frame(1, to: token, expiry: expiry) + Samples.frame(2, to: token, expiry: expiry))
    try simulator.perform(.advanceClock(.milliseconds(200)))
    provider.send(Samples.frame(3, to: token, expiry: expiry))
    #expect(simulator.outcomes == [.stored, .stored, .stored])
    #expect(simulator.device(Hex.encode(token))?.isOnline == true)
    try simulator.perform(.advanceClock(.milliseconds(299)))
    #expect(simulator.outcomes == [.stored, .stored, .stored])
    try simulator.perform(.advanceClock(.milliseconds(1)))
    #expect(simulator.outcomes == [.delivered, .delivered, .stored])
    try simulator.perform(.advanceClock(.milliseconds(200)))
    #expect(simulator.outcomes == [.delivered, .delivered, .delivered])
    let inbox = try #require(simulator.inbox(of: Hex.encode(token))).notifications
    #expect(inbox.map(\.number) == [1, 2, 3])
    let explanation = try #require(simulator.notifications().first).explanations.suffix(2)
    #expect(explanation.map(\.check) == ["store", "delivered"])
    #expect(explanation.last?.detail == "delivered after its 500ms, whatever the expiry")
  }

  @Test func `what a reacting device is like at the moment decides, not before`() throws {
    let (simulator, provider) = try start()
    let name = Hex.encode(MagicToken(kind: .react, code: 5).token())
    provider.send(frame(1, .react, 5))
    try simulator.perform(.setInstalled(device: name, app: nil, false))
    try simulator.perform(.advanceClock(.milliseconds(500)))
    #expect(simulator.outcomes == [.refused])
    #expect(simulator.feedback(for: Samples.app).count == 1)
    try simulator.perform(.setInstalled(device: name, app: nil, true))
    provider.send(frame(2, .react, 5) + frame(3, .react, 5))
    try simulator.perform(.setOnline(device: name, false))
    try simulator.perform(.advanceClock(.milliseconds(500)))
    #expect(simulator.outcomes == [.refused, .replaced, .stored])
    try simulator.perform(.setOnline(device: name, true))
    #expect(simulator.outcomes == [.refused, .replaced, .delivered])
  }

  @Test func `what is under way to a device that was removed is refused`() throws {
    let (simulator, provider) = try start()
    let journal = MemoryJournal(simulator)
    let name = Hex.encode(MagicToken(kind: .react, code: 5).token())
    provider.send(frame(1, .react, 5))
    try simulator.perform(.removeDevice(name))
    // Its token is a device's again, which is another one.
    provider.send(frame(2, .react, 5))
    try simulator.perform(.advanceClock(.seconds(1)))
    #expect(simulator.outcomes == [.refused, .delivered])
    let event = #""event":"refused","notification":"n1","device":"\#(name)""#
    #expect(journal.text.contains(event), "\(journal.text)")
  }

  @Test(arguments: [
    (MagicToken(kind: .refuse, code: 0), "the token's magic answers status 0"),
    (MagicToken(kind: .fault, code: 0), "the token's magic ends the connection without a packet"),
    (MagicToken(kind: .fault, code: 3), "the token's magic stops the reading, without a packet"),
  ])
  func `what a token scripted is told as it was`(magic: MagicToken, words: String) throws {
    let (simulator, provider) = try start()
    provider.send(Samples.frame(7, to: magic.token()))
    #expect(provider.reply == (magic.kind == .refuse ? [8, 0, 0, 0, 0, 7] : []))
    #expect(simulator.notification(1)?.explanations.map(\.detail) == [words])
  }

  @Test func `a token that is listed later is not said to be listed`() throws {
    let (simulator, provider) = try start()
    provider.send(frame(1, .uninstalled, 10) + frame(2, .uninstalled, 0))
    let details = simulator.notifications().map { $0.explanations.last?.detail ?? "" }
    #expect(details[0].hasSuffix("the feedback service lists the token, in 10m"), "\(details)")
    #expect(details[1].hasSuffix("the feedback service lists the token"), "\(details)")
  }

  @Test func `the moment of a device that was removed is not that of the one in its place`() throws {
    let codes: [(MagicToken.Kind, UInt8)] = [(.offline, 5), (.uninstalled, 5), (.react, 5)]
    for (kind, code) in codes {
      let (simulator, provider) = try start()
      provider.send(frame(1, kind, code))
      try simulator.perform(.removeDevice(Hex.encode(MagicToken(kind: kind, code: code).token())))
      let carol = AppSpecification(app: Samples.app, token: [UInt8](repeating: 0xC3, count: 32))
      try simulator.perform(.putDevice(DeviceSpecification(name: "carol", isOnline: false, apps: [carol])))
      provider.send(Samples.frame(2, to: carol.token ?? []))
      #expect(simulator.outcomes.last == .stored)
      try simulator.perform(.advanceClock(.minutes(6)))
      #expect(simulator.outcomes.last == .stored, "\(kind)")
      #expect(simulator.device("carol")?.isOnline == false, "\(kind)")
      #expect(simulator.feedback(for: Samples.app).isEmpty, "\(kind)")
    }
  }

  @Test(arguments: [nil, 1] as [Int?])
  func `a shutdown comes at each match of a rule without times, as the table says`(times: Int?) throws {
    let simulator = try Samples.simulator(rules: [
      Rule(times: times, action: .reply(Reply(status: .shutdown)))
    ])
    for identifier in 1...2 as ClosedRange<UInt32> {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(identifier))
      let isShutDown = times == nil || identifier == 1
      #expect(provider.reply == (isShutDown ? [8, 10, 0, 0, 0, UInt8(identifier)] : []))
    }
    let meaning = MagicToken(kind: .refuse, code: 10).meaning
    #expect(meaning.hasSuffix(#"the fault "shutdown" fires at each match, unless it has "times""#))
  }

  @Test func `every example of the table is what it says it is`() throws {
    for example in MagicToken.examples {
      let token = example.magic.token(serial: 1)
      #expect(token.count == 32)
      #expect(token.withUnsafeBytes { MagicToken($0) } == example.magic)
    }
  }

  @Test func `magic tokens that are switched off are tokens like any other`() throws {
    let simulator = try Samples.simulator { $0.magicTokens = false }
    let provider = try CoreProvider(samples: simulator)
    provider.send(frame(1, .refuse, 1))
    #expect(provider.reply == [8, 8, 0, 0, 0, 1])
  }

  private func start() throws -> (Simulator, CoreProvider) {
    let simulator = try Samples.simulator()
    return (simulator, try CoreProvider(samples: simulator))
  }

  private func frame(
    _ identifier: UInt32,
    _ kind: MagicToken.Kind,
    _ code: UInt8,
    payload: String = #"{"aps":{"alert":"hi"}}"#
  ) -> [UInt8] {
    Samples.frame(identifier, to: MagicToken(kind: kind, code: code).token(), payload: payload)
  }
}
