import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `Faults of a file` {
  @Test(arguments: [
    ("swallow", Fault.swallow), ("{ swallow: true }", .swallow),
    ("close", .close(.now)), ("reset", .reset(.now)), ("stopReading", .stopReading(.now)),
    ("{ reset: now }", .reset(.now)), ("{ reset: {} }", .reset(.now)), ("{ reset: }", .reset(.now)),
    ("{ close: { afterBytes: 40 } }", .close(.afterBytes(40))),
    ("{ reset: { afterBytes: 40 } }", .reset(.afterBytes(40))),
    ("{ stopReading: { afterFrames: 3 } }", .stopReading(.afterFrames(3))),
    ("{ refuseHandshake: revoked }", .refuseHandshake(.alert(44))),
    ("{ refuseHandshake: expired }", .refuseHandshake(.alert(45))),
    ("{ refuseHandshake: unknown }", .refuseHandshake(.alert(46))),
    ("{ refuseHandshake: unknownCA }", .refuseHandshake(.alert(48))),
    ("{ refuseHandshake: handshakeFailure }", .refuseHandshake(.alert(40))),
    ("{ refuseHandshake: close }", .refuseHandshake(.close)),
    ("{ refuseHandshake: { alert: 42 } }", .refuseHandshake(.alert(42))),
    ("{ unavailable: { for: 30s } }", .unavailable(.init(span: .seconds(30)))),
    (
      "{ unavailable: { requests: 3, status: 429, reason: TooManyRequests } }",
      .unavailable(.init(requests: 3, status: 429, reason: .tooManyRequests))
    ),
    ("{ lateUnregistered: { successes: 2 } }", .lateUnregistered(.init(successes: 2))),
    ("{ lateUnregistered: { for: 3h } }", .lateUnregistered(.init(span: .hours(3)))),
    ("{ stopReading: { afterRequests: 3 } }", .stopReading(.afterRequests(3))),
    ("goaway", .goaway(.init())), ("{ goaway: {} }", .goaway(.init())),
    (
      "{ goaway: { lastStream: below, reason: Shutdown, then: open } }",
      .goaway(.init(lastStream: .below, reason: .shutdown, then: .open))
    ),
    (
      "{ goaway: { lastStream: 7, code: REFUSED_STREAM, debug: '{\"reason\":null}', then: refuse, twice: true } }",
      .goaway(
        .init(
          lastStream: .number(7),
          code: .refusedStream,
          debug: #"{"reason":null}"#,
          then: .refuse,
          isTwice: true
        )
      )
    ),
    ("resetStream", .resetStream(.internalError)),
    ("{ resetStream: REFUSED_STREAM }", .resetStream(.refusedStream)),
    ("{ resetStream: { code: 77 } }", .resetStream(HTTP2Code(rawValue: 77))),
    ("unanswered", .unanswered(true)),
    ("{ unanswered: { delivered: false } }", .unanswered(false)),
    ("{ slowAnswer: { body: 2s } }", .slowAnswer(.zero, .seconds(2))),
    ("{ maxStreams: 1 }", .maxStreams(1)), ("stickyServerError", .stickyServerError),
    ("zeroWindow", .zeroWindow), ("ignorePing", .ignorePing), ("ignoreSettings", .ignoreSettings),
    ("{ acceptDelay: 1s }", .acceptDelay(.seconds(1))),
    ("{ latency: 200ms }", .latency(.milliseconds(200))),
    ("{ slice: { bytes: 1, pause: 10ms } }", .slice(1, .milliseconds(10))),
    ("{ slice: 5 }", .slice(5, .zero)),
    ("closeAfterHandshake", .closeAfterHandshake(.zero)),
    ("{ closeAfterHandshake: 50ms }", .closeAfterHandshake(.milliseconds(50))),
    ("{ idleClose: 2h }", .idleClose(.hours(2))),
    ("blackHole", .blackHole), ("feedbackHoldOpen", .feedbackHoldOpen), ("feedbackKeep", .feedbackKeep),
    ("{ feedbackTruncate: 20 }", .feedbackTruncate(20)),
  ])
  func `faults of a file are written naturally, as a rule and in their own list`(
    text: String,
    expected: Fault
  ) throws {
    #expect(try rules("- { fault: \(text) }").map(\.action) == [.fault(expected)])
    let listed = try script("faults:\n- { fault: \(text), times: 2 }").scenario.rules
    #expect(listed.map(\.action) == [.fault(expected)])
    #expect(listed.map(\.times) == [2])
    let isOfFeedback = expected.name.hasPrefix("feedback")
    #expect(listed.map(\.when.listener) == [isOfFeedback ? .feedback : .interfaces])
  }

  @Test func `an outage is over for good where no number says otherwise`() throws {
    let rules = try rules(
      "- { fault: { unavailable: { for: 1s } } }\n- { fault: { unavailable: { for: 1s } }, times: 3 }"
    )
    #expect(rules.map(\.times) == [1, 3])
    for text in ["unavailable", "lateUnregistered"] {
      #expect(problemsBehindWorld("rules:\n- { fault: { \(text): {} } }").count == 1)
    }
  }

  @Test(arguments: [
    ("{ goaway: { lastStream: above } }", "expected exact, below, zero or a stream"),
    ("{ goaway: { code: REFUSED } }", "expected a name of RFC 9113 section 7"),
    ("{ goaway: { then: stay } }", "expected close, open or refuse"),
    ("{ goaway: { reason: Shutdown, debug: x } }", "a GOAWAY has \"reason\" or \"debug\", not both"),
    (
      "{ goaway: { debug: \(String(repeating: "x", count: 16_377)) } }",
      "expected debug data that fits into a frame, at most 16376 bytes, found 16377"
    ),
    ("slowAnswer", "a slow answer takes its time"),
    ("{ close: { afterBytes: 1, afterRequests: 1 } }", "\"afterBytes\" or \"afterRequests\", not both"),
  ])
  func `faults of requests say what they expect`(text: String, message: String) {
    let problems = problemsBehindWorld("rules:\n- { fault: \(text) }")
    #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
  }

  @Test func `a shutdown is status 10 with the options of a reply`() throws {
    #expect(try rules("- { fault: shutdown }").first?.action == .reply(Reply(status: .shutdown)))
    let delayed = try rules("- { fault: { shutdown: { delay: 1s, identifier: zero } } }").first?.action
    #expect(delayed == .reply(Reply(status: .shutdown, identifier: .zero, delay: .seconds(1))))
  }

  @Test func `faults of a file come after the rules, and have where instead of when`() throws {
    let script = try script(
      """
      faults:
        - blackHole
        - { fault: swallow, where: { device: alice }, after: 1, every: 2, probability: 0.25 }
      rules:
        - { reply: 8 }
      """
    )
    let rules = script.scenario.rules
    #expect(
      rules.map(\.action) == [.reply(Reply(status: .invalidToken)), .fault(.blackHole), .fault(.swallow)]
    )
    #expect(rules.last?.when.device == .equals(.string("alice")))
    #expect(rules.last?.when.probability == 0.25)
    #expect(rules.last?.after == 1 && rules.last?.every == 2)
  }
}
