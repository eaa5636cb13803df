import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Faults of requests` {
  /// A provider of requests under rules.
  private static func provider(
    _ rules: Rule...,
    quirks: Quirks = []
  ) throws -> CoreRequester {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = rules
    var configuration = Configuration()
    configuration.quirks = quirks
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 1,
      start: Moment.start
    )
    return try CoreRequester(simulator)
  }

  private static func rule(_ fault: Fault, nth: Int? = nil) -> Rule {
    var when = RuleMatch()
    when.listener = .interfaces
    when.nth = nth.map { .equals(.number("\($0)")) }
    return Rule(when: when, action: .fault(fault))
  }

  private static func send(_ count: Int, to provider: CoreRequester) {
    for _ in 0..<count { provider.send(provider.request()) }
  }

  private func unanswered(_ provider: CoreRequester) -> [String]? {
    provider.simulator.connection(provider.connection.id)?.resend.unanswered.map(\.description)
  }

  // MARK: GOAWAY

  @Test func `GOAWAY exactly at a request comes after its answer, and closes`() throws {
    let provider = try Self.provider(Self.rule(.goaway(.init(reason: .shutdown)), nth: 2))
    Self.send(4, to: provider)
    #expect(provider.seen == ["200 on 1", "200 on 3", #"GOAWAY NO_ERROR 3 {"reason":"Shutdown"}"#])
    #expect(provider.ending == .drain)
    #expect(provider.simulator.outcomes == [.delivered, .delivered, .discarded, .discarded])
    #expect(unanswered(provider) == ["n3", "n4"])
    let counts = provider.simulator.connection(provider.connection.id)?.counts
    #expect(counts?.received == 4 && counts?.accepted == 2 && counts?.discarded == 2)
  }

  @Test(arguments: [
    (Fault.GoAway.LastStream.below, "GOAWAY NO_ERROR 1", 1, [Outcome.delivered, .discarded]),
    (.zero, "GOAWAY NO_ERROR 0", 1, [.delivered, .discarded]),
    (.number(1), "GOAWAY NO_ERROR 1", 1, [.delivered, .discarded]),
    (.number(2_147_483_647), "GOAWAY NO_ERROR 2147483647", 2, [.delivered, .delivered]),
  ])
  func `GOAWAY names the last stream that it is told, and answers none above`(
    lastStream: Fault.GoAway.LastStream,
    frame: String,
    answers: Int,
    outcomes: [Outcome]
  ) throws {
    let provider = try Self.provider(Self.rule(.goaway(.init(lastStream: lastStream)), nth: 2))
    Self.send(3, to: provider)
    #expect(provider.seen.last == frame)
    #expect(provider.answers.count == answers)
    #expect(provider.simulator.outcomes == outcomes + [.discarded])
  }

  @Test func `GOAWAY may leave the connection open, where nothing more is heard`() throws {
    let goAway = Fault.GoAway(debug: "bye", then: .open)
    let provider = try Self.provider(Self.rule(.goaway(goAway), nth: 1))
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 on 1", "GOAWAY NO_ERROR 1 bye"])
    #expect(provider.ending == .none)
    #expect(provider.simulator.connections().map(\.isOpen) == [true])
    #expect(provider.simulator.outcomes == [.delivered, .discarded, .discarded])
    let view = try #require(provider.simulator.notification(2))
    #expect(view.request?.status == nil && view.explanations.map(\.check) == ["discard"])
  }

  @Test func `GOAWAY may have every later stream refused`() throws {
    let goAway = Fault.GoAway(lastStream: .below, code: .internalError, then: .refuse, isTwice: true)
    let provider = try Self.provider(Self.rule(.goaway(goAway), nth: 2))
    Self.send(4, to: provider)
    let frame = "GOAWAY INTERNAL_ERROR 1"
    #expect(
      provider.seen
        == ["200 on 1", frame, frame, "RST_STREAM REFUSED_STREAM on 5", "RST_STREAM REFUSED_STREAM on 7"]
    )
    #expect(provider.ending == .none)
  }

  @Test func `the journal says at which stream, and does not depend on how requests came together`() throws {
    var journals: [String] = []
    for size in [1, 2, 4] {
      let provider = try Self.provider(Self.rule(.goaway(.init(lastStream: .below)), nth: 3))
      let journal = MemoryJournal(provider.simulator)
      let requests = (0..<4).map { _ in provider.request() }
      for start in stride(from: 0, to: 4, by: size) { provider.send(requests[start..<start + size]) }
      journals.append(journal.text)
    }
    #expect(journals[0] == journals[1] && journals[1] == journals[2])
    #expect(journals[0].contains(#""fault":"goaway","stream":5,"lastStream":3"#))
    #expect(journals[0].components(of: #""outcome":"discarded""#) == 2)
  }

  @Test func `answers below the last stream leave before the connection closes, those above never`() throws {
    var slow = Self.rule(.slowAnswer(.seconds(1), .zero))
    slow.times = 2
    let provider = try Self.provider(
      Self.rule(.goaway(.init(lastStream: .number(1))), nth: 3),
      slow
    )
    Self.send(3, to: provider)
    #expect(provider.seen == ["GOAWAY NO_ERROR 1"] && provider.ending == .none)
    #expect(unanswered(provider)?.sorted() == ["n2", "n3"])
    try provider.simulator.perform(.advanceClock(.seconds(1)))
    #expect(provider.seen == ["GOAWAY NO_ERROR 1", "200 on 1"] && provider.ending == .drain)
    #expect(provider.simulator.outcomes == [.delivered, .delivered, .discarded])
  }

  // MARK: Streams

  @Test func `a stream may be reset instead of answered, and nothing is delivered`() throws {
    let provider = try Self.provider(Self.rule(.resetStream(.refusedStream), nth: 2))
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 on 1", "RST_STREAM REFUSED_STREAM on 3", "200 on 5"])
    #expect(provider.simulator.outcomes == [.delivered, .rejected, .delivered])
    let view = try #require(provider.simulator.notification(2))
    #expect(view.request?.status == nil)
    #expect(view.explanations.map(\.detail) == ["rule 1 resets the stream with REFUSED_STREAM"])
  }

  @Test(arguments: [(true, Outcome.delivered), (false, .rejected)])
  func `a stream may never be answered, whether it was delivered or not`(
    isDelivered: Bool,
    outcome: Outcome
  ) throws {
    let provider = try Self.provider(Self.rule(.unanswered(isDelivered), nth: 2))
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 on 1", "200 on 5"])
    #expect(provider.simulator.outcomes == [.delivered, outcome, .delivered])
    #expect(provider.simulator.notification(2)?.request?.status == nil)
    #expect(unanswered(provider) == ["n2"])
  }

  @Test func `an answer's headers and its body may each take their time`() throws {
    let provider = try Self.provider(
      Self.rule(.slowAnswer(.seconds(1), .seconds(2)), nth: 1),
      Self.rule(.slowAnswer(.zero, .seconds(5)), nth: 2)
    )
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 headers on 3", "200 on 5"])
    try provider.simulator.perform(.advanceClock(.milliseconds(2999)))
    #expect(provider.seen == ["200 headers on 3", "200 on 5", "200 headers on 1"])
    try provider.simulator.perform(.advanceClock(.milliseconds(1)))
    #expect(provider.seen.last == "200 body on 1")
    try provider.simulator.perform(.advanceClock(.seconds(2)))
    #expect(provider.seen.last == "200 body on 3")
  }

  @Test func `the number of streams may change at a request`() throws {
    let provider = try Self.provider(Self.rule(.maxStreams(1), nth: 2))
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 on 1", "SETTINGS 1", "200 on 3", "200 on 5"])
    #expect(provider.simulator.outcomes == [.delivered, .delivered, .delivered])
  }

  @Test func `500 stays until the provider reconnects`() throws {
    let provider = try Self.provider(Self.rule(.stickyServerError, nth: 2))
    Self.send(3, to: provider)
    #expect(provider.seen == ["200 on 1", "500 on 3", "500 on 5"])
    let second = try CoreRequester(provider.simulator)
    Self.send(1, to: second)
    #expect(second.seen == ["200 on 1"])
  }

  // MARK: Tokens whose app is gone

  @Test(arguments: [TokenPolicy.any, .known, .issued], [1, 4])
  func `a token that removes its app counts as late from its first request on`(tokens: TokenPolicy, size: Int)
    throws
  {
    let rule = Self.rule(.lateUnregistered(.init(successes: 2)))
    let provider = try CoreRequester(Samples.simulator(rules: [rule]) { $0.tokens = tokens })
    let requests = (0..<4).map { _ in provider.request(to: Self.gone) }
    for start in stride(from: 0, to: 4, by: size) { provider.send(requests[start..<start + size]) }
    #expect(provider.seen == ["200 on 1", "200 on 3", "410 on 5", "410 on 7"])
    #expect(provider.simulator.outcomes == [.refused, .refused, .rejected, .rejected])
    #expect(provider.answers.last?.reason == .unregistered)
  }

  @Test func `a token that removes its app is late for a time from its first request on`() throws {
    let provider = try Self.provider(Self.rule(.lateUnregistered(.init(span: .seconds(60)))))
    for _ in 0..<2 { provider.send(provider.request(to: Self.gone)) }
    try provider.simulator.perform(.advanceClock(.seconds(60)))
    provider.send(provider.request(to: Self.gone))
    #expect(provider.seen == ["200 on 1", "200 on 3", "410 on 5"])
  }

  @Test(
    arguments: [
      (Rule.Action.answer(ScriptedAnswer(reason: .serviceUnavailable)), ["503 on 1", "410 on 3"]),
      (.answer(ScriptedAnswer(status: 200, body: "")), ["200 on 1", "410 on 3"]),
      (.fault(.resetStream(.refusedStream)), ["RST_STREAM REFUSED_STREAM on 1", "410 on 3"]),
      (.fault(.maxStreams(1)), ["SETTINGS 1", "410 on 1", "410 on 3"]),
      (.fault(.slowAnswer(.seconds(1), .zero)), ["410 on 3", "410 on 1"]),
      (.proceed, ["410 on 1", "410 on 3"]),
    ] as [(Rule.Action, [String])]
  )
  func `a rule for the reason of a token that removes its app has its first request`(
    action: Rule.Action,
    seen: [String]
  ) throws {
    var when = RuleMatch()
    when.reason = .equals(.string("Unregistered"))
    let provider = try Self.provider(Rule(when: when, times: 1, action: action))
    for _ in 0..<2 { provider.send(provider.request(to: Self.gone)) }
    try provider.simulator.perform(.advanceClock(.seconds(1)))
    #expect(provider.seen == seen)
  }

  @Test func `a rule that asks for no reason still comes before what a token does`() throws {
    var rule = Self.rule(.slowAnswer(.seconds(1), .zero))
    rule.times = 1
    let provider = try Self.provider(rule)
    for _ in 0..<2 { provider.send(provider.request(to: Self.gone)) }
    try provider.simulator.perform(.advanceClock(.seconds(1)))
    #expect(provider.seen == ["410 on 3", "200 on 1"])
    #expect(provider.simulator.outcomes == [.delivered, .rejected])
  }

  private static let gone = Hex.encode(MagicToken(kind: .uninstalled, code: 0).token())

  // MARK: Connections

  @Test(arguments: [
    (Fault.close(.afterRequests(2)), ConnectionEnding.drain), (.reset(.afterRequests(2)), .reset),
    (.stopReading(.afterFrames(2)), .stopReading),
  ])
  func `a connection may end after exactly so many requests`(fault: Fault, ending: ConnectionEnding) throws {
    for size in [1, 4] {
      let provider = try Self.provider(Self.rule(fault))
      let requests = (0..<4).map { _ in provider.request() }
      for start in stride(from: 0, to: 4, by: size) { provider.send(requests[start..<start + size]) }
      #expect(provider.seen == ["200 on 1", "200 on 3"] && provider.ending == ending)
      #expect(provider.simulator.outcomes == [.delivered, .delivered])
    }
  }

  @Test func `a connection may end before its first request`() throws {
    let provider = try Self.provider(Self.rule(.close(.afterRequests(0))))
    #expect(provider.connection.openingEnding == .drain)
    Self.send(1, to: provider)
    #expect(provider.seen == [] && provider.simulator.outcomes == [])
  }

  @Test func `a black hole records what it swallows, and answers nothing`() throws {
    let provider = try Self.provider(Self.rule(.blackHole))
    Self.send(2, to: provider)
    #expect(provider.seen == [] && provider.ending == .none)
    #expect(provider.simulator.outcomes == [.discarded, .discarded])
    #expect(unanswered(provider) == ["n1", "n2"])
  }

  @Test func `after a refusal one stream at a time is allowed, until the next success`() throws {
    let provider = try Self.provider(quirks: .concurrencyDrop)
    let bad = provider.request(headers: [("apns-priority", "7")])
    provider.send(bad)
    provider.send(provider.request(headers: [("apns-priority", "7")]))
    Self.send(2, to: provider)
    #expect(
      provider.seen == ["400 on 1", "SETTINGS 1", "400 on 3", "200 on 5", "SETTINGS as usual", "200 on 7"]
    )
  }

  // MARK: Magic tokens

  @Test(
    arguments: [
      (0x00, ["200 on 1", "GOAWAY NO_ERROR 1"], Outcome.delivered, ConnectionEnding.drain),
      (0x01, ["GOAWAY NO_ERROR 0"], .discarded, .drain),
      (0x02, ["200 on 1", #"GOAWAY NO_ERROR 1 {"reason":"Shutdown"}"#], .delivered, .none),
      (0x03, ["200 on 1", "GOAWAY NO_ERROR 1", "RST_STREAM REFUSED_STREAM on 3"], .delivered, .none),
      (0x04, ["RST_STREAM REFUSED_STREAM on 1", "200 on 3"], .rejected, .none),
      (0x05, ["RST_STREAM INTERNAL_ERROR on 1", "200 on 3"], .rejected, .none),
      (0x06, ["200 on 3"], .delivered, .none), (0x07, ["200 on 3"], .rejected, .none),
      (0x08, [], .rejected, .reset), (0x09, [], .rejected, .drain),
      (0x0A, ["SETTINGS 1", "200 on 1", "200 on 3"], .delivered, .none),
      (0x0B, ["500 on 1", "500 on 3"], .rejected, .none),
    ] as [(UInt8, [String], Outcome, ConnectionEnding)]
  )
  func `a token of kind d1 brings a fault with it`(
    code: UInt8,
    seen: [String],
    outcome: Outcome,
    ending: ConnectionEnding
  ) throws {
    let provider = try Self.provider()
    provider.send(provider.request(to: Hex.encode(MagicToken(kind: .requestFault, code: code).token())))
    provider.send(provider.request())
    #expect(provider.seen == seen)
    #expect(provider.simulator.outcomes.first == outcome && provider.ending == ending)
  }

  @Test(arguments: [0x01, 0x04] as [UInt8], OutcomeRules.allCases)
  func
    `a token after which a request is sent again brings its fault once, on any connection, and every time where it says so`(
      code: UInt8,
      rules: OutcomeRules
    ) throws
  {
    let magic = MagicToken(kind: .requestFault, code: code)
    for (serial, isEveryTime) in [(0 as UInt64, rules == .first), (2, rules == .first), (1, true)] {
      let simulator = try Samples.simulator { $0.rules = rules }
      let token = Hex.encode(magic.token(serial: serial))
      for attempt in 1...3 {
        let provider = try CoreRequester(simulator)
        provider.send(provider.request(to: token))
        let isFault = attempt == 1 || isEveryTime
        #expect(provider.answers.isEmpty == isFault, "\(serial), \(attempt)")
        #expect((simulator.outcomes.last == .delivered) == !isFault)
      }
      let explanations = try #require(simulator.notification(3)).explanations.map(\.detail)
      #expect(
        explanations.contains("the token scripted itself once, and is an ordinary one since") == !isEveryTime
      )
      try simulator.perform(.reset)
      let provider = try CoreRequester(simulator)
      provider.send(provider.request(to: token))
      #expect(provider.answers.isEmpty)
    }
  }

  @Test func `the tokens that have brought their faults are kept, and the oldest makes room`() throws {
    var tokens = SpentTokens()
    func spend(_ number: Int, _ tokens: inout SpentTokens) -> Bool {
      withUnsafeBytes(of: number) { tokens.spend($0) }
    }
    for number in 0...SpentTokens.most { #expect(spend(number, &tokens)) }
    let kept = KeptPart { tokens.write(to: &$0) }
    var read = try kept.read { try SpentTokens(reading: &$0) }
    #expect(KeptPart { read.write(to: &$0) }.bytes == kept.bytes)
    for number in [1, SpentTokens.most] { #expect(!spend(number, &read) && !spend(number, &tokens)) }
    #expect(spend(0, &read) && spend(0, &tokens) && spend(1, &read))
  }

  @Test(
    arguments: [
      (0x00, [8, 10, 0, 0, 0, 1], ConnectionEnding.drain), (0x01, [8, 10, 0, 0, 0, 1], .drain),
      (0x02, [8, 10, 0, 0, 0, 1], .drain), (0x03, [8, 10, 0, 0, 0, 1], .drain), (0x04, [], .drain),
      (0x05, [8, 1, 0, 0, 0, 1], .drain), (0x06, [], .none), (0x07, [], .none), (0x08, [], .reset),
      (0x09, [], .drain), (0x0A, [], .none), (0x0B, [8, 1, 0, 0, 0, 1], .drain),
    ] as [(UInt8, [UInt8], ConnectionEnding)]
  )
  func `a frame to a token of kind d1 gets the nearest counterpart`(
    code: UInt8,
    reply: [UInt8],
    ending: ConnectionEnding
  ) throws {
    let provider = try CoreProvider(samples: Samples.simulator())
    provider.send(Samples.frame(1, to: MagicToken(kind: .requestFault, code: code).token()))
    #expect(provider.reply == reply && provider.ending == ending)
  }
}

extension String {
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
