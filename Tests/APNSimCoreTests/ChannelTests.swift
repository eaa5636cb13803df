import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

/// A provider with what requests about channels need.
struct ChannelRequester {
  let provider: CoreRequester
  var simulator: Simulator { provider.simulator }

  init(_ simulator: Simulator, topics: [String] = []) throws {
    provider = try CoreRequester(simulator, topics: topics)
  }

  static let description = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

  @discardableResult
  func send(
    _ method: String,
    _ path: String = "/1/apps/com.example.sim/channels",
    _ headers: [(String, String)] = [],
    body: String = "",
    _ authorization: RequestAuthorization = CoreRequester.token()
  ) throws -> RequestAnswer {
    let request = provider.request(
      topic: nil,
      headers: headers,
      body: body,
      method: method,
      path: path,
      authorization
    )
    return try #require(provider.send(request))
  }

  /// The identifier of a new channel.
  func create(policy: Int = 1) throws -> String {
    let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
    return try #require(send("POST", body: body).header("apns-channel-id"))
  }

  @discardableResult
  func publish(
    on channel: String,
    expiration: String = "9999999999",
    headers: [(String, String)] = [],
    body: String = #"{"aps":{"timestamp":1,"event":"update","content-state":{"score":1}}}"#,
    _ authorization: RequestAuthorization = CoreRequester.token()
  ) throws -> RequestAnswer {
    let all = [
      ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", expiration),
    ]
    return try send("POST", "/4/broadcasts/apps/com.example.sim", all + headers, body: body, authorization)
  }

  func subscribe(_ device: String, to channel: String) throws {
    try simulator.perform(.setSubscribed(device: device, ChannelReference(id: channel), true))
  }
}

@Suite struct `Channels` {
  @Test func `channels are created, read, listed and deleted, and their identifiers never come back`() throws
  {
    let requester = try ChannelRequester(Samples.simulator())
    let own = "123e4567-e89b-12d3-a456-4266554400a0"
    let answer = try requester.send(
      "POST",
      "/1/apps/com.example.sim/channels",
      [("apns-request-id", own)],
      body: ChannelRequester.description
    )
    #expect(answer.status == 201 && answer.body.isEmpty && answer.header("apns-request-id") == own)
    let first = try #require(answer.header("apns-channel-id"))
    let bytes = try #require(Base64.decode(first))
    // A time-based UUID (RFC 9562) of the moment, with the clock sequence 0.
    #expect(bytes.count == 16 && bytes[6] >> 4 == 1 && bytes[8] == 0 && bytes[9] == 0)
    let second = try requester.create(policy: 0)
    #expect(first != second && first.utf8.count == 24)
    let read = try requester.send("GET", "/1/apps/com.example.sim/channels", [("apns-channel-id", second)])
    #expect(read.status == 200)
    let body = String(decoding: read.body, as: UTF8.self)
    #expect(body == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
    let list = try requester.send("GET", "/1/apps/com.example.sim/all-channels")
    #expect(String(decoding: list.body, as: UTF8.self) == #"{"channels":["\#(first)","\#(second)"]}"#)
    func delete() throws -> RequestAnswer {
      try requester.send("DELETE", "/1/apps/com.example.sim/channels", [("apns-channel-id", first)])
    }
    #expect(try delete().status == 204)
    #expect(try delete().reason == .badPath)
    #expect(try requester.publish(on: first).reason == .channelNotRegistered)
    #expect(requester.simulator.channels().channels.map(\.id) == [second])
    #expect(
      requester.simulator.outcomes.prefix(5) == [.performed, .performed, .performed, .performed, .performed]
    )
    #expect(requester.simulator.notification(1)?.request?.status == 201)
    #expect(requester.simulator.notification(5)?.request?.status == 204)
  }

  @Test func `channels get another identifier where the next one was given to a channel before`() throws {
    let next = try ChannelRequester(Samples.simulator()).create()
    let requester = try ChannelRequester(Samples.simulator())
    let app = AppKey(topic: "com.example.sim", environment: .production)
    try requester.simulator.perform(.addChannel(ChannelSpecification(app: app, id: next)))
    #expect(try requester.create() != next)
    #expect(Set(requester.simulator.channels().channels.map(\.id)).count == 2)
  }

  @Test func `channels belong to an app and an environment`() throws {
    let simulator = try Samples.simulator()
    let requester = try ChannelRequester(simulator)
    let id = try requester.create()
    let other = try requester.send("GET", "/1/apps/com.example.other/channels", [("apns-channel-id", id)])
    #expect(other.reason == .channelNotRegistered)
    let sandbox = try CoreRequester(simulator, environment: .sandbox)
    let read = sandbox.request(
      topic: nil,
      headers: [("apns-channel-id", id)],
      body: "",
      method: "GET",
      path: "/1/apps/com.example.sim/channels"
    )
    #expect(sandbox.send(read)?.reason == .channelNotRegistered)
  }

  @Test(arguments: [
    ("", Reason.badRequestPayload), ("[]", .badRequestPayload), ("{}", .missingChannelQueueSize),
    (#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#, .missingChannelQueueSize),
    (#"{"message-storage-policy":1}"#, .missingPushType),
    (#"{"message-storage-policy":1,"push-type":"alert"}"#, .invalidPushType),
    (#"{"message-storage-policy":1,"push-type":"LiveActivity","name":"x"}"#, .badRequestParams),
    (#"{"message-storage-policy":1,"push-type":"liveactivity"}"#, nil),
  ])
  func `channels are created of a good description alone`(body: String, reason: Reason?) throws {
    #expect(try ChannelRequester(Samples.simulator()).send("POST", body: body).reason == reason)
  }

  @Test func `each app may have as many channels as the limit`() throws {
    let requester = try ChannelRequester(Samples.simulator { $0.limits.channels = 2 })
    let first = try requester.create()
    _ = try requester.create()
    #expect(
      try requester.send("POST", body: ChannelRequester.description).reason == .cannotCreateChannelConfig
    )
    let other = try requester.send(
      "POST",
      "/1/apps/com.example.other/channels",
      body: ChannelRequester.description
    )
    #expect(other.status == 201)
    try requester.send("DELETE", "/1/apps/com.example.sim/channels", [("apns-channel-id", first)])
    #expect(try requester.send("POST", body: ChannelRequester.description).status == 201)
  }

  @Test func `channels of another team's bundle ID, or of one that the key does not cover, are a mismatch`()
    throws
  {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.teams["com.example.sim"] = "OTHER"
    let simulator = try Simulator(
      configuration: Configuration(),
      scenario: scenario,
      seed: 1,
      start: Moment.start
    )
    let body = ChannelRequester.description
    #expect(try ChannelRequester(simulator).send("POST", body: body).reason == .topicMismatch)
    let narrow = CoreRequester.token(5, scope: ProviderKeyScope(topics: ["com.example.other"]))
    let requester = try ChannelRequester(Samples.simulator())
    #expect(
      try requester.send("POST", "/1/apps/com.example.sim/channels", body: body, narrow).reason
        == .topicMismatch
    )
    let certified = try ChannelRequester(Samples.simulator(), topics: ["com.example.other"])
    let path = "/1/apps/com.example.sim/all-channels"
    #expect(try certified.send("GET", path, body: "", .certificate).reason == .topicMismatch)
    let good = try ChannelRequester(Samples.simulator(), topics: ["com.example.sim"])
    #expect(try good.send("GET", path, body: "", .certificate).status == 200)
  }

  @Test func `channels go when the capability does, and none is created without it`() throws {
    let simulator = try Samples.simulator()
    let requester = try ChannelRequester(simulator)
    let id = try requester.create()
    try simulator.perform(.setBroadcast(bundleId: "com.example.sim", false))
    #expect(simulator.channels().channels.isEmpty)
    #expect(try requester.send("POST", body: ChannelRequester.description).reason == .featureNotEnabled)
    #expect(try requester.send("GET", "/1/apps/com.example.sim/all-channels").reason == .featureNotEnabled)
    #expect(try requester.publish(on: id).reason?.name() == "BroadcastFeatureNotEnabled")
    #expect(throws: CommandError.noBroadcast("com.example.sim")) {
      try simulator.perform(.addChannel(ChannelSpecification(app: Samples.app)))
    }
    try simulator.perform(.setBroadcast(bundleId: "com.example.sim", true))
    #expect(try requester.publish(on: id).reason == .channelNotRegistered)
  }

  @Test func `channels are created and deleted by commands, and name what is wrong`() throws {
    let simulator = try Samples.simulator()
    let id = "tvI2UK0vEfEAAA6GFnjo2Q=="
    let wanted = ChannelSpecification(app: Samples.app, id: id, storagePolicy: .none, subscribers: ["bob"])
    try simulator.perform(.addChannel(wanted))
    let view = try #require(simulator.channels().channels.first)
    #expect(view.id == id && view.subscribers == ["bob"] && view.storagePolicy == .none)
    #expect(throws: CommandError.channelTaken(id)) { try simulator.perform(.addChannel(wanted)) }
    #expect(throws: CommandError.badChannel("x")) {
      try simulator.perform(.addChannel(ChannelSpecification(app: Samples.app, id: "x")))
    }
    let other = AppKey(topic: "com.example.other", environment: .production)
    #expect(throws: CommandError.appNotOnDevice(device: "bob", app: other)) {
      try simulator.perform(.addChannel(ChannelSpecification(app: other, subscribers: ["bob"])))
    }
    try simulator.perform(.addChannel(ChannelSpecification(app: other, id: id)))
    #expect(throws: CommandError.ambiguousChannel(id)) {
      try simulator.perform(.deleteChannel(ChannelReference(id: id)))
    }
    try simulator.perform(.deleteChannel(ChannelReference(id: id, app: other)))
    try simulator.perform(.deleteChannel(ChannelReference(id: id)))
    #expect(throws: CommandError.unknownChannel(id)) {
      try simulator.perform(.deleteChannel(ChannelReference(id: id)))
    }
  }
}

@Suite struct `A broadcast` {
  @Test func `a broadcast reaches the subscribed devices that are online, and waits for the others`() throws {
    let simulator = try Samples.simulator()
    let requester = try ChannelRequester(simulator)
    let id = try requester.create()
    try requester.subscribe("alice", to: id)
    try requester.subscribe("bob", to: id)
    #expect(try requester.publish(on: id).status == 200)
    let second = #"{"aps":{"timestamp":2,"event":"update","content-state":{"score":2}}}"#
    #expect(try requester.publish(on: id, body: second).status == 200)
    #expect(simulator.inbox(of: "alice")?.notifications.map(\.number) == [2, 3])
    #expect(simulator.inbox(of: "bob")?.notifications.isEmpty == true)
    try simulator.perform(.setOnline(device: "bob", true))
    let inbox = try #require(simulator.inbox(of: "bob")?.notifications)
    #expect(inbox.map(\.number) == [3] && inbox.first?.payload == Array(second.utf8))
    #expect(simulator.outcomes == [.performed, .delivered, .delivered])
    let view = try #require(simulator.channels().channels.first)
    #expect(view.published == 2 && view.delivered == 3 && view.subscribers == ["alice", "bob"])
    #expect(simulator.notification(2)?.interface == .http2)
    #expect(simulator.notification(2)?.explanations.last?.check == "broadcast")
    // It has it once.
    try simulator.perform(.setOnline(device: "bob", false))
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.inbox(of: "bob")?.notifications.count == 1)
  }

  @Test func `a broadcast that nobody has yet is stored, and delivered, replaced or given up later`() throws {
    let simulator = try Samples.simulator()
    let requester = try ChannelRequester(simulator)
    let id = try requester.create()
    try requester.subscribe("bob", to: id)
    try requester.publish(on: id)
    try requester.publish(on: id)
    #expect(simulator.outcomes == [.performed, .replaced, .stored])
    try simulator.perform(.advanceClock(.hours(8)))
    #expect(simulator.outcomes == [.performed, .replaced, .expired])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.inbox(of: "bob")?.notifications.isEmpty == true)
    try simulator.perform(.setOnline(device: "bob", false))
    let soon = "\(simulator.clock(at: Moment.start).now.seconds + 60)"
    let token = CoreRequester.token(issuedAt: Moment.start + .hours(8))
    try requester.publish(on: id, expiration: soon, token)
    try simulator.perform(.advanceClock(.seconds(59)))
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes.last == .delivered)
    #expect(simulator.inbox(of: "bob")?.notifications.count == 1)
  }

  @Test(arguments: [
    (0, "0", nil, Outcome.notStored), (0, "9999999999", Reason.badExpirationDate, .rejected),
    (1, "0", nil, .notStored), (1, "1", nil, .expired), (1, "9999999999", nil, .stored),
    (1, "x", .badExpirationDate, .rejected),
  ])
  func `a broadcast is stored as policy and expiration say`(
    policy: Int,
    expiration: String,
    reason: Reason?,
    outcome: Outcome
  ) throws {
    let requester = try ChannelRequester(Samples.simulator())
    let id = try requester.create(policy: policy)
    try requester.subscribe("bob", to: id)
    #expect(try requester.publish(on: id, expiration: expiration).reason == reason)
    #expect(requester.simulator.outcomes.last == outcome)
  }

  @Test func `a broadcast fails each check by its own reason`() throws {
    let requester = try ChannelRequester(Samples.simulator())
    let id = try requester.create()
    let path = "/4/broadcasts/apps/com.example.sim"
    func publish(_ headers: [(String, String)], body: String = "{}") throws -> Reason? {
      try requester.send("POST", path, headers, body: body).reason
    }
    let channel = ("apns-channel-id", id)
    let type = ("apns-push-type", "Liveactivity")
    let expiration = ("apns-expiration", "0")
    #expect(try publish([type, expiration]) == .missingChannelId)
    #expect(try publish([("apns-channel-id", "?"), type, expiration]) == .badChannelId)
    #expect(try publish([channel, expiration]) == .missingPushType)
    #expect(try publish([channel, ("apns-push-type", "alert"), expiration]) == .invalidPushType)
    #expect(try publish([channel, type]) == .badExpirationDate)
    #expect(try publish([channel, type, expiration, ("apns-priority", "2")]) == .badPriority)
    for priority in ["10", "5", "1"] {
      #expect(try publish([channel, type, expiration, ("apns-priority", priority)]) == nil)
    }
    #expect(try publish([channel, type, expiration, ("apns-request-id", "1")]) == .badMessageId)
    #expect(try publish([channel, type, expiration], body: "") == .payloadEmpty)
    let large = String(repeating: " ", count: 5121)
    #expect(try publish([channel, type, expiration], body: large) == .payloadTooLarge)
    #expect(try publish([channel, type, expiration]) == nil)
    #expect(try requester.send("GET", path).reason == .methodNotAllowed)
    #expect(try requester.send("POST", path + ".voip").reason == .topicDisallowed)
    #expect(
      try requester.send("POST", path, [], body: "", RequestAuthorization()).reason == .missingProviderToken
    )
    #expect(requester.simulator.notifications().allSatisfy { !$0.explanations.isEmpty })
  }

  @Test func `no longer reaches a device that unsubscribes, or loses the app`() throws {
    let simulator = try Samples.simulator()
    let requester = try ChannelRequester(simulator)
    let id = try requester.create()
    try requester.subscribe("alice", to: id)
    try simulator.perform(.setSubscribed(device: "alice", ChannelReference(id: id), false))
    try requester.publish(on: id)
    try requester.subscribe("alice", to: id)
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try requester.publish(on: id)
    #expect(simulator.inbox(of: "alice")?.notifications.isEmpty == true)
    #expect(simulator.channels().channels.first?.subscriberCount == 0)
    try simulator.perform(.setInstalled(device: "alice", app: nil, true))
    try requester.subscribe("alice", to: id)
    var device = Samples.devices[0]
    device.apps[0].token = [UInt8](repeating: 0xC7, count: 32)
    try simulator.perform(.putDevice(device))
    try requester.publish(on: id)
    #expect(simulator.inbox(of: "alice")?.notifications.count == 1)
    try simulator.perform(.removeDevice("alice"))
    #expect(simulator.channels().channels.first?.subscriberCount == 0)
  }

  @Test func `everything about broadcasts and channels is the same for the same seed`() throws {
    let journals = try (0..<2).map { _ in
      let simulator = try Samples.simulator()
      let journal = MemoryJournal(simulator)
      let requester = try ChannelRequester(simulator)
      let id = try requester.create()
      try requester.subscribe("alice", to: id)
      try requester.publish(on: id)
      try simulator.perform(.setBroadcast(bundleId: "com.example.sim", false))
      return journal.text
    }
    #expect(journals[0] == journals[1])
    for name in ["channelCreated", "channelSubscribed", "published", "broadcastChanged", "channelDeleted"] {
      #expect(journals[0].contains(#""event":"\#(name)""#), "\(name)")
    }
  }

  @Test func `a broadcast makes no deadline larger`() { #expect(MemoryLayout<Deadline>.size == 24) }
}
