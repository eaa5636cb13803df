import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The reasons of requests` {
  private static let token = Hex.encode(Samples.online)

  @Test(
    arguments: [
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
      ("POST", "/4/broadcasts/apps/\(Samples.topic)", nil, .missingChannelId),
    ] as [(String, String, RequestAuthorization?, Reason)]
  )
  func `the reasons of requests follow the order of checks`(
    method: String,
    path: String,
    authorization: RequestAuthorization?,
    reason: Reason
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

  @Test(
    arguments: [
      ([("apns-id", "1")], Reason.badMessageId), ([("apns-priority", "7")], .badPriority),
      ([("apns-push-type", "alerts")], .invalidPushType),
      ([("apns-expiration", "tomorrow")], .badExpirationDate),
      ([("apns-collapse-id", String(repeating: "c", count: 65))], .badCollapseId),
      ([("apns-topic", "again")], .duplicateHeaders),
      ([("apns-push-type", "background"), ("apns-priority", "10")], .badPriority),
    ] as [([(String, String)], Reason)]
  )
  func `the reasons of requests are those of the headers`(headers: [(String, String)], reason: Reason) throws
  {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(headers: headers))?.reason == reason)
  }

  @Test func `the reasons of requests are in no body where the method is HEAD`() throws {
    for path in ["/3/device/\(Self.token)", "/1/apps/\(Samples.topic)/channels", "/nothing"] {
      for method in ["HEAD", "PUT"] {
        let provider = try CoreRequester(Samples.simulator())
        let answer = try #require(provider.send(provider.request(method: method, path: path)))
        #expect(answer.status == 405 && answer.reason == .methodNotAllowed)
        #expect(answer.body.isEmpty == (method == "HEAD"), "\(method) \(path)")
      }
    }
  }

  @Test func `the reasons of requests are those of bodies`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(body: ""))?.reason == .payloadEmpty)
    let limit = String(repeating: " ", count: 4096)
    #expect(provider.send(provider.request(body: limit))?.status == 200)
    #expect(provider.send(provider.request(body: limit + " "))?.reason == .payloadTooLarge)
    let huge = provider.request(body: String(repeating: "x", count: 100_000))
    #expect(provider.send(huge)?.reason == .payloadTooLarge)
    #expect(provider.simulator.notification(4)?.payloadSize == 100_000)
  }

  @Test func `the reasons of requests are those of certificates`() throws {
    let provider = try CoreRequester(Samples.simulator(), topics: [Samples.topic])
    #expect(provider.send(provider.request(topic: nil, .certificate))?.status == 200)
    let unlisted = provider.request(topic: "com.example.nope", .certificate)
    #expect(provider.send(unlisted)?.reason == .topicDisallowed)
    #expect(provider.send(provider.request(topic: "com.example nope", .certificate))?.reason == .badTopic)
    let several = try CoreRequester(Samples.simulator(), topics: [Samples.topic, Samples.topic + ".voip"])
    #expect(several.send(several.request(topic: nil, .certificate))?.reason == .missingTopic)
    #expect(several.send(several.request(.certificate))?.status == 200)
  }

  @Test func `the reasons of requests are those of a connection's provider tokens`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request())?.status == 200)
    #expect(provider.send(provider.request(CoreRequester.token(2)))?.reason == .tooManyProviderTokenUpdates)
    #expect(provider.send(provider.request())?.status == 200)
    let other = CoreRequester.token(3, team: "OTHER")
    #expect(provider.send(provider.request(other))?.reason == .invalidProviderToken)
  }

  @Test func `the reasons of requests are those of topics and tokens`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.teams["com.example.nope"] = "OTHER"
    let other = AppKey(topic: "com.example.other", environment: .production)
    let sandbox = AppKey(topic: Samples.topic, environment: .sandbox)
    scenario.devices += [
      DeviceSpecification(
        name: "carol",
        apps: [AppSpecification(app: other, token: Array(repeating: 7, count: 32))]
      ),
      DeviceSpecification(
        name: "dave",
        apps: [AppSpecification(app: sandbox, token: Array(repeating: 0x5B, count: 32))]
      ),
    ]
    var configuration = Configuration()
    configuration.tokens = .known
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 7,
      start: Moment.start
    )
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
    ("e008", Reason.badDeviceToken), ("e00a", .shutdown), ("e001", .internalServerError),
    ("fb00", .unregistered),
    ("e101", .badCollapseId), ("e11a", .unregistered), ("e120", .shutdown),
  ])
  func `the reasons of requests are those of magic tokens`(code: String, reason: Reason) throws {
    let provider = try CoreRequester(Samples.simulator())
    let token = "41504e53494d" + code + String(repeating: "0", count: 48)
    #expect(provider.send(provider.request(to: token))?.reason == reason)
  }

  @Test func `reasons of magic tokens have counterparts for frames`() throws {
    let provider = try CoreProvider(samples: Samples.simulator())
    provider.send(Samples.frame(1, to: MagicToken(kind: .reason, code: 0x1A).token()))
    #expect(provider.reply.isEmpty && provider.simulator.feedback(for: Samples.app).count == 1)
    provider.send(Samples.frame(2, to: MagicToken(kind: .reason, code: 0x02).token()))
    #expect(provider.reply == [8, 8, 0, 0, 0, 2])
  }

  @Test func `reasons can be asked for by rules, and so can what only requests have`() throws {
    let simulator = try Samples.simulator()
    var reason = RuleMatch()
    reason.reason = .equals(.string("BadPriority"))
    var collapse = RuleMatch()
    collapse.collapseId = .equals(.string("score"))
    var frames = RuleMatch()
    frames.interface = .equals(.string("binary"))
    for (match, status) in [
      (reason, StatusCode.shutdown), (collapse, .invalidPayloadSize), (frames, .missingTopic),
    ] {
      try simulator.perform(.addRule(Rule(when: match, action: .reply(Reply(status: status)))))
    }
    let provider = try CoreRequester(simulator)
    func answer(_ headers: [(String, String)]) -> Reason? {
      provider.send(provider.request(headers: headers))?.reason
    }
    #expect(answer([("apns-priority", "7")]) == .shutdown)
    #expect(answer([("apns-collapse-id", "score")]) == .payloadTooLarge)
    #expect(answer([("apns-collapse-id", "scores")]) == nil)
    #expect(answer([("apns-priority", "7"), ("apns-collapse-id", "score")]) == .shutdown)
    let provider2 = try CoreProvider(samples: simulator)
    provider2.send(Samples.frame(1))
    #expect(provider2.reply == [8, 3, 0, 0, 0, 1])
  }

  @Test func `reasons come late where a rule says so, and the status is none until then`() throws {
    let simulator = try Samples.simulator()
    try simulator.perform(.addRule(Rule(action: .reply(Reply(status: .invalidToken, delay: .seconds(2))))))
    let provider = try CoreRequester(simulator)
    #expect(provider.send(provider.request()) == nil)
    #expect(simulator.notification(1)?.request?.status == nil && provider.connection.pendingAnswers == 1)
    try simulator.perform(.advanceClock(.seconds(2)))
    #expect(provider.answers.map(\.reason) == [.badDeviceToken] && provider.connection.pendingAnswers == 0)
    #expect(simulator.notification(1)?.request?.status == 400)
    provider.send(provider.request())
    provider.close()
    try simulator.perform(.advanceClock(.seconds(2)))
    #expect(provider.answers.count == 1 && simulator.notification(2)?.request?.status == nil)
  }

  @Test(arguments: OutcomeRules.allCases)
  func `a request to a device that takes its time is answered with the delivery, and by version 0.2 at once`(
    rules: OutcomeRules
  ) throws {
    let simulator = try Samples.simulator { $0.rules = rules }
    let provider = try CoreRequester(simulator)
    // A token that reacts after 500 ms is a device under any policy.
    let token = "41504e53494d1a05" + String(repeating: "0", count: 48)
    provider.send(provider.request(to: token))
    #expect(provider.answers.map(\.status) == (rules == .first ? [200] : []))
    #expect(simulator.outcomes == [.stored])
    try simulator.perform(.advanceClock(.milliseconds(499)))
    #expect(provider.answers.count == (rules == .first ? 1 : 0) && simulator.outcomes == [.stored])
    try simulator.perform(.advanceClock(.milliseconds(1)))
    #expect(simulator.outcomes == [.delivered] && provider.answers.map(\.status) == [200])
  }
}
