import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A request` {
  @Test func `that is good is answered 200 without a body, and delivered`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let answer = try #require(provider.send(provider.request()))
    #expect(answer.status == 200 && answer.body.isEmpty && answer.stream == 1 && answer.notification == 1)
    let view = try #require(provider.simulator.notification(1))
    #expect(view.outcome == .delivered && view.device == "alice" && view.interface == .http2)
    #expect(view.request?.status == 200 && view.request?.reason == nil && view.request?.pushType == "alert")
    #expect(view.payload == Array(#"{"aps":{"alert":"hi"}}"#.utf8) && view.token == Samples.online)
    #expect(provider.simulator.inbox(of: "alice")?.notifications.count == 1)
    #expect(provider.simulator.connection(provider.connection.id)?.counts.accepted == 1)
  }

  @Test func `without an apns-id gets one in upper case, and one with it has it echoed`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let made = try #require(provider.send(provider.request())?.header("apns-id"))
    #expect(made.utf8.count == 36 && made == made.uppercased() && made != made.lowercased())
    #expect(provider.simulator.notification(1)?.request?.apnsId == made)
    let own = "123e4567-E89B-12d3-A456-4266554400a0"
    let answer = provider.send(provider.request(headers: [("apns-id", own)]))
    #expect(answer?.header("apns-id") == own && answer?.header("apns-unique-id") == nil)
    #expect(provider.simulator.notification(2)?.request?.apnsId == own)
  }

  @Test func `to the sandbox gets a lower-case apns-unique-id as well`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.tokens = .any }, environment: .sandbox)
    let unique = try #require(provider.send(provider.request())?.header("apns-unique-id"))
    #expect(unique == unique.lowercased())
  }

  @Test func `waits for an offline device, of both interfaces the newest`() throws {
    let simulator = try Samples.simulator()
    let requests = try CoreRequester(simulator)
    let frames = try CoreProvider(samples: simulator)
    requests.send(requests.request(to: Hex.encode(Samples.offline)))
    frames.send(Samples.frame(1, to: Samples.offline))
    requests.send(requests.request(to: Hex.encode(Samples.offline), body: #"{"aps":{"badge":3}}"#))
    #expect(simulator.outcomes == [.replaced, .replaced, .stored])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.replaced, .replaced, .delivered])
    #expect(simulator.inbox(of: "bob")?.notifications.map(\.payload) == [Array(#"{"aps":{"badge":3}}"#.utf8)])
  }

  @Test(arguments: [
    ("0", Outcome.notStored), ("1", .expired), ("1338508801", .stored), ("9999999999", .stored),
  ])
  func `has its expiration govern the store alone`(expiration: String, outcome: Outcome) throws {
    let provider = try CoreRequester(Samples.simulator())
    let headers = [("apns-expiration", expiration)]
    provider.send(provider.request(headers: headers))
    let answer = provider.send(provider.request(to: Hex.encode(Samples.offline), headers: headers))
    #expect(answer?.status == 200)
    #expect(provider.simulator.outcomes == [.delivered, outcome])
  }

  @Test func `to an online device without the app is 410 at once, with the time in milliseconds`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try simulator.perform(.advanceClock(.milliseconds(1500)))
    let answer = try #require(provider.send(provider.request()))
    #expect(answer.reason == .unregistered)
    let body = #"{"reason":"Unregistered","timestamp":\#(Moment.start.rawValue + 1500)}"#
    #expect(String(decoding: answer.body, as: UTF8.self) == body)
    try simulator.perform(.advanceClock(.hours(2)))
    let token = CoreRequester.token(issuedAt: Moment.start + .hours(2))
    #expect(provider.send(provider.request(token))?.answer.timestamp == answer.answer.timestamp)
    #expect(simulator.outcomes == [.rejected, .rejected])
    #expect(simulator.feedback(for: Samples.app).count == 1)
  }

  @Test func `to an offline device without the app is 200, and 410 once that has come online`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.setInstalled(device: "bob", app: nil, false))
    #expect(provider.send(provider.request(to: Hex.encode(Samples.offline)))?.status == 200)
    try simulator.perform(.advanceClock(.seconds(3)))
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.refused])
    let answer = provider.send(provider.request(to: Hex.encode(Samples.offline)))
    #expect(answer?.reason == .unregistered && answer?.answer.timestamp == Moment.start.rawValue + 3000)
  }

  @Test func `whose body no device can read is accepted and dropped`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(body: #"{"aps":{"badge":5,}}"#))?.status == 200)
    #expect(provider.send(provider.request(body: "{}"))?.status == 200)
    #expect(provider.simulator.outcomes == [.dropped, .delivered])
  }

  @Test func `for a push type with a topic of its own goes to a token of its own, which goes with the app`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreRequester(simulator)
    let voip = AppKey(topic: Samples.topic + ".voip", environment: .production)
    let app = AppSpecification(app: voip, token: Array(repeating: 0xC3, count: 32))
    try simulator.perform(
      .putDevice(DeviceSpecification(name: "alice", apps: Samples.devices[0].apps + [app])))
    let token = Hex.encode(Array(repeating: 0xC3, count: 32))
    func push(_ token: String, _ topic: String, _ type: String) -> RequestAnswer? {
      provider.send(provider.request(to: token, topic: topic, headers: [("apns-push-type", type)]))
    }
    #expect(push(token, voip.topic, "voip")?.status == 200)
    #expect(push(token, voip.topic, "alert")?.reason == .invalidPushType)
    #expect(push(token, Samples.topic, "voip")?.reason == .deviceTokenNotForTopic)
    try simulator.perform(.setInstalled(device: "alice", app: Samples.app, false))
    #expect(push(token, voip.topic, "voip")?.reason == .unregistered)
  }

  @Test func `makes a device of a token of 32 bytes, and of 80 for a Live Activity`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.tokens = .any })
    let activity = Samples.topic + ".push-type.liveactivity"
    func push(_ count: Int, _ topic: String, _ type: String) -> RequestAnswer? {
      let token = String(repeating: "5a", count: count)
      return provider.send(provider.request(to: token, topic: topic, headers: [("apns-push-type", type)]))
    }
    #expect(push(32, Samples.topic, "alert")?.status == 200)
    #expect(push(80, activity, "liveactivity")?.status == 200)
    #expect(push(80, Samples.topic, "alert")?.reason == .badDeviceToken)
    #expect(push(31, Samples.topic, "alert")?.reason == .badDeviceToken)
    let upper = String(repeating: "5A", count: 32)
    #expect(provider.send(provider.request(to: upper))?.status == 200)
    #expect(provider.simulator.notification(5)?.device == provider.simulator.notification(1)?.device)
  }
}

@Suite struct `The reasons of requests` {
  private static let token = Hex.encode(Samples.online)

  @Test(arguments: [
    ("GET", "/3/device/\(token)", nil, Reason.methodNotAllowed),
    ("POST", "/3/devices/\(token)", nil, .badPath),
    ("POST", "/3/device/aaaa", RequestAuthorization(), .missingProviderToken),
    ("POST", "/3/device/", nil, .missingDeviceToken),
    ("POST", "/3/device/xyz", nil, .badDeviceToken),
    ("POST", "/3/device/\(String(repeating: "e", count: 64))", nil, .badDeviceToken),
    ("POST", "/3/device/\(token)", CoreRequester.token(1, .badSignature), .invalidProviderToken),
    (
      "POST", "/3/device/\(token)", CoreRequester.token(issuedAt: Moment.start + .seconds(-3601)),
      .expiredProviderToken
    ),
    (
      "POST", "/3/device/\(token)",
      CoreRequester.token(scope: ProviderKeyScope(environment: .sandbox)), .badEnvironmentKeyIdInToken
    ),
    (
      "POST", "/3/device/\(token)",
      CoreRequester.token(scope: ProviderKeyScope(environment: .production, topics: ["com.example.else"])),
      .topicDisallowed
    ),
    ("POST", "/4/broadcasts/apps/\(Samples.topic)", nil, .featureNotEnabled),
  ] as [(String, String, RequestAuthorization?, Reason)])
  func `follow the order of checks`(
    method: String, path: String, authorization: RequestAuthorization?, reason: Reason
  ) throws {
    let provider = try CoreRequester(Samples.simulator())
    let request = provider.request(method: method, path: path, authorization ?? CoreRequester.token())
    let answer = try #require(provider.send(request))
    #expect(answer.reason == reason && answer.status == reason.status)
    let view = try #require(provider.simulator.notification(1))
    #expect(view.outcome == .rejected && view.request?.reason == reason.name())
    #expect(view.explanations.last?.isPassed == false, "\(view.explanations)")
    #expect(provider.simulator.connection(provider.connection.id)?.counts.rejected == 1)
  }

  @Test(arguments: [
    ([("apns-id", "1")], Reason.badMessageId), ([("apns-priority", "7")], .badPriority),
    ([("apns-push-type", "alerts")], .invalidPushType), ([("apns-expiration", "tomorrow")], .badExpirationDate),
    ([("apns-collapse-id", String(repeating: "c", count: 65))], .badCollapseId),
    ([("apns-topic", "again")], .duplicateHeaders),
    ([("apns-push-type", "background"), ("apns-priority", "10")], .badPriority),
  ] as [([(String, String)], Reason)])
  func `are those of the headers`(headers: [(String, String)], reason: Reason) throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(headers: headers))?.reason == reason)
  }

  @Test func `are those of bodies`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(body: ""))?.reason == .payloadEmpty)
    let limit = String(repeating: " ", count: 4096)
    #expect(provider.send(provider.request(body: limit))?.status == 200)
    #expect(provider.send(provider.request(body: limit + " "))?.reason == .payloadTooLarge)
    let huge = provider.request(body: String(repeating: "x", count: 100_000))
    #expect(provider.send(huge)?.reason == .payloadTooLarge)
    #expect(provider.simulator.notification(4)?.payloadSize == 100_000)
  }

  @Test func `are those of certificates`() throws {
    let provider = try CoreRequester(Samples.simulator(), topics: [Samples.topic])
    #expect(provider.send(provider.request(topic: nil, .certificate))?.status == 200)
    #expect(provider.send(provider.request(topic: "com.example.nope", .certificate))?.reason == .badTopic)
    let several = try CoreRequester(Samples.simulator(), topics: [Samples.topic, Samples.topic + ".voip"])
    #expect(several.send(several.request(topic: nil, .certificate))?.reason == .missingTopic)
    #expect(several.send(several.request(.certificate))?.status == 200)
  }

  @Test func `are those of a connection's provider tokens`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request())?.status == 200)
    #expect(provider.send(provider.request(CoreRequester.token(2)))?.reason == .tooManyProviderTokenUpdates)
    #expect(provider.send(provider.request())?.status == 200)
    let other = CoreRequester.token(3, team: "OTHER")
    #expect(provider.send(provider.request(other))?.reason == .invalidProviderToken)
  }

  @Test func `are those of topics and tokens`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.teams["com.example.nope"] = "OTHER"
    let other = AppKey(topic: "com.example.other", environment: .production)
    let sandbox = AppKey(topic: Samples.topic, environment: .sandbox)
    scenario.devices += [
      DeviceSpecification(
        name: "carol", apps: [AppSpecification(app: other, token: Array(repeating: 7, count: 32))]),
      DeviceSpecification(
        name: "dave", apps: [AppSpecification(app: sandbox, token: Array(repeating: 0x5B, count: 32))]),
    ]
    var configuration = Configuration()
    configuration.tokens = .known
    let simulator = try Simulator(
      configuration: configuration, scenario: scenario, seed: 7, start: Moment.start)
    let provider = try CoreRequester(simulator)
    func reason(_ byte: String, _ topic: String = Samples.topic) -> Reason? {
      provider.send(provider.request(to: String(repeating: byte, count: 32), topic: topic))?.reason
    }
    #expect(reason("a1", "com.example.nope") == .topicDisallowed)
    #expect(reason("07") == .deviceTokenNotForTopic)
    #expect(reason("5b") == .badDeviceToken)
    #expect(reason("a1") == nil)
  }

  @Test(arguments: [
    ("e008", Reason.badDeviceToken), ("e00a", .shutdown), ("e001", .internalServerError), ("fb00", .unregistered),
  ])
  func `are those of magic tokens`(code: String, reason: Reason) throws {
    let provider = try CoreRequester(Samples.simulator())
    let token = "41504e53494d" + code + String(repeating: "0", count: 48)
    #expect(provider.send(provider.request(to: token))?.reason == reason)
  }

  @Test func `come late where the token says so, and the status is none until then`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    // A token that reacts after 500 ms is a device under any policy: what is delivered late was answered at once.
    let token = "41504e53494d1a05" + String(repeating: "0", count: 48)
    #expect(provider.send(provider.request(to: token))?.status == 200)
    #expect(simulator.outcomes == [.stored])
    try simulator.perform(.advanceClock(.milliseconds(500)))
    #expect(simulator.outcomes == [.delivered])
  }
}

@Suite struct `The journal of requests` {
  private static func traffic(_ simulator: Simulator) throws {
    let provider = try CoreRequester(simulator)
    let frames = try CoreProvider(samples: simulator)
    provider.send(
      provider.request(),
      provider.request(headers: [("apns-collapse-id", "score"), ("apns-push-type", "alert")])
    )
    frames.send(Samples.frame(1))
    provider.send(provider.request(to: Hex.encode(Samples.offline)))
    provider.send(provider.request(headers: [("apns-priority", "7")]))
    provider.send(provider.request(RequestAuthorization()))
    provider.close()
    frames.close()
  }

  @Test func `is the same for the same seed`() throws {
    let journals = try (0..<2).map { _ in
      let simulator = try Samples.simulator()
      let journal = MemoryJournal(simulator)
      try Self.traffic(simulator)
      return journal.text
    }
    #expect(journals[0] == journals[1])
  }

  @Test func `says what is a request's own, and never the provider token`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    try Self.traffic(simulator)
    let lines = journal.text.split(separator: "\n").filter { $0.contains(#""interface":"http2""#) }
    #expect(lines.count == 5)
    #expect(lines[1].contains(#""stream":3,"apnsId":""#) && lines[1].contains(#""collapseId":"score","pushType":"alert""#))
    #expect(lines[1].contains(#""auth":{"kind":"token","team":"TEAM","key":"KEY"},"status":200,"device":"alice""#))
    #expect(lines[3].contains(#""status":400,"reason":"BadPriority""#))
    #expect(lines[4].contains(#""auth":null,"status":403,"reason":"MissingProviderToken""#))
    let evidence = simulator.notifications().flatMap(\.evidence)
    #expect(!String(decoding: evidence, as: UTF8.self).contains("secret"))
  }

  @Test func `has in each line the request that makes the same line again`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let provider = try CoreRequester(simulator)
    provider.send(provider.request(), provider.request(headers: [("apns-priority", "5")]))
    provider.send(provider.request(CoreRequester.token(4, .unknownKey)))
    provider.close()
    let again = try Samples.simulator()
    let replayed = MemoryJournal(again)
    let replay = try CoreRequester(again)
    for view in simulator.notifications() {
      replay.send(try #require(ProviderRequest(evidence: view.evidence)))
    }
    replay.close()
    #expect(replayed.text == journal.text)
  }

  @Test func `has bytes that are read back, and others are refused`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let scope = ProviderKeyScope(team: "TEAM", environment: .sandbox, topics: ["a", "b"])
    let request = provider.request(headers: [("apns-id", "x")], CoreRequester.token(9, scope: scope))
    request.bytes.withUnsafeBytes { bytes in
      let evidence = RequestEvidence(bytes)
      #expect(evidence?.authorization == CoreRequester.token(9, scope: scope))
      #expect(evidence?.token.elementsEqual(Samples.online) == true && evidence?.stream == 1)
      #expect(evidence?.fields.contains { $0 == ("authorization", "") } == true)
      #expect(evidence?.fields.last.map { $0 == ("apns-id", "x") } == true)
    }
    var generator = SeededGenerator(seed: 3)
    for count in 0..<request.bytes.count {
      #expect(ProviderRequest(evidence: Array(request.bytes.prefix(count))) == nil)
      var damaged = request.bytes
      damaged[count] = UInt8.random(in: 0...255, using: &generator)
      if let read = ProviderRequest(evidence: damaged) { provider.send(read) }
    }
  }

  @Test(arguments: [
    ("interface", Matcher.equals(.string("http2")), 5), ("status", .equals(.number("403")), 1),
    ("status", .equals(.number("200")), 3), ("reason", .equals(.string("BadPriority")), 1),
    ("collapseId", .equals(.string("score")), 1), ("pushType", .equals(.string("alert")), 4),
    ("stream", .equals(.number("3")), 1), ("auth.team", .equals(.string("TEAM")), 4),
    ("status", .equals(.number("0")), 1),
  ])
  func `can be asked`(path: String, matcher: Matcher, count: Int) throws {
    let simulator = try Samples.simulator()
    try Self.traffic(simulator)
    let query = Query([Query.Condition(path: path, matcher: matcher)])
    #expect(simulator.notifications(from: 1, limit: 9, matching: CompiledQuery(query)).views.count == count)
    #expect(simulator.notifications().filter(query.matches).count == count)
  }
}
