import APNSimCore
import APNSimWire
import Testing

@Suite struct `The story of a connection` {
  private static func texts(_ story: ConnectionStory) -> [String] {
    story.steps.map { "\($0.by) \($0.kind): \($0.text)" }
  }

  @Test
  func `the story of a connection tells an error, what it cost, and what came again on the next connection`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for identifier in UInt32(1)...39 { provider.send(Samples.frame(identifier)) }
    provider.now = Moment.start + .seconds(259)
    try simulator.perform(.setClock(provider.now))
    let burst =
      Samples.frame(40, to: Array(repeating: 0x77, count: 32))
      + Samples.frame(41, payload: #"{"aps":{"badge":41}}"#)
      + Samples.frame(42, payload: #"{"aps":{"badge":42}}"#)
      + Samples.frame(43, payload: #"{"aps":{"badge":43}}"#)
    provider.send(burst)
    provider.close()
    let next = try CoreProvider(simulator, topic: Samples.topic, at: provider.now)
    next.send(Samples.frame(1041, payload: #"{"aps":{"badge":41}}"#))
    let story = try #require(simulator.story(of: provider.connection.id))
    #expect(
      Self.texts(story) == [
        "provider handshake: Connection, com.example.sim",
        "provider frames: 39 notifications, 2,613 bytes",
        "provider silence: 4 min 19 s without a byte",
        "provider frames: 00000028  67 bytes",
        "service error: 08 08 00 00 00 28",
        "provider frames: 00000029  0000002a  0000002b  195 bytes",
        "provider end: FIN",
        "provider frames: 00000029",
        "provider silence: 0000002a and 0000002b have not come again yet",
      ]
    )
    #expect(story.sentence == "One bad notification, two not sent again yet")
    #expect(
      story.why
        == "Status 8 for identifier 00000028 ended the connection. Three notifications were on the wire behind it and "
        + "went unread. The provider sent one of them again on c2."
    )
    #expect(story.cost.counts.accepted == 39 && story.cost.resent == 1 && story.cost.lost == 2)
    #expect(story.cost.resentOn == [next.connection.id])
    #expect(story.steps[1].notifications == 1...39 && story.steps[1].fate == .accepted)
    #expect(story.steps[7].connection == next.connection.id)
    #expect(simulator.story(of: ConnectionID(rawValue: 9)) == nil)
  }

  @Test func `the story of a connection says who ended a connection whose error response had not left`()
    throws
  {
    var delayed = Reply(status: .invalidToken)
    delayed.delay = .hours(1)
    let simulator = try Samples.simulator(rules: [Rule(action: .reply(delayed))])
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    let id = provider.connection.id
    #expect(simulator.story(of: id)?.sentence.hasPrefix("No error response so far") == true)
    provider.close()
    #expect(simulator.story(of: id)?.sentence.hasPrefix("Closed by the provider") == true)
  }

  @Test
  func `the story of a connection of HTTP/2 pairs requests with answers, and folds very many by outcome`()
    throws
  {
    let simulator = try Samples.simulator()
    let requester = try CoreRequester(simulator)
    requester.send(requester.request())
    requester.send(requester.request(to: "77"))
    let few = try #require(simulator.story(of: requester.connection.id))
    #expect(
      Self.texts(few).dropFirst() == [
        "provider frames: stream 1, 22 bytes of payload", "service answer: 200, stream 1",
        "provider frames: stream 3, 22 bytes of payload", "service answer: 400 BadDeviceToken, stream 3",
      ]
    )
    for _ in 0..<40 { requester.send(requester.request()) }
    let many = try #require(simulator.story(of: requester.connection.id))
    #expect(
      Self.texts(many).dropFirst() == [
        "provider frames: 41 requests, 902 bytes of payload",
        "provider frames: 1 request, 22 bytes of payload", "service answer: 41 answers: 200",
        "service answer: 400 BadDeviceToken",
      ]
    )
    #expect(many.sentence == "42 requests, one refused")
    #expect(many.cost.answered == 42 && many.cost.unanswered == 0)
  }

  @Test func `the story of a connection tells a GOAWAY and what it left unanswered`() throws {
    let goAway = Fault.goaway(Fault.GoAway(lastStream: .below, reason: .shutdown, then: .open))
    var second = RuleMatch()
    second.nth = .equals(.number("2"))
    let simulator = try Samples.simulator(rules: [Rule(when: second, action: .fault(goAway))])
    let requester = try CoreRequester(simulator)
    for _ in 0..<3 { requester.send(requester.request()) }
    let story = try #require(simulator.story(of: requester.connection.id))
    let said = try #require(story.steps.first { $0.kind == .goaway })
    #expect(said.text == #"GOAWAY NO_ERROR, last stream 1 {"reason":"Shutdown"}"#)
    #expect(story.cost.unanswered == 2 && story.cost.answered == 1)
    #expect(story.sentence.hasPrefix("GOAWAY left two requests unanswered"))
    #expect(story.steps.filter { $0.fate == .unanswered }.count == 2)
  }

  @Test func `what a rule, a magic token or a fault did is marked so in the story of a connection`() throws {
    var rule = Rule(name: "gone", action: .answer(ScriptedAnswer(reason: .unregistered)))
    rule.when.token = .equals(.string(Hex.encode(Samples.offline)))
    let simulator = try Samples.simulator(rules: [rule]) { $0.tokens = .any }
    let requester = try CoreRequester(simulator)
    let magic = ["e11a", "d104", "d101"].map { "41504e53494d\($0)" + String(repeating: "0", count: 48) }
    for token in [Hex.encode(Samples.online), Hex.encode(Samples.offline)] + magic {
      requester.send(requester.request(to: token))
    }
    let story = try #require(simulator.story(of: requester.connection.id))
    let marked = story.steps.compactMap { step in
      step.by == .service ? step.script.map { "\(step.text): \($0.name)" } : nil
    }
    #expect(
      marked == [
        #"410 Unregistered, stream 3: rule "gone""#, "410 Unregistered, stream 5: its magic token",
        "RST_STREAM REFUSED_STREAM, stream 7: its magic token",
        "GOAWAY NO_ERROR, last stream 7: its magic token",
      ]
    )
    #expect(story.steps.first { $0.text.hasPrefix("410") }?.remark == #"by rule "gone""#)
    let unmarked = story.steps.first { $0.text == "200, stream 1" }
    #expect(unmarked?.script == nil && unmarked?.remark.isEmpty == true)
    // The request that GOAWAY went by is marked, too.
    let last = try #require(simulator.notification(5))
    #expect(last.outcome == .discarded)
    #expect(last.explanations.map(\.check) == ["magicToken", "discard"])
    #expect(last.explanations.first?.detail == "the token scripts itself: goaway")
  }

  @Test
  func `an error response by a rule is marked so in the story of a connection, one by the gateway is not`()
    throws
  {
    let byRule = try Samples.simulator(rules: [Rule(action: .reply(Reply(status: .invalidToken)))])
    let refused = try CoreProvider(samples: byRule)
    refused.send(Samples.frame(1))
    let scripted = try #require(byRule.story(of: refused.connection.id))
    #expect(scripted.steps.filter { $0.script != nil }.map(\.script?.name) == ["rule 1", "rule 1"])
    #expect(scripted.steps.contains { $0.remark == "error response, status 8 Invalid token, by rule 1" })
    let byGateway = try Samples.simulator()
    let mistaken = try CoreProvider(samples: byGateway)
    mistaken.send(Samples.frame(1, to: Array(repeating: 0x77, count: 32)))
    #expect(byGateway.story(of: mistaken.connection.id)?.steps.allSatisfy { $0.script == nil } == true)
  }

  @Test func `a rule that does something beside the answer is not said to have given it`() throws {
    let rule = Rule(action: .fault(.goaway(.init())))
    let simulator = try Samples.simulator(rules: [rule])
    let requester = try CoreRequester(simulator)
    requester.send(requester.request(to: String(repeating: "77", count: 32)))
    let story = try #require(simulator.story(of: requester.connection.id))
    let answer = try #require(story.steps.first { $0.text == "400 BadDeviceToken, stream 1" })
    #expect(answer.remark == "rule 1 fired" && answer.script?.decides == false)
    let goaway = try #require(story.steps.first { $0.kind == .goaway })
    #expect(goaway.remark == "a fault that was asked for, at stream 1, by rule 1")
  }

  @Test func `the story of a connection stays within its bound however much happened`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for identifier in UInt32(1)...600 {
      provider.now = provider.now + .seconds(60)
      try simulator.perform(.setClock(provider.now))
      provider.send(Samples.frame(identifier))
    }
    let story = try #require(simulator.story(of: provider.connection.id))
    #expect(story.steps.count <= ConnectionStory.mostSteps + 2)
    #expect(story.steps.contains { $0.text == "801 steps left out" })
    #expect(story.steps.last?.notifications == 600...600)
  }

  @Test func `the story of a connection says what is not kept any more`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 10 }
    let provider = try CoreProvider(samples: simulator)
    for identifier in UInt32(1)...25 { provider.send(Samples.frame(identifier)) }
    let story = try #require(simulator.story(of: provider.connection.id))
    #expect(story.steps[1].text == "15 notifications not kept any more")
    #expect(story.steps[2].notifications == 16...25)
  }

  @Test func `the story of a connection changes nothing`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    let next = simulator.nextSeq
    _ = simulator.story(of: provider.connection.id)
    #expect(simulator.nextSeq == next)
  }
}
