import APNSimCore
import APNSimWire
import Testing

@Suite struct `A compiled query` {
  private static let payloads = [
    #"{"aps":{"alert":"Order 17","badge":3},"a.b":{"c":1}}"#,
    #"{"aps":{"alert":{"body":"Order"},"badge":12}}"#,
    #"{"aps":{"alert":"Order"},"aps2":[1,{"x":"yes"}]}"#, #"{"aps":{"alert":"é"},"n":null}"#,
    #"{"aps":{},"k\u0065y":"v"}"#, #"{"aps":{"badge":1},"a":{"b":{"c":2}}}"#,
    #"{"aps":{"alert":{"loc-key":"L"},"badge":-2}}"#, #"{"aps":{"alert":{"body":"\u004Frder"},"badge":1.5}}"#,
    #"{"aps":{"alert":"Order"},"e\#u{301}":"v"}"#, #"{"aps":{"alert":"\#u{212A}"},"x":true}"#,
    #"{"aps":{"alert":{"body":7},"badge":123456789012345678}}"#,
    #"{"aps":{"alert":"cafe\#u{301}","badge":9007199254740993},"K":"v"}"#, #"{"aps":{"alert":"a\r\nb"}}"#,
    #"{"aps":{"alert":"caf\#u{E9}","badge":9007199254740992}}"#,
  ]

  private static let queries: [(String, Matcher)] = [
    ("topic", .like("com.*")), ("topic", .equals(.string("other"))),
    ("environment", .equals(.string("production"))),
    ("token", .equals(.string(Hex.encode(Samples.online)))), ("token", .startsWith("b2")),
    ("device", .equals(.string("alice"))), ("device", .exists(false)),
    ("device", .equals(.string("online"))), ("device", .equals(.string("offline"))),
    ("device", .equals(.string(String(repeating: "09", count: 32)))), ("connection", .equals(.string("c1"))),
    ("identifier", .equals(.string("00000003"))), ("identifier", .contains("3")),
    ("command", .equals(.number("1"))),
    ("status", .equals(.number("8"))), ("status", .greaterThan(0)), ("outcome", .equals(.string("stored"))),
    ("outcome", .not(.equals(.string("delivered")))), ("expiry", .greaterThan(5)),
    ("priority", .lessThan(11)),
    ("payloadSize", .greaterThan(40)), ("id", .equals(.string("n2"))), ("payload", .size(1)),
    ("payload.aps.alert", .contains("Order")), ("payload.aps.alert", .equals(.string("Order"))),
    ("payload.aps.alert", .startsWith("Ord")), ("payload.aps.alert.body", .equals(.string("Order"))),
    ("payload.aps.badge", .greaterThan(2)), ("payload.aps.badge", .exists(false)),
    ("payload.\u{E9}", .equals(.string("v"))),
    ("payload.aps2.1.x", .equals(.string("yes"))), ("payload.key", .equals(.string("v"))),
    ("payload.a.b.c", .equals(.number("1"))), ("payload.a.b.c", .exists(true)), ("payload.n", .equals(.null)),
    ("payload.aps.alert", .equals(.string("e\u{301}"))), ("payload.aps.alert", .not(.contains("Order"))),
    ("alert", .contains("Order")), ("alert", .equals(.string("Order"))), ("alert", .exists(false)),
    ("alert", .exists(true)), ("alert", .not(.startsWith("Ord"))), ("alert", .contains("é")),
    ("alert", .size(5)),
    ("alert", .equals(.number("7"))), ("alert", .contains("K")), ("alert", .contains("\u{212A}")),
    ("payload.aps.alert", .like("*r*r*7")), ("payload.aps.alert", .equals(.string("e"))),
    ("payload.aps.badge", .equals(.number("3.0"))), ("payload.aps.badge", .equals(.string("3"))),
    ("payload.aps.badge", .lessThan(-1)), ("payload.aps.badge", .not(.greaterThan(2))),
    ("payload.aps.badge", .contains("1")), ("payload.aps.alert", .greaterThan(0)),
    ("payload.aps.badge", .all([.greaterThan(1), .lessThan(12.5), .not(.equals(.number("3")))])),
    ("token", .contains("b2b2")), ("token", .like("*09")), ("token", .size(64)), ("token", .exists(true)),
    ("device", .startsWith("0909")), ("device", .like("*lin*")), ("device", .not(.contains("o"))),
    ("device", .size(64)), ("id", .equals(.string("n9"))), ("id", .startsWith("n")),
    ("expiry", .exists(false)), ("connection", .equals(.string("c01"))),
    ("connection", .equals(.string("c+1"))),
    ("payload.\u{212A}", .exists(true)), ("payload.aps.badge", .equals(.number("9007199254740993"))),
    ("payload.aps.badge", .equals(.number("9007199254740992"))),
    ("payload.aps.badge", .equals(.number("123456789012345679"))),
    ("alert", .contains("e")), ("alert", .startsWith("cafe")), ("alert", .contains("\u{E9}")),
    ("alert", .contains("\n")), ("alert", .startsWith("a\r")), ("alert", .contains("cafe\u{301}")),
    ("alert", .not(.contains("\u{301}"))),
  ]

  private static let patterns = [
    "Order", "^Ord", "17$", "^$", "é", "[0-9]+", "(?i)order", "x*", "^Order$", "\\d\\d",
  ]

  @Test func `a compiled query finds what the whole object would show, and no more`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for (index, payload) in Self.payloads.enumerated() {
      let token = index.isMultiple(of: 2) ? Samples.online : Samples.offline
      provider.send(Samples.frame(UInt32(index + 1), to: token, payload: payload))
    }
    provider.send(Samples.frame(90, to: [UInt8](repeating: 9, count: 32)) + Samples.frame(91) + [7, 7])
    let views = simulator.notifications()
    #expect(Set(views.map(\.outcome)).isSuperset(of: [.delivered, .rejected, .discarded, .stored]))
    let patterns = try Self.patterns.flatMap { source in
      let pattern = try Pattern(source)
      return [
        ("alert", Matcher.matches(pattern)), ("payload.aps.badge", .matches(pattern)),
        ("token", .matches(pattern)),
      ]
    }
    for (path, matcher) in Self.queries + patterns {
      let query = Query([Query.Condition(path: path, matcher: matcher)])
      let expected = views.filter(query.matches).map(\.id)
      let compiled = CompiledQuery(query)
      // Twice: the second time it remembers.
      for _ in 0..<2 {
        let found = simulator.notifications(from: 1, limit: 100, matching: compiled).views.map(\.id)
        #expect(found == expected, "\(path) \(matcher.summary)")
      }
    }
  }

  @Test(arguments: [
    ("connection", Matcher.equals(.string("c1")), ["n1", "n2"]), ("connection", .equals(.string("c01")), []),
    ("connection", .equals(.string("c+1")), []), ("payload.\u{212A}", .exists(true), []),
    ("payload.aps.badge", .equals(.number("9007199254740993")), ["n1"]),
    ("payload.aps.alert", .contains("e"), ["n1"]), ("payload.aps.alert", .contains("\u{E9}"), []),
    ("payload.aps.alert", .contains("\n"), ["n2"]),
  ])
  func `a compiled query tells apart what is alike`(path: String, matcher: Matcher, ids: [String]) throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let payloads = [
      #"{"aps":{"alert":"cafe\#u{301}","badge":9007199254740993},"K":"v"}"#,
      #"{"aps":{"alert":"a\r\nb","badge":9007199254740992}}"#,
    ]
    for (index, payload) in payloads.enumerated() {
      provider.send(Samples.frame(UInt32(index + 1), payload: payload))
    }
    let query = CompiledQuery(Query([Query.Condition(path: path, matcher: matcher)]))
    #expect(simulator.notifications(from: 1, limit: 100, matching: query).views.map(\.id) == ids)
  }

  @Test func `a compiled query forgets what it remembered when everything begins anew, or names change`()
    throws
  {
    let simulator = try Samples.simulator()
    let other = AppKey(topic: "com.example.other", environment: .production)
    let byTopic = CompiledQuery(
      Query([Query.Condition(path: "topic", matcher: .equals(.string(Samples.topic)))])
    )
    let byName = CompiledQuery(Query([Query.Condition(path: "device", matcher: .equals(.string("alice")))]))
    func found(_ query: CompiledQuery) -> [String] {
      simulator.notifications(from: 1, limit: 100, matching: query).views.map(\.id)
    }
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    #expect(found(byTopic) == ["n1"])
    #expect(found(byName) == ["n1"])

    // Now another app is the first one that the simulator knows, and the token is another device's.
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.apps = [other]
    scenario.devices = [
      DeviceSpecification(
        name: "carol",
        apps: [AppSpecification(app: Samples.app, token: Samples.online)]
      )
    ]
    try simulator.perform(.replaceScenario(scenario))
    try CoreProvider(simulator, topic: other.topic).send(Samples.frame(2))
    try CoreProvider(samples: simulator).send(Samples.frame(3))
    #expect(found(byTopic) == ["n3"])
    #expect(found(byName) == [])

    try simulator.perform(.removeDevice("carol"))
    try simulator.perform(
      .putDevice(
        DeviceSpecification(name: "alice", apps: [AppSpecification(app: Samples.app, token: Samples.online)])
      )
    )
    try CoreProvider(samples: simulator).send(Samples.frame(4))
    #expect(found(byName).last == "n4")
  }
}
