import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A request` {
  @Test func `a request that is good is answered 200 without a body, and delivered`() throws {
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

  @Test func `a request without an apns-id gets one in upper case, and one with it has it echoed`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let made = try #require(provider.send(provider.request())?.header("apns-id"))
    #expect(made.utf8.count == 36 && made == made.uppercased() && made != made.lowercased())
    #expect(provider.simulator.notification(1)?.request?.apnsId == made)
    let own = "123e4567-E89B-12d3-A456-4266554400a0"
    let answer = provider.send(provider.request(headers: [("apns-id", own)]))
    #expect(answer?.header("apns-id") == own && answer?.header("apns-unique-id") == nil)
    #expect(provider.simulator.notification(2)?.request?.apnsId == own)
  }

  @Test func `a request to the sandbox gets a lower-case apns-unique-id as well`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.tokens = .any }, environment: .sandbox)
    let unique = try #require(provider.send(provider.request())?.header("apns-unique-id"))
    #expect(unique == unique.lowercased())
  }

  @Test func `a request waits for an offline device, of both interfaces the newest`() throws {
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
  func `a request's expiration governs the store alone`(expiration: String, outcome: Outcome) throws {
    let provider = try CoreRequester(Samples.simulator())
    let headers = [("apns-expiration", expiration)]
    provider.send(provider.request(headers: headers))
    let answer = provider.send(provider.request(to: Hex.encode(Samples.offline), headers: headers))
    #expect(answer?.status == 200)
    #expect(provider.simulator.outcomes == [.delivered, outcome])
  }

  @Test func `a request to an app that was removed is 410 at once, with the time of that in milliseconds`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try simulator.perform(.advanceClock(.milliseconds(1500)))
    let answer = try #require(provider.send(provider.request()))
    #expect(answer.reason == .unregistered)
    let body = #"{"reason":"Unregistered","timestamp":\#(Moment.start.rawValue)}"#
    #expect(String(decoding: answer.body, as: UTF8.self) == body)
    try simulator.perform(.advanceClock(.hours(2)))
    let token = CoreRequester.token(issuedAt: Moment.start + .hours(2))
    #expect(provider.send(provider.request(token))?.answer.timestamp == answer.answer.timestamp)
    #expect(simulator.outcomes == [.rejected, .rejected])
    #expect(simulator.feedback(for: Samples.app).count == 1)
  }

  @Test func `a request to an offline device without the app is 200, and 410 once that has come online`()
    throws
  {
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

  @Test func `a request whose body no device can read is accepted and dropped`() throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(body: #"{"aps":{"badge":5,}}"#))?.status == 200)
    #expect(provider.send(provider.request(body: "{}"))?.status == 200)
    #expect(provider.simulator.outcomes == [.dropped, .delivered])
  }

  @Test func `a push type with a topic of its own goes to a token of its own, which goes with the app`()
    throws
  {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreRequester(simulator)
    let voip = AppKey(topic: Samples.topic + ".voip", environment: .production)
    let app = AppSpecification(app: voip, token: Array(repeating: 0xC3, count: 32))
    try simulator.perform(
      .putDevice(DeviceSpecification(name: "alice", apps: Samples.devices[0].apps + [app]))
    )
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

  @Test func `a request makes a device of a token of 32 to 100 bytes, whatever the push type`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.tokens = .any })
    let activity = Samples.topic + ".push-type.liveactivity"
    func push(_ count: Int, _ topic: String, _ type: String) -> RequestAnswer? {
      let token = String(repeating: "5a", count: count)
      return provider.send(provider.request(to: token, topic: topic, headers: [("apns-push-type", type)]))
    }
    for size in [32, 33, 54, 64, 80, 100] {
      #expect(push(size, Samples.topic, "alert")?.status == 200, "\(size)")
      #expect(push(size, activity, "liveactivity")?.status == 200, "\(size)")
    }
    #expect(provider.simulator.outcomes.allSatisfy { $0 == .delivered })
    for size in [1, 31, 101, 255, 256, 300] {
      #expect(push(size, Samples.topic, "alert")?.reason == .badDeviceToken, "\(size)")
    }
    let upper = String(repeating: "5A", count: 32)
    #expect(provider.send(provider.request(to: upper))?.status == 200)
    #expect(provider.simulator.notification(19)?.device == provider.simulator.notification(1)?.device)
  }

  @Test(arguments: [(TokenPolicy.known, 80, 54), (.issued, 32, 54)])
  func
    `a request to a token of a length that nobody registered is BadDeviceToken unless any token is a device`(
      policy: TokenPolicy,
      good: Int,
      bad: Int
    ) throws
  {
    let simulator = try Samples.simulator { $0.tokens = policy }
    let token = policy == .issued ? nil : [UInt8](repeating: 0x5A, count: good)
    let app = AppSpecification(app: Samples.app, token: token)
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol", apps: [app])))
    let given = try #require(simulator.device("carol")?.apps.first?.token)
    #expect(given.count == good)
    let provider = try CoreRequester(simulator)
    #expect(provider.send(provider.request(to: Hex.encode(given)))?.status == 200)
    let unknown = String(repeating: "5a", count: bad)
    #expect(provider.send(provider.request(to: unknown))?.reason == .badDeviceToken)
  }

  @Test func `a token of 64 bytes that are hex digits themselves is a device, with a remark`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.tokens = .any })
    let twice = Hex.encode(Array(Hex.encode(Samples.offline).utf8))
    for token in [twice, String(repeating: "0123456789abcdef", count: 8)] {
      #expect(provider.send(provider.request(to: token))?.status == 200)
    }
    let lines = provider.simulator.notifications().map { view in
      view.explanations.first { $0.check == "deviceToken" }
    }
    #expect(lines.allSatisfy { $0?.isPassed == true })
    let remark = "the digits name hex digits: encoded twice: the text '\(Hex.encode(Samples.offline))'"
    #expect(lines.map(\.?.hint) == [remark, nil])
  }

  @Test func `the gateway takes no token length that no device has registered, whatever requests take`()
    throws
  {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: [UInt8](repeating: 0x5A, count: 54)))
    #expect(provider.reply.prefix(2) == [8, 5])
  }
}
