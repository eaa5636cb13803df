import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Rules over HTTP2` {
  private static func when(_ change: (inout RuleMatch) -> Void) -> RuleMatch {
    var match = RuleMatch()
    match.listener = .interfaces
    change(&match)
    return match
  }

  /// A provider of requests and one of frames, on a simulator with rules.
  private static func providers(_ rules: Rule...) throws -> (CoreRequester, CoreProvider) {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = rules
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Moment.start)
    let (requests, frames) = (try CoreRequester(simulator), try CoreProvider(samples: simulator))
    simulator.setOutlet(requests)
    return (requests, frames)
  }

  private static func body(_ answer: RequestAnswer?) -> String {
    String(decoding: answer?.body ?? [], as: UTF8.self)
  }

  @Test func `rules that name no interface hold for both, each in its own terms`() throws {
    let rule = Rule(when: Self.when { _ in }, action: .answer(ScriptedAnswer(reason: .payloadTooLarge)))
    let (requests, frames) = try Self.providers(rule)
    let answer = try #require(requests.send(requests.request()))
    #expect(answer.status == 413 && Self.body(answer) == #"{"reason":"PayloadTooLarge"}"#)
    frames.send(Samples.frame(7, to: Samples.online))
    #expect(frames.reply == [8, 7, 0, 0, 0, 7])
    let first = try #require(requests.simulator.notification(1))
    #expect(first.explanations.map(\.detail) == ["rule 1 answers 413 PayloadTooLarge"])
  }

  @Test(arguments: [
    (RuleMatch.Door.gateway, 200, true), (.http2, 413, false), (.interfaces, 413, true), (.any, 413, true),
    (.feedback, 200, false),
  ])
  func `rules over HTTP2 hold on the listener they name`(door: RuleMatch.Door, status: Int, ofFrames: Bool)
    throws
  {
    var match = RuleMatch()
    match.listener = door
    let reply = Reply(status: .invalidPayloadSize)
    let (requests, frames) = try Self.providers(Rule(when: match, action: .reply(reply)))
    #expect(requests.send(requests.request()).map { Int($0.status) } == status)
    frames.send(Samples.frame(7, to: Samples.online))
    #expect(frames.reply.isEmpty != ofFrames)
  }

  @Test func `rules over HTTP2 see what only requests have`() throws {
    let id = "123e4567-E89B-12d3-A456-4266554400a0"
    let rules = [
      Rule(
        when: Self.when { $0.pushType = .equals(.string("background")) },
        action: .answer(.init(reason: .forbidden))
      ),
      Rule(
        when: Self.when { $0.collapseId = .startsWith("a") },
        action: .answer(.init(reason: .badCollapseId))
      ),
      Rule(
        when: Self.when { $0.apnsId = .equals(.string(id)) },
        action: .answer(.init(reason: .badMessageId))
      ),
      Rule(when: Self.when { $0.stream = .greaterThan(8) }, action: .answer(.init(reason: .shutdown))),
      Rule(
        when: Self.when { $0.topic = .equals(.string("other")) },
        action: .answer(.init(reason: .badTopic))
      ),
    ]
    let (requests, frames) = try Self.providers(rules[0], rules[1], rules[2], rules[3], rules[4])
    func reason(_ headers: (String, String)..., topic: String = Samples.topic) -> Reason? {
      requests.send(requests.request(topic: topic, headers: headers))?.reason
    }
    #expect(reason(("apns-push-type", "background"), ("apns-priority", "5")) == .forbidden)
    #expect(reason(("apns-collapse-id", "abc")) == .badCollapseId)
    #expect(reason(("apns-id", id)) == .badMessageId)
    #expect(reason() == nil)
    #expect(reason() == .shutdown)
    frames.send(Samples.frame(7, to: Samples.online))
    #expect(frames.reply.isEmpty)
  }

  @Test func `rules over HTTP2 see the topic of the request, not that of a certificate`() throws {
    let other = Self.when { $0.topic = .like("com.example.*") }
    let (requests, _) = try Self.providers(Rule(when: other, action: .answer(.init(reason: .badTopic))))
    #expect(requests.send(requests.request(topic: "com.example.other"))?.reason == .badTopic)
  }

  @Test func `rules ask for the reason that the service would give, and by another name where it has two`()
    throws
  {
    let rule = Rule(
      when: Self.when { $0.reason = .equals(.string("BadEnvironmentKeyIdInToken")) },
      action: .answer(ScriptedAnswer(status: 200, body: ""))
    )
    let (requests, _) = try Self.providers(rule)
    let key = CoreRequester.token(scope: ProviderKeyScope(environment: .sandbox))
    #expect(requests.send(requests.request(key))?.status == 200)
    #expect(requests.send(requests.request(headers: [("apns-priority", "7")]))?.reason == .badPriority)
    #expect(requests.simulator.outcomes == [.dropped, .rejected])
  }

  @Test func `rules added later hold for connections that are open`() throws {
    let (requests, _) = try Self.providers()
    try requests.simulator.perform(.addRule(Rule(action: .answer(ScriptedAnswer(reason: .shutdown)))))
    #expect(requests.send(requests.request())?.reason == .shutdown)
  }

  @Test func `rules answer with any status, body and headers, which queries find and the journal has`() throws
  {
    let answer = ScriptedAnswer(
      status: 418,
      body: "<p>",
      headers: [.init(name: "retry-after", value: "9"), .init(name: "apns-id", value: "x")]
    )
    let (requests, _) = try Self.providers(Rule(action: .answer(answer)))
    let journal = MemoryJournal(requests.simulator)
    let sent = try #require(requests.send(requests.request()))
    #expect(sent.status == 418 && Self.body(sent) == "<p>" && sent.header("retry-after") == "9")
    #expect(sent.header("apns-id") == "x")
    let view = try #require(requests.simulator.notification(1))
    #expect(view.request?.status == 418 && view.request?.reason == nil && view.outcome == .rejected)
    #expect(view.explanations.map(\.detail) == ["rule 1 answers status 418"])
    #expect(
      journal.text.contains(#""outcome":"rejected","status":418"#) || journal.text.contains(#""status":418"#)
    )
    for (status, count) in [(418, 1), (200, 0), (419, 0)] {
      let query = Query([.init(path: "status", matcher: .equals(.number("\(status)")))])
      #expect(requests.simulator.notifications().count { query.matches($0) } == count)
      #expect(
        requests.simulator.notifications(from: 1, limit: 10, matching: CompiledQuery(query)).views.count
          == count
      )
    }
  }

  @Test func `rules name a moment before the answer`() throws {
    let gone = ScriptedAnswer(reason: .unregistered, timestamp: .ago(.hours(2)))
    let (requests, frames) = try Self.providers(Rule(action: .answer(gone)))
    let then = Moment.start.rawValue - 7_200_000
    #expect(
      Self.body(requests.send(requests.request())) == #"{"reason":"Unregistered","timestamp":\#(then)}"#
    )
    frames.send(Samples.frame(7, to: Samples.online))
    #expect(frames.reply.isEmpty && requests.simulator.outcomes == [.rejected, .refused])
    #expect(requests.simulator.feedback(for: Samples.app).count == 1)
  }

  @Test func `rules that let a request through with an answer of their own deliver it`() throws {
    let fine = ScriptedAnswer(status: 202, headers: [.init(name: "x", value: "y")])
    let (requests, _) = try Self.providers(Rule(action: .answer(fine)))
    #expect(requests.send(requests.request())?.status == 202)
    #expect(requests.simulator.outcomes == [.delivered])
    #expect(requests.simulator.notification(1)?.request?.status == 202)
  }

  @Test func `rules answer after a delay, and not at all on a connection that has ended by then`() throws {
    let late = ScriptedAnswer(reason: .serviceUnavailable, delay: .seconds(2))
    let (requests, _) = try Self.providers(Rule(action: .answer(late)))
    #expect(requests.send(requests.request()) == nil)
    #expect(requests.simulator.notification(1)?.request?.status == nil)
    try requests.simulator.perform(.advanceClock(.seconds(2)))
    #expect(requests.answers.map(\.status) == [503])
    #expect(requests.simulator.notification(1)?.request?.status == 503)
  }

  @Test func `rules that lose an error packet to a reset reset the connection without an answer`() throws {
    let reply = Reply(status: .invalidToken, resets: true, isLost: true)
    let (requests, _) = try Self.providers(Rule(action: .reply(reply)))
    #expect(requests.send(requests.request()) == nil && requests.ending == .reset)
    #expect(requests.simulator.notification(1)?.request?.status == nil)
  }

  @Test func `rules leave requests without an answer that the report names, with those that came again`()
    throws
  {
    let late = ScriptedAnswer(reason: .serviceUnavailable, delay: .hours(1))
    let (requests, _) = try Self.providers(Rule(times: 2, action: .answer(late)))
    requests.send(requests.request(body: #"{"aps":{"alert":"a"}}"#))
    requests.send(requests.request(body: #"{"aps":{"alert":"b"}}"#))
    requests.send(requests.request())
    requests.close()
    let id = requests.connection.id
    let names: [ProviderReference] = [.number(1), .number(2)]
    let before = try #require(requests.simulator.connection(id)?.resend)
    #expect(before.unanswered == names && before.lost == names && before.resent == [])
    let again = try CoreRequester(requests.simulator)
    again.send(again.request(body: #"{ "aps": { "alert": "b" } }"#))
    let after = try #require(requests.simulator.connection(id)?.resend)
    #expect(after.unanswered == names && after.lost == [.number(1)] && after.resent == [.number(2)])
  }
}
