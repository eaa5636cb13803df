import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A gateway connection` {
  @Test func `everything before an error stands and everything after is discarded`() throws {
    let simulator = try Samples.simulator()
    for cuts in Cuts.all {
      let provider = try CoreProvider(samples: simulator)
      var bytes: [UInt8] = []
      for number in UInt32(1)...40 {
        bytes += Samples.frame(number, to: number == 17 ? Array(repeating: 0xEE, count: 32) : Samples.online)
      }
      for piece in cuts.pieces(of: bytes) { provider.send(piece) }
      #expect(provider.reply == [8, 8, 0, 0, 0, 17])
      let view = try #require(simulator.connection(provider.connection.id))
      #expect(view.counts.accepted == 16)
      #expect(view.counts.rejected == 1)
      #expect(view.counts.discarded == 23)
      #expect(view.resend.failed.map(\.description) == ["00000011"])
      #expect(view.resend.discarded.count == 23)
      #expect(view.resend.lost == view.resend.discarded)
      provider.close()
    }
  }

  @Test(arguments: [(Edition.guide, UInt8(255)), (.final, 128)])
  func `a command that is switched off is answered as unknown, command 0 as well`(
    edition: Edition,
    status: UInt8
  ) throws {
    let simulator = try Samples.simulator {
      $0.edition = edition
      $0.commands = [.enhanced, .framed]
    }
    let provider = try CoreProvider(samples: simulator)
    provider.send([0, 0, 32] + Samples.online + [0, 2] + Array("{}".utf8))
    #expect(provider.reply == [8, status, 0, 0, 0, 0])
  }

  @Test func `a resend is recognised by content even when it is numbered anew`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(Samples.frame(1, to: Array(repeating: 0xEE, count: 32)))
    for number in UInt32(2)...5 { first.send(Samples.frame(number, payload: payload(number))) }
    first.close()
    let second = try CoreProvider(samples: simulator)
    second.send(Samples.frame(3, payload: payload(3)))
    second.send(Samples.frame(90, payload: payload(4)))
    let report = try #require(simulator.connection(first.connection.id)).resend
    #expect(report.discarded.map(\.description) == ["00000002", "00000003", "00000004", "00000005"])
    #expect(report.resent.map(\.description) == ["00000003", "00000004"])
    #expect(report.lost.map(\.description) == ["00000002", "00000005"])
    let journal = MemoryJournal(simulator).text
    #expect(
      journal.contains(#""event":"resent","notification":"n7","discardedOn":"c1","discarded":"00000004""#)
    )
  }

  /// Bad ones of every check, so that what is sent again is refused again.
  static let bad: [(payload: String, token: [UInt8])] = [
    ("{}", Samples.online), (#"{"aps":{"badge":3}}"#, [1, 2, 3]), (#"{"aps":{"badge":3}}"#, []),
    (String(repeating: "x", count: 300), Samples.online), ("", Samples.online),
    (#"{"aps":{"badge":3}}"#, [UInt8](repeating: 0xEE, count: 32)),
  ]

  @Test(arguments: bad.indices, [Int.max, 1, 50])
  func `what was sent again is not lost, whatever came of it then`(kind: Int, cut: Int) throws {
    let simulator = try Samples.simulator()
    let bad = Self.bad[kind]
    for first in [1, 4, 7] as [UInt32] {
      let bytes = (first...10).flatMap { (number: UInt32) -> [UInt8] in
        number == 3 || number == 6
          ? Samples.frame(number, to: bad.token, payload: bad.payload)
          : Samples.frame(number, payload: payload(number))
      }
      let provider = try CoreProvider(samples: simulator)
      for start in stride(from: 0, to: bytes.count, by: min(cut, bytes.count)) {
        provider.send(bytes[start..<min(bytes.count, start + min(cut, bytes.count))])
      }
      provider.close()
    }
    let reports = simulator.connections().map(\.resend)
    #expect(reports.map(\.discarded.count) == [7, 4, 0])
    #expect(reports.map(\.lost) == [[], [], []])
    #expect(reports.map(\.resent) == reports.map(\.discarded))
    #expect(simulator.advice() == [])
  }

  @Test func `what is sent again after everything else is lost no more, and no advice says so`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    let discarded = (UInt32(2)...9).flatMap { Samples.frame($0, payload: payload($0)) }
    first.send(Samples.frame(1, to: [1]) + discarded)
    first.close()
    func isAwaited() -> Bool { simulator.connections()[0].resend.isAwaited }
    #expect(isAwaited() && simulator.advice() == [])
    #expect(simulator.advice(atEnd: true).map(\.kind) == [.discardedNotResent])
    let second = try CoreProvider(samples: simulator)
    #expect(isAwaited() && simulator.advice() == [])
    second.send((UInt32(100)..<400).flatMap { Samples.frame($0) })
    #expect(!isAwaited() && simulator.advice().map(\.count) == [8])
    #expect(simulator.advice(atEnd: true).map(\.count) == [8])
    for number in UInt32(2)...9 {
      second.send(Samples.frame(number, payload: payload(number)))
      let lost = simulator.connections().map(\.resend.lost.count).reduce(0, +)
      #expect(lost == Int(9 - number) && simulator.advice().map(\.count) == (lost == 0 ? [] : [UInt64(lost)]))
    }
  }

  @Test(arguments: [
    (#"{"aps":{"badge":1,"alert":"a"},"x":10}"#, #"{"x":1e1,"aps":{"alert":"\u0061","badge":1}}"#, true),
    (#"{"aps":{"badge":1,"alert":"a"},"x":10}"#, #"{"x":11,"aps":{"alert":"a","badge":1}}"#, false),
    (#"{"aps":{},"x":[1,2]}"#, #"{"aps":{},"x":[2,1]}"#, false),
    (#"{"aps":{},"x":1,"x":2}"#, #"{"x":2,"aps":{}}"#, true),
    (#"{"aps":{"alert":"\u00e9"}}"#, #"{"aps":{"alert":"e\u0301"}}"#, false),
    // Numbers beyond all are one, as where they are compared by a rule.
    (#"{"aps":{},"x":1e999}"#, #"{"aps":{},"x":10e998}"#, true),
    (#"{"aps":{},"x":1e999}"#, #"{"aps":{},"x":-1e999}"#, false),
  ])
  func `a payload that means the same makes good a discard, whatever the order of its members`(
    discarded: String,
    again: String,
    isSame: Bool
  ) throws {
    let simulator = try Samples.simulator()
    for number in [UInt32(2), 40] {
      let first = try CoreProvider(samples: simulator)
      first.send(Samples.frame(1, to: [1]) + Samples.frame(2, payload: discarded))
      first.close()
      let second = try CoreProvider(samples: simulator)
      second.send(Samples.frame(number, payload: again))
      second.close()
      #expect(simulator.connection(first.connection.id)?.resend.resent.count == (isSame ? 1 : 0))
    }
  }

  @Test func `what stood and is accepted again is said to be there twice`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(
      (UInt32(1)...3).flatMap { Samples.frame($0, payload: payload($0)) } + Samples.frame(4, to: [1])
    )
    first.close()
    #expect(simulator.connection(first.connection.id)?.resend.duplicated == [])
    let second = try CoreProvider(samples: simulator)
    // Another text, another number: these are other notifications.
    second.send(Samples.frame(1, payload: payload(9)) + Samples.frame(8, payload: payload(1)))
    #expect(simulator.advice() == [])
    second.send(
      Samples.frame(2, payload: #"{ "aps": {"badge": 2e0} }"#) + Samples.frame(3, payload: payload(3))
    )
    second.close()
    let report = try #require(simulator.connection(first.connection.id)).resend
    #expect(report.duplicated.map(\.description) == ["00000002", "00000003"])
    let advice = simulator.advice().filter { $0.kind == .acceptedSentAgain }
    #expect(advice.map(\.count) == [2])
  }

  @Test func `what comes again for a discarded one is no duplicate of one like it that stands`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(Samples.frame(0) + Samples.frame(0, to: [1]) + Samples.frame(0))
    first.close()
    let second = try CoreProvider(samples: simulator)
    second.send(Samples.frame(0))
    #expect(simulator.advice() == [])
    second.send(Samples.frame(0))
    let report = try #require(simulator.connection(first.connection.id)).resend
    #expect(report.resent.count == 1 && report.lost == [] && report.duplicated.count == 1)
  }

  @Test func `the latest of those with one identifier and token that stood may be there twice`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(
      Samples.frame(1, payload: payload(1)) + Samples.frame(1, payload: payload(2))
        + Samples.frame(4, to: [1])
    )
    first.close()
    let second = try CoreProvider(samples: simulator)
    second.send(Samples.frame(1, payload: payload(2)))
    let report = try #require(simulator.connection(first.connection.id)).resend
    #expect(report.duplicated.map(\.description) == ["00000001"])
  }

  @Test func `what stood is looked for however much stood before`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    for start in stride(from: UInt32(1), to: 10_001, by: 500) {
      first.send((start..<start + 500).flatMap { Samples.frame($0, payload: payload(1)) })
    }
    first.send(Samples.frame(1, to: [1]))
    first.close()
    let second = try CoreProvider(samples: simulator)
    second.send(Samples.frame(10_000, payload: payload(1)) + Samples.frame(20_000, payload: payload(1)))
    second.send(Samples.frame(1, to: [1]))
    second.close()
    let third = try CoreProvider(samples: simulator)
    third.send(Samples.frame(20_000, payload: payload(1)))
    let duplicated = { try #require(simulator.connection($0)).resend.duplicated.map(\.description) }
    #expect(try duplicated(first.connection.id) == ["00002710"])
    #expect(try duplicated(second.connection.id) == ["00004e20"])
  }

  @Test func `the same again is no duplicate where there was no error, or the connection is not a later one`()
    throws
  {
    let simulator = try Samples.simulator()
    let (parallel, first) = (try CoreProvider(samples: simulator), try CoreProvider(samples: simulator))
    first.send(Samples.frame(1) + Samples.frame(2))
    first.close()
    parallel.send(Samples.frame(1))
    let failing = try CoreProvider(samples: simulator)
    failing.send(Samples.frame(1) + Samples.frame(2, to: [1]))
    parallel.send(Samples.frame(1) + Samples.frame(2))
    #expect(simulator.connections().allSatisfy { $0.resend.duplicated.isEmpty })
    #expect(!simulator.advice().contains { $0.kind == .acceptedSentAgain })
  }

  @Test func `what is discarded again and does not come a third time is lost once`() throws {
    let simulator = try Samples.simulator()
    for _ in 0..<2 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, to: [1]) + Samples.frame(2, payload: payload(2)))
      provider.close()
    }
    let third = try CoreProvider(samples: simulator)
    third.send(Samples.frame(3, payload: payload(3)))
    third.close()
    let reports = simulator.connections().map(\.resend)
    #expect(reports.map(\.lost.count) == [0, 1, 0])
    #expect(simulator.advice().map(\.kind) == [.discardedNotResent])
    #expect(simulator.advice().map(\.count) == [1])
  }

  @Test func `equal notifications after one error are not each other's resends`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: [1]))
    provider.send((UInt32(2)...9).flatMap { Samples.frame($0) })
    let report = try #require(simulator.connection(provider.connection.id)).resend
    #expect(report.lost == report.discarded && report.lost.count == 8)
  }

  @Test func `a thousand equal notifications are resent one by one`() throws {
    let simulator = try Samples.simulator()
    let first = try CoreProvider(samples: simulator)
    first.send(Samples.frame(0, to: Array(repeating: 0xEE, count: 32)))
    first.send((UInt32(1)...1000).flatMap { Samples.frame($0) })
    let second = try CoreProvider(samples: simulator)
    second.send((UInt32(2)...1000).flatMap { Samples.frame($0) })
    let report = try #require(simulator.connection(first.connection.id)).resend
    #expect(report.lost.map(\.description) == ["00000001"])
  }

  @Test func `a shutdown names the last accepted notification`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...3).flatMap { Samples.frame($0) })
    provider.shutdown()
    provider.send(Samples.frame(4))
    #expect(provider.reply == [8, 10, 0, 0, 0, 3])
    #expect(simulator.outcomes == [.delivered, .delivered, .delivered, .discarded])
    provider.shutdown()
    #expect(provider.reply.count == 6)
  }

  @Test func `a shutdown of a fresh connection names 0`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.shutdown()
    #expect(provider.reply == [8, 10, 0, 0, 0, 0])
    #expect(provider.ending == .drain)
  }

  @Test func `a provider that writes for ever after its error costs no memory`() throws {
    let simulator = try Samples.simulator { $0.limits.history = 1000 }
    let provider = try CoreProvider(samples: simulator)
    provider.send([0x47])
    let garbage = [UInt8](repeating: 0x47, count: 65_536)
    for _ in 0..<200 { provider.send(garbage) }
    provider.close()
    let journal = MemoryJournal(simulator)
    #expect(journal.text.contains(#""event":"bytesIn""#))
    #expect(journal.text.contains(#""count":13107200"#))
    #expect(journal.text.utf8.count < 20_000)
  }

  @Test func `a notification answered early is read past to the next one`() throws {
    let simulator = try Samples.simulator()
    for cuts in Cuts.all {
      let provider = try CoreProvider(samples: simulator)
      let long = String(repeating: "x", count: 3000)
      let bytes =
        Samples.frame(1, payload: #"{"aps":{"alert":"\#(long)"}}"#) + Samples.frame(2) + Samples.frame(3)
      for piece in cuts.pieces(of: bytes) { provider.send(piece) }
      #expect(provider.reply == [8, 7, 0, 0, 0, 1])
      let view = try #require(simulator.connection(provider.connection.id))
      #expect(view.resend.discarded.map(\.description) == ["00000002", "00000003"])
    }
  }

  @Test func `a token size of an added device is a known size`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let token = [UInt8](repeating: 0x54, count: 54)
    try simulator.perform(
      .putDevice(
        DeviceSpecification(name: "phone", apps: [AppSpecification(app: Samples.app, token: token)])
      )
    )
    provider.send(Samples.frame(1, to: token))
    #expect(provider.reply.isEmpty)
    #expect(simulator.inbox(of: "phone")?.notifications.count == 1)
  }

  @Test func `a token size is unknown again when the last device of that size is gone`() throws {
    let simulator = try Samples.simulator()
    let tokens = (UInt8(1)...2).map { [UInt8](repeating: $0, count: 54) }
    for (name, token) in zip(["phone", "tablet"], tokens) {
      try simulator.perform(
        .putDevice(DeviceSpecification(name: name, apps: [AppSpecification(app: Samples.app, token: token)]))
      )
    }
    func answer() throws -> [UInt8] {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, to: tokens[0]))
      return provider.reply
    }
    try simulator.perform(.removeDevice("phone"))
    #expect(try answer() == [8, 8, 0, 0, 0, 1])
    try simulator.perform(.removeDevice("tablet"))
    #expect(try answer() == [8, 5, 0, 0, 0, 1])
  }

  @Test func `what was read of a frame does not change with the sizes that are known later`() throws {
    let simulator = try Samples.simulator()
    let token = [UInt8](repeating: 0x54, count: 54)
    try CoreProvider(samples: simulator).send(Samples.frame(7, to: token))
    let before = try #require(simulator.notification(1))
    #expect(before.identifier?.rawValue == 7)
    try simulator.perform(
      .putDevice(DeviceSpecification(name: "phone", apps: [AppSpecification(app: Samples.app, token: token)]))
    )
    let after = try #require(simulator.notification(1))
    #expect("\(after)" == "\(before)")
  }

  @Test func `command 0 is closed without an error response and later identifiers do not help it`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    provider.send([0, 0, 31])
    #expect(provider.reply.isEmpty)
    #expect(provider.ending == .drain)
    #expect(simulator.connection(provider.connection.id)?.resend.failed.map(\.description) == ["n2"])
  }

  @Test func `what is answered with silence by a quirk is rejected with its status all the same`() throws {
    let simulator = try Samples.simulator { $0.quirks = [.silentParseErrors] }
    let provider = try CoreProvider(samples: simulator)
    provider.send([7])
    #expect(provider.reply.isEmpty && provider.ending == .drain)
    let framing = try CoreProvider(samples: simulator)
    framing.send([2, 0, 0, 0, 0])
    #expect(framing.reply.isEmpty && framing.ending == .drain)
    let views = simulator.notifications()
    #expect(views.map(\.outcome) == [.rejected, .rejected])
    #expect(views.map(\.status) == [.unknown, .protocolError])
    #expect(views.allSatisfy { $0.explanations.last?.detail?.contains("silentParseErrors") == true })
    #expect(simulator.connection(provider.connection.id)?.error == nil)
  }

  @Test func `an explanation says what failed and what people stumble over`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let text = String(repeating: "x", count: 1000)
    provider.send(Samples.frame(1, payload: #"{"aps":{"alert":"\#(text)"}}"#))
    let explanation = try #require(simulator.notifications().first?.explanations)
    #expect(explanation.map(\.check) == ["tokenPresence", "tokenSize", "payloadPresence", "payloadSize"])
    #expect(explanation.last?.isPassed == false)
    #expect(explanation.last?.hint == "command 1 allows 256, command 2 allows 2048")
  }

  @Test(arguments: [
    (#"{"aps":{},"aps":{"alert":"x"}}"#, "payload", "'aps' is there more than once"),
    (#"{"aps":{},"x":null}"#, "payload", "a custom value is null"),
    (
      #"{"aps":{"content-available":1}}"#, "priority", "priority 10 for a payload with only content-available"
    ),
  ])
  func `an explanation says what was accepted and may be a mistake`(
    _ payload: String,
    _ check: String,
    _ detail: String
  ) throws {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    let items: [(UInt8, [UInt8])] = [(1, Samples.online), (2, Array(payload.utf8)), (5, [10])]
    let frame: [UInt8] = items.flatMap { [$0.0, 0, UInt8($0.1.count)] + $0.1 }
    try CoreProvider(samples: simulator).send([2] + Samples.big(UInt32(frame.count)) + frame)
    let view = try #require(simulator.notification(1))
    #expect(view.outcome == .delivered)
    let noted = view.explanations.filter { $0.hint != nil }
    #expect(noted.map(\.check) == [check])
    #expect(noted.first?.detail == detail)
    #expect(noted.first?.isPassed == true)
  }

  private func payload(_ number: UInt32) -> String { #"{"aps":{"badge":\#(number)}}"# }

  @Test func `no byte is lost where what frames are judged by changes in the middle of one`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let provider = try CoreProvider(samples: simulator)
    let frame = [2] + Samples.big(200) + [UInt8](repeating: 7, count: 35)
    provider.send(frame)
    var scenario = Scenario()
    scenario.settings = [SettingAssignment(name: "commands", text: "0,1")]
    try simulator.perform(.replaceScenario(scenario))
    provider.send([8, 9, 10])
    provider.close()
    #expect(provider.reply == [8, 255, 0, 0, 0, 0])
    let rest = Array(frame.dropFirst()) + [8, 9, 10]
    #expect(journal.text.contains(#""bytes":"\#(Base64.encode(rest))""#), "\(journal.text)")
  }

  @Test func `a timeline changes what frames are judged by at once`() throws {
    let token = [UInt8](repeating: 5, count: 54)
    let carol = DeviceSpecification(name: "carol", apps: [AppSpecification(app: Samples.app, token: token)])
    let simulator = try Samples.simulator()
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.timeline = [
      TimelineEntry(at: .minutes(1), action: .perform(.putDevice(carol))),
      TimelineEntry(at: .minutes(2), action: .perform(.removeDevice("carol"))),
    ]
    try simulator.perform(.replaceScenario(scenario))
    let provider = try CoreProvider(samples: simulator)
    let frame = Samples.frame(1, to: token)
    // Under a real clock nothing but its own read brings the moment.
    try simulator.perform(.resumeClock)
    provider.now = Moment.start + .minutes(1)
    provider.send(frame)
    #expect(simulator.outcomes == [.delivered])
    simulator.wake(at: Moment.start + .minutes(2))
    // The length of the token is answered, and the rest of the frame not waited for.
    provider.now = Moment.start + .minutes(2)
    provider.send(frame.prefix(13))
    #expect(provider.reply == [8, 5, 0, 0, 0, 1])
  }

  @Test func `a command that is switched off is not said to go unanswered`() throws {
    let simulator = try Samples.simulator { $0.commands = .enhanced }
    let provider = try CoreProvider(samples: simulator)
    provider.send([0])
    #expect(provider.reply == [8, 255, 0, 0, 0, 0])
    let detail = simulator.notification(1)?.explanations.last?.detail
    #expect(detail == "command byte 0 is not one of 1")
  }
}
