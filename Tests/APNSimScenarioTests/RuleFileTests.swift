import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `Rules of a file` {
  @Test func `rules of a file have every key`() throws {
    let rule = try #require(
      try rules(
        """
        - name: all of it
          when: { nth: 3, probability: 0.5 }
          reply: { status: 8 }
          times: 2
          after: 4
          every: 5
          state: { requires: degraded, becomes: healthy }
        """
      ).first
    )
    var match = RuleMatch()
    match.listener = .interfaces
    match.nth = .equals(.number("3"))
    match.probability = 0.5
    #expect(
      rule
        == Rule(
          name: "all of it",
          when: match,
          times: 2,
          after: 4,
          every: 5,
          state: .init(requires: "degraded", becomes: "healthy"),
          action: .reply(Reply(status: .invalidToken))
        )
    )
    #expect(try script("state: degraded").scenario.state == "degraded")
  }

  @Test func `rules of a file look at connections and notifications`() throws {
    #expect(try match("{ connection: 2 }")?.connection == .equals(.number("2")))
    #expect(try match("{ topic: com.example.app }")?.topic == .equals(.string("com.example.app")))
    #expect(try match("{ environment: sandbox }")?.environment == .sandbox)
    #expect(try match("{ command: { lt: 2 } }")?.command == .lessThan(2))
    #expect(try match("{ priority: 5 }")?.priority == .equals(.number("5")))
    #expect(try match("{ identifier: 3 }")?.identifier == .equals(.string("00000003")))
    #expect(try match("{ identifier: DEADBEEF }")?.identifier == .equals(.string("deadbeef")))
    #expect(try match("{ identifier: { startsWith: DEAD } }")?.identifier == .startsWith("dead"))
    #expect(try match("{ token: \"ABCD\" }")?.token == .equals(.string("abcd")))
    #expect(try match("{ token: { contains: BEEF } }")?.token == .contains("beef"))
    #expect(try match("{ device: alice }")?.device == .equals(.string("alice")))
    let slow = try rules("- { when: { listener: feedback }, fault: { latency: 1s } }")
    #expect(slow.first?.when.listener == .feedback)
    #expect(try match("{ listener: any }")?.listener == .any)
    #expect(try match("{ listener: gateway }")?.listener == .gateway)
    #expect(try match("{}")?.listener == .interfaces)
    #expect(try match("{ interface: http2 }")?.interface == .equals(.string("http2")))
    #expect(try match("{ pushType: voip }")?.pushType == .equals(.string("voip")))
    #expect(try match("{ collapseId: { startsWith: a } }")?.collapseId == .startsWith("a"))
    #expect(try match("{ apnsId: { exists: false } }")?.apnsId == .exists(false))
    #expect(try match("{ stream: { gt: 9 } }")?.stream == .greaterThan(9))
    #expect(try match("{ reason: BadDeviceToken }")?.reason == .equals(.string("BadDeviceToken")))
  }

  @Test func `rules of a file test payloads with every operator`() throws {
    func payload(_ test: String) throws -> Matcher? {
      try match("{ payload: { aps.x: \(test) } }")?.payload.first?.matcher
    }
    #expect(try payload("5") == .equals(.number("5")))
    #expect(try payload("'5'") == .equals(.string("5")))
    #expect(try payload("true") == .equals(.bool(true)))
    #expect(try payload("null") == .equals(.null))
    #expect(try payload("[1, a]") == .equals(.array([.number("1"), .string("a")])))
    #expect(try payload("{ equals: { a: 1 } }") == .equals(.object([.init(key: "a", value: .number("1"))])))
    #expect(try payload("{ contains: Order }") == .contains("Order"))
    #expect(try payload("{ startsWith: Or }") == .startsWith("Or"))
    #expect(try payload("{ matches: '^#[0-9]+$' }") == .matches(Pattern("^#[0-9]+$")))
    #expect(try payload("{ like: 'a*' }") == .like("a*"))
    #expect(try payload("{ exists: no }") == .exists(false))
    #expect(try payload("{ gt: 99 }") == .greaterThan(99))
    #expect(try payload("{ lt: 1.5 }") == .lessThan(1.5))
    #expect(try payload("{ size: 3 }") == .size(3))
    #expect(try payload("{ gt: 1, lt: 9 }") == .all([.greaterThan(1), .lessThan(9)]))
  }

  @Test func `rules of a file let pass what they match, and what only moves the state`() throws {
    let read = try rules("- { proceed: true }\n- { state: { becomes: b } }")
    #expect(read.map(\.action) == [.proceed, .proceed])
  }

  @Test(arguments: [
    ("8", Reply(status: .invalidToken)),
    ("Invalid token", Reply(status: .invalidToken)),
    ("invalidPayloadSize", Reply(status: .invalidPayloadSize)),
    ("{ status: 99 }", Reply(status: StatusCode(rawValue: 99))),
    ("{ status: 8, identifier: right }", Reply(status: .invalidToken)),
    ("{ status: 8, identifier: wrong }", Reply(status: .invalidToken, identifier: .wrong)),
    ("{ status: 8, identifier: zero }", Reply(status: .invalidToken, identifier: .zero)),
    (
      "{ status: 8, identifier: 0000002a }",
      Reply(status: .invalidToken, identifier: .exactly(NotificationIdentifier(rawValue: 42)))
    ),
    ("{ status: 8, afterFrames: 20 }", Reply(status: .invalidToken, afterFrames: 20)),
    ("{ status: 8, delay: 300ms }", Reply(status: .invalidToken, delay: .milliseconds(300))),
    ("{ status: 8, truncateTo: 0 }", Reply(status: .invalidToken, packet: .init(byteCount: 0))),
    ("{ status: 8, split: true }", Reply(status: .invalidToken, packet: .init(cut: .afterFirstByte))),
    ("{ status: 8, reset: true }", Reply(status: .invalidToken, resets: true)),
    ("{ status: 8, lost: true }", Reply(status: .invalidToken, resets: true, isLost: true)),
  ])
  func `rules of a file reply in every way`(text: String, expected: Reply) throws {
    #expect(try rules("- { reply: \(text) }").first?.action == .reply(expected))
  }

  @Test(arguments: [
    ("Unregistered", ScriptedAnswer(reason: .unregistered)),
    ("503", ScriptedAnswer(status: 503)),
    (
      "{ reason: Unregistered, timestamp: 2h ago }",
      ScriptedAnswer(reason: .unregistered, timestamp: .ago(.hours(2)))
    ),
    (
      "{ reason: ExpiredToken, timestamp: 2012-06-01T00:00:00Z }",
      ScriptedAnswer(reason: .expiredToken, timestamp: .at(Timestamp(seconds: 1_338_508_800)))
    ),
    (
      "{ status: 503, reason: ServiceUnavailable, delay: 2s }",
      ScriptedAnswer(reason: .serviceUnavailable, delay: .seconds(2))
    ),
    ("{ status: 500, reason: Shutdown }", ScriptedAnswer(status: 500, reason: .shutdown)),
    ("{ reason: BadEnvironmentKeyIdInToken }", ScriptedAnswer(reason: .badEnvironmentKeyIdInToken)),
    (
      "{ status: 200, body: \"<html>\", headers: { retry-after: \"30\" } }",
      ScriptedAnswer(status: 200, body: "<html>", headers: [AnswerHeader(name: "retry-after", value: "30")])
    ),
    ("{ status: 599, body: { reason: Odd } }", ScriptedAnswer(status: 599, body: #"{"reason":"Odd"}"#)),
  ])
  func `rules of a file answer requests in every way, and say it again`(
    text: String,
    expected: ScriptedAnswer
  ) throws {
    let rule = try #require(try rules("- { reply: \(text) }").first)
    #expect(rule.action == .answer(expected))
    var writer = JSONWriter()
    rule.write(to: &writer)
    #expect(try FaultBody.read(String(decoding: writer.bytes, as: UTF8.self)) == rule)
    #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("listener"))
  }

  @Test(arguments: ["200", "{ status: 200 }"])
  func `rules of a file answer with a status alone where they are for requests`(text: String) throws {
    let rule = try #require(try rules("- { when: { interface: http2 }, reply: \(text) }").first)
    #expect(rule.action == .answer(ScriptedAnswer(status: 200)))
    var writer = JSONWriter()
    rule.write(to: &writer)
    #expect(try FaultBody.read(String(decoding: writer.bytes, as: UTF8.self)) == rule)
    #expect(try rules("- { reply: \(text) }").first?.action != rule.action)
  }

  @Test func `rules of a file name an app's team, which is written again`() throws {
    let scenario = try script("apps: { com.example.app: { environment: both, team: ABCDE12345 } }").scenario
    #expect(scenario.teams == ["com.example.app": "ABCDE12345"])
    var writer = JSONWriter()
    scenario.write(to: &writer)
    #expect(
      try ScenarioFile.parse(String(decoding: writer.bytes, as: UTF8.self), name: "written") == scenario
    )
  }
}
