import APNSimCore
import APNSimWire
import Testing

@Suite struct `The preview of a fault` {
  @Test func `the preview of a fault says what the rule would have hit, and adds nothing`() async throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for identifier in UInt32(1)...6 {
      provider.send(Samples.frame(identifier, to: identifier % 2 == 0 ? Samples.offline : Samples.online))
    }
    let next = simulator.nextSeq
    var when = RuleMatch()
    when.device = .equals(.string("bob"))
    let once = await simulator.preview(
      Rule(when: when, times: 1, action: .reply(Reply(status: .invalidToken)))
    )
    #expect(once.lookingBack.count == 3 && once.lookingBack.total == 6 && once.lookingBack.fired == 1)
    #expect(once.lookingBack.first == ["n2"] && !once.lookingBack.isOfConnections)
    let every = await simulator.preview(
      Rule(when: when, after: 1, every: 2, action: .reply(Reply(status: .invalidToken)))
    )
    #expect(every.lookingBack.first == ["n4"] && every.lookingBack.fired == 1)
    var third = RuleMatch()
    third.nth = .equals(.number("3"))
    #expect(await simulator.preview(Rule(when: third, action: .fault(.swallow))).lookingBack.first == ["n3"])
    let latency = await simulator.preview(Rule(action: .fault(.latency(.seconds(1)))))
    #expect(latency.lookingBack.isOfConnections && latency.lookingBack.first == ["c1"])
    #expect(simulator.nextSeq == next && simulator.rules().isEmpty)
  }

  @Test func `the preview of a fault does not count what other conditions or interfaces exclude`()
    async throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    let requester = try CoreRequester(simulator)
    requester.send(requester.request())
    requester.send(requester.request(headers: [("apns-push-type", "alert"), ("apns-priority", "7")]))
    var http2 = RuleMatch()
    http2.listener = .http2
    let requests = await simulator.preview(Rule(when: http2, action: .fault(.unanswered(true))))
      .lookingBack
    // A request that is refused by itself is not one that such a rule sees.
    #expect(requests.count == 1 && requests.first == ["n2"])
    var refused = RuleMatch()
    refused.reason = .equals(.string("BadPriority"))
    #expect(await simulator.preview(Rule(when: refused, action: .proceed)).lookingBack.first == ["n3"])
  }

  @Test func `what is seen has the bytes that are sent`() async throws {
    let simulator = try Samples.simulator()
    let reply = Reply(status: .processingError, identifier: .zero, delay: .milliseconds(300))
    let rule = Rule(action: .reply(reply))
    let binary = await simulator.preview(rule).sees.filter { $0.place == .binary }
    #expect(binary.map(\.text).first == "300 ms pass")
    try simulator.perform(.addRule(Rule(action: .reply(Reply(status: .processingError, identifier: .zero)))))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(5))
    #expect(binary.map(\.hex).first { !$0.isEmpty } == provider.reply)
  }

  @Test func `what is seen has the answer that is given`() async throws {
    let simulator = try Samples.simulator()
    let action = Rule.Action.answer(ScriptedAnswer(reason: .unregistered, timestamp: .ago(.hours(2))))
    let preview = await simulator.preview(Rule(action: action))
    let seen = try #require(preview.sees.first { $0.place == .http2 })
    try simulator.perform(.addRule(Rule(action: action)))
    let requester = try CoreRequester(simulator)
    let answer = try #require(requester.send(requester.request()))
    #expect(seen.body == String(decoding: answer.body, as: UTF8.self))
    #expect(seen.headers.first == AnswerHeader(name: ":status", value: "410"))
    #expect(preview.advice.hasPrefix("It should stop sending to this token"))
    #expect(preview.sees.first { $0.place == .binary }?.text.contains("feedback service lists") == true)
  }

  @Test
  func `every fault has something to see and to do, and a magic token does the same where there is one`()
    async throws
  {
    let simulator = try Samples.simulator()
    let tokens: [(Rule.Action, String?)] = [
      (.reply(Reply(status: .invalidToken)), "e008"),
      (.reply(Reply(status: .invalidToken, delay: .seconds(1))), nil),
      (.answer(ScriptedAnswer(reason: .unregistered)), "e11a"), (.fault(.close(.now)), "d000"),
      (.fault(.reset(.afterBytes(4))), nil), (.fault(.goaway(Fault.GoAway(lastStream: .below))), "d101"),
      (.fault(.stickyServerError), "d10b"), (.fault(.blackHole), nil), (.proceed, nil),
      (.fault(.unavailable(Fault.Outage(requests: 3))), nil), (.fault(.refuseHandshake(.alert(44))), nil),
      (.fault(.feedbackKeep), nil), (.fault(.jitter(.zero, .seconds(1))), nil),
      (.fault(.slowAnswer(.seconds(1), .zero)), nil), (.fault(.zeroWindow), nil),
    ]
    for (action, magic) in tokens {
      let preview = await simulator.preview(Rule(when: door(of: action), action: action))
      #expect(!preview.sees.isEmpty, "\(action)")
      #expect(!preview.advice.isEmpty || action == .proceed, "\(action)")
      #expect(preview.magicToken?.dropFirst(12).prefix(4).description == magic, "\(action)")
    }
  }

  private func door(of action: Rule.Action) -> RuleMatch {
    var match = RuleMatch()
    match.listener = action.usualDoor
    return match
  }
}
