import APNSimCore
import APNSimScenario
import Testing

@Suite struct `Errors in rules` {
  @Test(arguments: [
    (
      "- { rely: 8 }",
      [
        "2:5 unknown key \"rely\" in a rule; known keys: name, when, reply, fault, proceed, times, after, every, probability and state → reply",
        noAction,
      ]
    ),
    (
      "- { when: { nht: 3 }, reply: 8 }",
      ["2:13 unknown key \"nht\" in \"when\"; known keys: \(matchKeys) → nth"]
    ),
    ("- { when: { nth: third }, reply: 8 }", ["2:18 expected a number for \"nth\", found \"third\""]),
    (
      "- { when: { nth: 0 }, reply: 8 }",
      ["2:18 expected a whole number of 1 or more for \"nth\", found 0"]
    ),
    (
      "- { when: { nth: 2147483648 }, reply: 8 }",
      ["2:18 expected a whole number from 1 to 2147483647 for \"nth\", found 2147483648"]
    ),
    (
      "- { when: { nth: { equals: -3 } }, reply: 8 }",
      ["2:18 expected a whole number of 1 or more for \"nth\", found -3"]
    ),
    (
      "- { when: { connection: 1.5 }, reply: 8 }",
      ["2:25 expected a whole number of 1 or more for \"connection\", found 1.5"]
    ),
    (
      "- { when: { command: 7 }, reply: 8 }",
      ["2:22 expected a whole number from 0 to 2 for \"command\", found 7"]
    ),
    (
      "- { when: { priority: 256 }, reply: 8 }",
      ["2:23 expected a whole number from 0 to 255 for \"priority\", found 256"]
    ),
    ("- { when: { nth: 3 }, proceed: false }", ["2:32 expected true for proceed, found \"false\""]),
    ("- { when: { device: alcie }, reply: 8 }", ["2:21 no device is called \"alcie\" → alice"]),
    (
      "- { when: { token: xyz }, reply: 8 }",
      ["2:20 expected a token in hex digits, found \"x\" as character 1 of 3"]
    ),
    (
      "- { when: { identifier: 3x }, reply: 8 }",
      ["2:25 expected an identifier as 8 hex digits or as a number, such as 00000003 or 3, found \"3x\""]
    ),
    (
      "- { when: { environment: sandbx }, reply: 8 }",
      ["2:26 expected production or sandbox for the environment, found \"sandbx\" → sandbox"]
    ),
    (
      "- { when: { listener: gate }, reply: 8 }",
      ["2:23 expected gateway, http2, feedback or any for the listener, found \"gate\""]
    ),
    (
      "- { when: { listener: feedback }, reply: 8 }",
      ["2:23 a reply does nothing on the feedback listener: expected gateway or http2"]
    ),
    (
      "- { when: { listener: gateway }, fault: feedbackKeep }",
      ["2:23 \"feedbackKeep\" does nothing on the gateway listener: expected feedback"]
    ),
    (
      "- { when: { interface: http }, reply: 8 }",
      ["2:24 expected binary or http2 for \"interface\", found \"http\" → http2"]
    ),
    (
      "- { when: { stream: 0 }, reply: 8 }",
      ["2:21 expected a whole number of 1 or more for \"stream\", found 0"]
    ),
    (
      "- { when: { pushType: alert }, fault: { latency: 1s } }",
      ["2:23 \"latency\" is decided when a connection opens, when \"pushType\" is not known yet"]
    ),
    (
      "- { when: { probability: 2 }, reply: 8 }",
      ["2:26 expected a number from 0 to 1 as the probability, found \"2\""]
    ),
    (
      "- { when: { probability: 0x1p-1 }, reply: 8 }",
      ["2:26 expected a number from 0 to 1 as the probability, found \"0x1p-1\""]
    ),
    (
      "- { when: { probability: 1 }, probability: 0.5, reply: 8 }",
      ["2:44 the probability is already given among the conditions"]
    ),
    (
      "- { when: { payload: 5 }, reply: 8 }",
      ["2:22 expected paths into the payload, such as { aps.badge: { gt: 99 } }, found \"5\""]
    ),
    (
      "- { when: { payload: { a: { gtt: 1 } } }, reply: 8 }",
      [
        "2:29 unknown key \"gtt\" in a test of a; known keys: \(operators("and")) → gt",
        "2:27 a test of a needs \(operators("or"))",
      ]
    ),
    (
      "- { when: { payload: { a: { gt: x } } }, reply: 8 }",
      ["2:33 expected a number for \"gt\", found \"x\""]
    ),
    (
      "- { when: { payload: { a: { lt: -1e400 } } }, reply: 8 }",
      ["2:33 expected a number from -1.79e308 to 1.79e308 for \"lt\", found \"-1e400\""]
    ),
    (
      "- { when: { payload: { a: { size: -1 } } }, reply: 8 }",
      ["2:35 expected a whole number of 0 or more for \"size\", found \"-1\""]
    ),
    (
      "- { when: { payload: { a: { exists: 1 } } }, reply: 8 }",
      ["2:37 expected true or false for \"exists\", found \"1\""]
    ),
    ("- {}", ["2:3 a rule needs \"reply\" or \"fault\" (or \"proceed: true\" to let matches pass)"]),
    ("- { reply: 8, fault: swallow }", ["2:22 a rule does one thing: \"reply\" or \"fault\", not both"]),
    ("- { reply: 8, times: 0 }", ["2:22 expected a whole number of 1 or more for times, found \"0\""]),
    ("- { reply: 8, every: two }", ["2:22 expected a whole number of 1 or more for every, found \"two\""]),
    ("- { reply: 8, state: {} }", ["2:22 a state needs \"requires\", \"becomes\" or both"]),
    (
      "- { reply: 8, state: degraded }",
      ["2:22 expected a state with requires or becomes, found \"degraded\""]
    ),
    (
      "- reply",
      [
        "2:3 expected a rule with name, when, reply, fault, proceed, times, after, every, probability or state, found \"reply\""
      ]
    ),
  ])
  func `name line and column`(text: String, expected: [String]) {
    #expect(Set(problemsBehindWorld("rules:\n\(text)")) == Set(expected))
  }

  @Test(arguments: [
    ("-1", "2:12 expected a status from 0 to 255 (the error response has one byte for it), found \"-1\""),
    ("600", "2:12 expected a whole number from 200 to 599 for the status, found \"600\""),
    (
      "{ status: 8, reason: Unregistered }",
      "2:22 expected a whole number from 200 to 599 for the status, found \"8\""
    ),
    (
      "{ status: 503, reset: true }",
      "2:34 \"reset\" is of the binary interface's answers, which have a status from 0 to 255 alone"
    ),
    ("{ body: x }", "2:12 an answer without a \"reason\" needs the key \"status\""),
    ("{ status: 503, timestamp: 2h ago }", "2:38 only a status of 410 has a timestamp, found 503"),
    (
      "{ reason: Unregistered, timestamp: 2h }",
      "2:47 expected a time such as 2012-06-01T00:00:00Z, or a duration such as 2h ago, for the timestamp, found \"2h\""
    ),
    (
      "{ status: 503, headers: { Retry-After: 1 } }",
      "2:38 expected the name of a header in lower case, found \"Retry-After\""
    ),
    (
      "Invalid tokn",
      "2:12 expected a status as a number or by Apple's name (No errors encountered, Processing error, Missing device token, Missing topic, Missing payload, Invalid token size, Invalid topic size, Invalid payload size, Invalid token, Shutdown, Protocol error, None (unknown) or Unknown), found \"Invalid tokn\" → Invalid token"
    ),
    ("{}", "2:12 a reply needs the key \"status\""),
    (
      "{ status: 8, identifier: lft }",
      "2:37 expected right, wrong, zero or 8 hex digits for the identifier, found \"lft\""
    ),
    (
      "{ status: 8, identifier: rihgt }",
      "2:37 expected right, wrong, zero or 8 hex digits for the identifier, found \"rihgt\" → right"
    ),
    ("{ status: 8, truncateTo: 7 }", "2:37 expected a whole number from 0 to 6 for truncateTo, found \"7\""),
    (
      "{ status: 8, delay: soon }",
      "2:32 expected a duration for the delay, such as 300ms, 5s, 10m, 2h or 28d, found \"soon\""
    ),
    (
      "{ status: 8, afterFrames: -1 }",
      "2:38 expected a whole number of 0 or more for afterFrames, found \"-1\""
    ),
    (
      "{ status: 8, aftrFrames: 1 }",
      "2:25 unknown key \"aftrFrames\" in a reply; known keys: status, reason, timestamp, body, headers, delay, identifier, afterFrames, truncateTo, split, reset and lost → afterFrames"
    ),
  ])
  func `name what is wrong with a reply`(text: String, expected: String) {
    #expect(problemsBehindWorld("rules:\n- { reply: \(text) }") == [expected])
  }

  @Test(arguments: [
    ("swalow", "2:12 unknown fault \"swalow\"; known faults: \(faults) → swallow"),
    ("{ rest: { afterBytes: 4 } }", "2:14 unknown fault \"rest\"; known faults: \(faults) → reset"),
    (
      "{ reset: { afterByte: 4 } }",
      "2:23 unknown key \"afterByte\" in a reset; known keys: afterBytes, afterFrames and afterRequests → afterBytes"
    ),
    (
      "{ reset: { afterBytes: 4, afterFrames: 4 } }",
      "2:51 a reset has \"afterBytes\" or \"afterFrames\", not both"
    ),
    ("latency", "2:12 this fault needs a value, such as { latency: 200ms }"),
    ("slice", "2:12 this fault needs a value, such as { slice: { bytes: 1, pause: 10ms } }"),
    ("{ slice: { pause: 10ms } }", "2:21 a slice needs the key \"bytes\""),
    (
      "refuseHandshake",
      "2:12 expected revoked, expired, unknown, unknownCA, handshakeFailure, close or { alert: 44 } as the refusal, found nothing"
    ),
    (
      "{ refuseHandshake: revokd }",
      "2:31 expected revoked, expired, unknown, unknownCA, handshakeFailure, close or { alert: 44 } as the refusal, found \"revokd\" → revoked"
    ),
    (
      "{ refuseHandshake: { alert: 256 } }",
      "2:40 expected a whole number from 1 to 255 for the TLS alert, found \"256\""
    ),
    (
      "{ feedbackTruncate: half }",
      "2:32 expected a whole number of 0 or more for feedbackTruncate, found \"half\""
    ),
    ("{ swallow: true, reset: now }", "2:29 a rule has one fault: add another rule for \"reset\""),
    ("[swallow]", "2:12 expected a fault, such as swallow or { reset: { afterBytes: 40 } }, found a list"),
    ("{ swallow: maybe }", "2:23 expected true or false for swallow, found \"maybe\""),
    ("{ swallow: false }", "2:23 expected true for swallow, found \"false\""),
  ])
  func `name what is wrong with a fault`(text: String, expected: String) {
    #expect(problemsBehindWorld("rules:\n- { fault: \(text) }") == [expected])
  }

  @Test(arguments: [
    (
      "{ when: { nth: 3 }, fault: blackHole }",
      "2:18 \"blackHole\" is decided when a connection opens, when \"nth\" is not known yet"
    ),
    (
      "{ when: { token: aa }, fault: { reset: { afterBytes: 4 } } }",
      "2:20 \"reset\" is decided when a connection opens, when \"token\" is not known yet"
    ),
    (
      "{ when: { topic: t }, fault: { acceptDelay: 1s } }",
      "2:20 \"acceptDelay\" is decided before the handshake, when \"topic\" is not known yet"
    ),
  ])
  func `name what a fault cannot know`(text: String, expected: String) {
    #expect(problemsBehindWorld("rules:\n- \(text)") == [expected])
  }

  @Test func `a bad expression says so`() {
    let found = problemsBehindWorld("rules: [{ when: { payload: { a: { matches: '(' } } }, reply: 8 }]")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("1:44 expected a regular expression for a (") == true)
  }
}

private let noAction =
  "2:3 a rule needs \"reply\" or \"fault\" (or \"proceed: true\" to let matches pass)"
private let matchKeys =
  "nth, connection, identifier, token, device, topic, environment, command, priority, payload, listener, "
  + "interface, pushType, collapseId, apnsId, stream, reason and probability"
private let faults =
  FaultKind.names.dropLast().joined(separator: ", ") + " and " + (FaultKind.names.last ?? "")
private func operators(_ word: String) -> String {
  "equals, contains, startsWith, matches, like, exists, gt, lt, size \(word) not"
}
