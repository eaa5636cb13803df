import APNSimWire
import Testing

/// The cause of each reason.
struct RequestJudgeTests {
  static let good = RequestSample()

  /// Requests that cause a reason by themselves.
  static let caused: [(Reason, RequestSample)] = [
    (.badCollapseId, RequestSample(["apns-collapse-id": String(repeating: "é", count: 33)])),
    (.badDeviceToken, RequestSample(path: "/3/device/abc")),
    (.badDeviceToken, RequestSample(path: "/3/device/zz")),
    (.badExpirationDate, RequestSample(["apns-expiration": "-1"])),
    (.badExpirationDate, RequestSample(["apns-expiration": "99999999999999999999"])),
    (.badExpirationDate, .broadcast(["apns-expiration": nil])),
    (.badMessageId, RequestSample(["apns-id": "123e4567e89b12d3a4564266554400a0"])),
    (.badMessageId, .broadcast(["apns-request-id": "1"])),
    (.badPriority, RequestSample(["apns-priority": "7"])),
    (.badPriority, RequestSample(["apns-priority": "10", "apns-push-type": "background"])),
    (.badPriority, .broadcast(["apns-priority": "7"])),
    (.badTopic, RequestSample(["apns-topic": "com example"])),
    (.deviceTokenNotForTopic, RequestSample(["apns-push-type": "voip"])),
    (.duplicateHeaders, repeated),
    (.invalidPushType, RequestSample(["apns-push-type": "Alert"])),
    (.invalidPushType, RequestSample(["apns-push-type": "alert", "apns-topic": "com.example.sim.voip"])),
    (.invalidPushType, .broadcast(["apns-push-type": "alert"])),
    (.invalidPushType, .channel(#"{"message-storage-policy":1,"push-type":"alert"}"#)),
    (.missingDeviceToken, RequestSample(path: "/3/device/")),
    (.missingDeviceToken, RequestSample(path: "/3/device")),
    (.missingTopic, RequestSample(["apns-topic": nil])),
    (.payloadEmpty, good.with(body: [])),
    (.payloadEmpty, RequestSample.broadcast().with(body: [])),
    (.topicDisallowed, withSuffix),
    (.missingProviderToken, RequestSample(["authorization": nil])),
    (.missingProviderToken, RequestSample(["authorization": "bearer "])),
    (.badPath, RequestSample(path: "/2/device/\(hexToken)")),
    (.badPath, RequestSample(path: "/1/apps//channels")),
    (.methodNotAllowed, RequestSample(method: "GET")),
    (.methodNotAllowed, RequestSample(path: "/1/apps/com.example.sim/all-channels")),
    (.payloadTooLarge, good.with(body: Array(repeating: 0x20, count: 4097))),
    (.payloadTooLarge, RequestSample.broadcast().with(body: Array(repeating: 0x20, count: 5121))),
    (.missingChannelId, .broadcast(["apns-channel-id": nil])),
    (.missingChannelId, .channel("", method: "GET")),
    (.badChannelId, .broadcast(["apns-channel-id": "AAA"])),
    (.badChannelId, .channel("", method: "DELETE", id: String(repeating: "A", count: 68))),
    (.badRequestParams, .channel(#"{"message-storage-policy":1,"push-type":"LiveActivity","name":"x"}"#)),
    (.badRequestPayload, .channel("{")),
    (.badRequestPayload, .channel("[]")),
    (.missingPushType, .broadcast(["apns-push-type": nil])),
    (.missingPushType, .channel(#"{"message-storage-policy":1}"#)),
    (.missingChannelQueueSize, .channel(#"{"push-type":"LiveActivity"}"#)),
    (.missingChannelQueueSize, .channel(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#)),
  ]

  private static var repeated: RequestSample {
    var sample = good
    sample.headers.append(("apns-topic", "com.example.sim"))
    return sample
  }

  private static var withSuffix: RequestSample {
    var sample = RequestSample.broadcast()
    sample.headers[2].value += ".push-type.liveactivity"
    return sample
  }

  /// The part of the world that causes each of the others.
  static let fromElsewhere: [Reason: String] = [
    .idleTimeout: "the connection's idleness",
    .badCertificate: "the handshake, or a certificate without a push topic: GOAWAY",
    .badCertificateEnvironment: "the handshake: GOAWAY",
    .expiredProviderToken: "the verdict on the provider token",
    .forbidden: "a rule",
    .invalidProviderToken: "the verdict on the provider token",
    .unrelatedKeyIdInToken: "the verdict on the provider token",
    .badEnvironmentKeyIdInToken: "the verdict on the provider token",
    .expiredToken: "the token's standing",
    .unregistered: "the registration",
    .tooManyProviderTokenUpdates: "the connection's tokens so far",
    .tooManyRequests: "a rule",
    .internalServerError: "a fault",
    .serviceUnavailable: "a fault",
    .shutdown: "a fault, or the end of the server",
    .featureNotEnabled: "the App ID's capability",
    .channelNotRegistered: "the channels that there are",
    .cannotCreateChannelConfig: "the number of channels",
    .topicMismatch: "the topics of the provider",
  ]

  @Test func `each reason has a request that causes it, or comes from elsewhere`() {
    for (reason, sample) in Self.caused {
      let verdict = sample.verdict()
      #expect(verdict.reason == reason, "\(sample.headers)")
      #expect(verdict.failed != .none)
    }
    let covered = Set(Self.caused.map(\.0)).union(Self.fromElsewhere.keys)
    #expect(Reason.allCases.filter { !covered.contains($0) } == [])
  }

  @Test func `good requests pass`() {
    let channel = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
    let samples: [RequestSample] = [
      Self.good, .broadcast(), .broadcast(["apns-push-type": "LiveActivity"]), .channel(channel),
      .channel("", method: "GET", id: "AAAA"), .channel("", method: "DELETE", id: "AAAA"),
      RequestSample(path: "/3/device/\(hexToken.uppercased())"),
      RequestSample(path: "/3/device/\(String(repeating: "ab", count: 80))"),
      RequestSample([":authority": nil, "host": "api.push.apple.com"]),
      RequestSample(["authorization": "BEARER x"]),
      RequestSample(["apns-topic": "com.example.sim.voip"]).with(body: Array(repeating: 0x20, count: 5120)),
    ]
    for sample in samples {
      #expect(sample.verdict() == RequestVerdict(), "\(sample.headers)")
    }
  }

  @Test func `the world is asked in the order of the checks`() {
    var world = StatedWorld()
    world.tokenTopic = .deviceTokenNotForTopic
    #expect(Self.good.reason(RequestRules(), world) == .deviceTokenNotForTopic)
    world.registration = .unregistered
    #expect(Self.good.reason(RequestRules(), world) == .unregistered)
    world.deviceToken = .badDeviceToken
    #expect(Self.good.reason(RequestRules(), world) == .badDeviceToken)
    #expect(Self.good.with(body: []).reason(RequestRules(), world) == .payloadEmpty)
    world.topic = .topicDisallowed
    #expect(Self.good.with(body: []).reason(RequestRules(), world) == .topicDisallowed)
    world.authorization = .expiredProviderToken
    #expect(Self.good.reason(RequestRules(), world) == .expiredProviderToken)
    #expect(RequestSample(method: "GET").reason(RequestRules(), world) == .methodNotAllowed)
    #expect(
      RequestSample(path: "/1/apps/a.b/channels", method: "PUT").reason(RequestRules(), world)
        == .expiredProviderToken
    )
  }

  @Test func `the order is data`() {
    var order = CheckOrder.standard
    order.device.removeAll { $0 == .collapseId }
    order.device.append(.collapseId)
    let sample = RequestSample(path: "/3/device/zz", ["apns-collapse-id": String(repeating: "c", count: 65)])
    #expect(sample.reason() == .badCollapseId)
    #expect(sample.reason(RequestRules(order: order)) == .badDeviceToken)
  }

  @Test func `quirks change what they name`() {
    let ten = RequestSample(["apns-push-type": "background", "apns-priority": "10"])
    #expect(ten.verdict(RequestRules(quirks: .backgroundPriority10)).isDropped)
    #expect(ten.reason(RequestRules(quirks: .backgroundPriority10)) == nil)
    let absent = RequestSample(["apns-push-type": "background"])
    #expect(absent.reason() == nil)
    #expect(absent.reason(RequestRules(quirks: .backgroundNeedsPriority)) == .badPriority)
    var world = StatedWorld()
    world.channel = .channelNotRegistered
    #expect(RequestSample.broadcast().reason(RequestRules(), world) == .channelNotRegistered)
    #expect(
      RequestSample.broadcast().reason(RequestRules(quirks: .unknownChannelBad), world) == .badChannelId
    )
    #expect(RequestSample.channel("", method: "DELETE", id: "AAAA").reason(RequestRules(), world) == .badPath)
  }

  @Test func `a channel that stores nothing takes no expiration`() {
    var world = StatedWorld()
    world.channelStores = false
    #expect(RequestSample.broadcast().reason(RequestRules(), world) == nil)
    #expect(
      RequestSample.broadcast(["apns-expiration": "9"]).reason(RequestRules(), world) == .badExpirationDate
    )
  }

  @Test func `the explain list ends with the check that failed, with what was expected and found`() {
    let lines = RequestSample(["apns-priority": "7"]).explanations()
    #expect(lines.last?.check == .priority)
    #expect(lines.last?.isPassed == false)
    #expect(lines.last?.expected == "10, 5, 1 for alert")
    #expect(lines.last?.found == "'7': BadPriority")
    #expect(lines.dropLast().allSatisfy { $0.isPassed })
    #expect(lines.map(\.check) == CheckOrder.standard.device.prefix(lines.count).map { $0 })
    #expect(!"\(RequestSample(["authorization": "bearer s3cret"]).explanations())".contains("s3cret"))
  }
}

extension RequestSample {
  func explanations() -> [RequestExplanation] {
    let verdict = verdict()
    return decoded { RequestExplainer($0, verdict, rules: RequestRules(), in: $1).explanations }
  }
}
