import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The life of a token` {
  private static let other = [UInt8](repeating: 0xD4, count: 32)
  private static let activities = AppKey(
    topic: Samples.topic + ".push-type.liveactivity",
    environment: .production
  )

  /// The ways in which an app gets another token.
  private static let replacements: [(String, Command)] = [
    ("rotation", .rotateTokens(device: "alice", app: nil)),
    ("rotation of the app", .rotateTokens(device: "alice", app: Samples.app)),
    (
      "PUT",
      .putDevice(DeviceSpecification(name: "alice", apps: [AppSpecification(app: Samples.app, token: other)]))
    ),
    ("PATCH", .changeDevice(DeviceChange(device: "alice", apps: .every(.init(token: .given(other)))))),
    (
      "installation",
      .changeDevice(
        DeviceChange(
          device: "alice",
          apps: .one(topic: Samples.topic, environment: nil, .init(token: .given(other), isInstalled: true))
        )
      )
    ),
  ]

  private static func timestamp(_ answer: RequestAnswer?) -> Int64? { answer?.answer.timestamp }

  @Test(arguments: [TokenPolicy.any, .known], replacements.indices)
  func `a token that another one replaces is 410 from then on, with the time of its death`(
    policy: TokenPolicy,
    way: Int
  ) throws {
    let simulator = try Samples.simulator { $0.tokens = policy }
    let provider = try CoreRequester(simulator)
    try simulator.perform(.advanceClock(.minutes(5)))
    try simulator.perform(Self.replacements[way].1)
    try simulator.perform(.advanceClock(.minutes(5)))
    for isOnline in [true, false] {
      try simulator.perform(.setOnline(device: "alice", isOnline))
      let answer = provider.send(provider.request())
      #expect(answer?.reason == .unregistered)
      #expect(Self.timestamp(answer) == (Moment.start + .minutes(5)).rawValue)
    }
    let now = try #require(simulator.device("alice")?.apps.first?.token)
    #expect(now != Samples.online && simulator.device("alice")?.apps.count == 1)
    try simulator.perform(.setOnline(device: "alice", true))
    #expect(provider.send(provider.request(to: Hex.encode(now)))?.status == 200)
    #expect(simulator.notifications().map(\.device) == ["alice", "alice", "alice"])
    #expect(simulator.devices().map(\.name) == ["alice", "bob"])
  }

  @Test(arguments: [true, false])
  func `over the binary interface a dead token is accepted, refused and listed at that push`(isOnline: Bool)
    throws
  {
    let simulator = try Samples.simulator()
    try simulator.perform(.rotateTokens(device: "alice", app: nil))
    try simulator.perform(.setOnline(device: "alice", isOnline))
    try simulator.perform(.advanceClock(.minutes(5)))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    #expect(provider.reply.isEmpty && simulator.outcomes == [.refused])
    let time = (Moment.start + .minutes(5)).tupleSeconds
    #expect(simulator.feedback(for: Samples.app) == [FeedbackTuple(timestamp: time, token: Samples.online)])
  }

  @Test func `an app that was removed is 410 since its removal, also when its device is offline`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.advanceClock(.minutes(1)))
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try simulator.perform(.setInstalled(device: "bob", app: nil, false))
    try simulator.perform(.advanceClock(.minutes(1)))
    // The service cannot know yet.
    #expect(provider.send(provider.request(to: Hex.encode(Samples.offline)))?.status == 200)
    try simulator.perform(.setOnline(device: "bob", true))
    for name in ["alice", "bob"] { try simulator.perform(.setOnline(device: name, false)) }
    try simulator.perform(.advanceClock(.minutes(1)))
    let alice = provider.send(provider.request())
    let bob = provider.send(provider.request(to: Hex.encode(Samples.offline)))
    #expect(alice?.reason == .unregistered && bob?.reason == .unregistered)
    #expect(Self.timestamp(alice) == (Moment.start + .minutes(1)).rawValue)
    #expect(Self.timestamp(bob) == (Moment.start + .minutes(2)).rawValue)
    #expect(simulator.outcomes == [.refused, .rejected, .rejected])
  }

  @Test(arguments: ["alice", "carol"])
  func `a dead token that a device registers again lives again, registered later`(name: String) throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.rotateTokens(device: "alice", app: nil))
    #expect(provider.send(provider.request())?.reason == .unregistered)
    try simulator.perform(.advanceClock(.minutes(5)))
    let app = AppSpecification(app: Samples.app, token: Samples.online)
    try simulator.perform(.putDevice(DeviceSpecification(name: name, apps: [app])))
    #expect(provider.send(provider.request())?.status == 200)
    #expect(simulator.notifications().last?.device == name)
    #expect(simulator.device(name)?.apps.map(\.registeredAt) == [Moment.start + .minutes(5)])
    try simulator.perform(.setInstalled(device: name, app: nil, false))
    try simulator.perform(.setInstalled(device: name, app: nil, true))
    #expect(provider.send(provider.request())?.status == 200)
  }

  @Test func `the same token put again changes nothing`() throws {
    let simulator = try Samples.simulator()
    let before = simulator.device("alice")
    try simulator.perform(.advanceClock(.minutes(5)))
    try simulator.perform(.putDevice(Samples.devices[0]))
    #expect(simulator.device("alice") == before)
    #expect(try CoreRequester(simulator).send(CoreRequester(simulator).request())?.status == 200)
  }

  @Test func `a rotated token is issued, and the same in each run`() throws {
    func tokens() throws -> [[UInt8]] {
      let simulator = try Samples.simulator { $0.tokens = .issued }
      try simulator.perform(
        .putDevice(DeviceSpecification(name: "carol", apps: [AppSpecification(app: Samples.app)]))
      )
      var found: [[UInt8]] = []
      for _ in 1...3 {
        found.append(try #require(simulator.device("carol")?.apps.first?.token))
        try simulator.perform(.rotateTokens(device: "carol", app: nil))
        #expect(simulator.device("carol")?.apps.first?.isIssued == true)
      }
      let provider = try CoreRequester(simulator)
      let now = try #require(simulator.device("carol")?.apps.first?.token)
      #expect(provider.send(provider.request(to: Hex.encode(now)))?.status == 200)
      #expect(provider.send(provider.request(to: Hex.encode(found[0])))?.reason == .unregistered)
      // Without a token it is put with the one that it has.
      let device = DeviceSpecification(name: "carol", apps: [AppSpecification(app: Samples.app)])
      try simulator.perform(.putDevice(device))
      #expect(simulator.device("carol")?.apps.first?.token == now)
      try simulator.perform(.removeDevice("carol"))
      try simulator.perform(.putDevice(device))
      #expect(simulator.device("carol")?.apps.first?.token == found[0])
      return found
    }
    let found = try tokens()
    #expect(Set(found).count == 3)
    #expect(try tokens() == found)
  }

  @Test func `a reset begins with the first token again`() throws {
    let simulator = try Samples.simulator()
    let device = DeviceSpecification(name: "carol", apps: [AppSpecification(app: Samples.app)])
    try simulator.perform(.putDevice(device))
    let first = simulator.device("carol")?.apps.first?.token
    try simulator.perform(.rotateTokens(device: "carol", app: nil))
    try simulator.perform(.reset)
    try simulator.perform(.putDevice(device))
    #expect(simulator.device("carol")?.apps.first?.token == first)
  }

  @Test func `what waits moves with the app at a rotation, under its identifiers too, and keeps its time`()
    throws
  {
    let simulator = try Samples.simulator { $0.storedPerApp = .collapseId }
    let provider = try CoreRequester(simulator)
    for name in ["", "a", "b"] {
      let headers = name.isEmpty ? [] : [("apns-collapse-id", name)]
      provider.send(provider.request(to: Hex.encode(Samples.offline), headers: headers))
    }
    try simulator.perform(.rotateTokens(device: "bob", app: nil))
    #expect(simulator.stored(for: "bob")?.map(\.number) == [1, 2, 3])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.delivered, .delivered, .delivered])
    try simulator.perform(.setOnline(device: "bob", false))
    let token = try #require(simulator.device("bob")?.apps.first?.token)
    provider.send(provider.request(to: Hex.encode(token), headers: [("apns-collapse-id", "a")]))
    try simulator.perform(.rotateTokens(device: "bob", app: nil))
    try simulator.perform(.advanceClock(.days(31)))
    #expect(simulator.notifications().last?.outcome == .expired)
  }

  @Test func `what waits ends with an app that is removed, whether it comes back under another token or not`()
    throws
  {
    for installs in [true, false] {
      let simulator = try Samples.simulator()
      let provider = try CoreRequester(simulator)
      provider.send(provider.request(to: Hex.encode(Samples.offline)))
      try simulator.perform(.setInstalled(device: "bob", app: nil, false))
      if installs {
        let state = DeviceChange.AppState(token: .given(Self.other), isInstalled: true)
        try simulator.perform(.changeDevice(DeviceChange(device: "bob", apps: .every(state))))
      }
      try simulator.perform(.setOnline(device: "bob", true))
      #expect(simulator.outcomes == [.refused] && simulator.inbox(of: "bob")?.notifications.isEmpty == true)
    }
  }

  @Test func `a device that is removed is forgotten with its dead tokens`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreRequester(simulator)
    try simulator.perform(.rotateTokens(device: "alice", app: nil))
    try simulator.perform(.removeDevice("alice"))
    #expect(provider.send(provider.request())?.status == 200)
    #expect(simulator.notifications().last?.device == Hex.encode(Samples.online))
    #expect(simulator.deadTokens == 0)
  }

  @Test func `as many dead tokens are remembered as the setting says, and the oldest is forgotten`() throws {
    let simulator = try Samples.simulator { $0.limits.deadTokens = 2 }
    let provider = try CoreRequester(simulator)
    var tokens = [Samples.online]
    for _ in 1...3 {
      try simulator.perform(.rotateTokens(device: "alice", app: nil))
      tokens.append(try #require(simulator.device("alice")?.apps.first?.token))
    }
    let reasons = tokens.map { provider.send(provider.request(to: Hex.encode($0)))?.reason }
    #expect(reasons == [.badDeviceToken, .unregistered, .unregistered, nil])
    #expect(simulator.deadTokens == 2)
  }

  @Test func `thousands of rotations leave no more behind than what is remembered`() throws {
    let simulator = try Samples.simulator { $0.limits.deadTokens = 10 }
    for round in 0..<2000 {
      try simulator.perform(.rotateTokens(device: "alice", app: nil))
      if round % 3 == 0 {
        let app = AppSpecification(app: Samples.app, token: Samples.online)
        try simulator.perform(.putDevice(DeviceSpecification(name: "alice", apps: [app])))
      }
    }
    #expect(simulator.deadTokens == 10)
  }

  @Test func `a rotation is of apps that are installed, and an error names the app that is not`() throws {
    let simulator = try Samples.simulator()
    let missing = AppKey(topic: "com.example.none", environment: .production)
    #expect(throws: CommandError.appNotOnDevice(device: "alice", app: missing)) {
      try simulator.perform(.rotateTokens(device: "alice", app: missing))
    }
    #expect(throws: CommandError.unknownDevice("nobody")) {
      try simulator.perform(.rotateTokens(device: "nobody", app: nil))
    }
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try simulator.perform(.rotateTokens(device: "alice", app: nil))
    #expect(simulator.device("alice")?.apps.first?.token == Samples.online)
  }

  @Test func `a device that was made on first sight is called by its first token after a rotation`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreRequester(simulator)
    let token = Hex.encode(Self.other)
    provider.send(provider.request(to: token))
    try simulator.perform(.rotateTokens(device: token, app: nil))
    let now = try #require(simulator.device(token)?.apps.first?.token)
    #expect(now != Self.other && simulator.device(token)?.name == token)
    #expect(provider.send(provider.request(to: token))?.reason == .unregistered)
    #expect(simulator.inbox(of: token)?.notifications.map(\.number) == [1])
  }

  @Test func `the tokens of Live Activities survive a rotation and die with the app`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    let start = [UInt8](repeating: 0x51, count: 80)
    let apps = Samples.devices[0].apps + [AppSpecification(app: Self.activities, token: start)]
    try simulator.perform(.putDevice(DeviceSpecification(name: "alice", apps: apps)))
    func push(_ token: [UInt8], _ body: String) -> RequestAnswer? {
      let headers = [("apns-push-type", "liveactivity")]
      let topic = Self.activities.topic
      return provider.send(
        provider.request(to: Hex.encode(token), topic: topic, headers: headers, body: body)
      )
    }
    let beginning =
      #"{"aps":{"timestamp":1,"event":"start","attributes-type":"A","attributes":{},"content-state":{},"#
      + #""input-push-token":1,"alert":{"title":"a","body":"b"}}}"#
    #expect(push(start, beginning)?.status == 200)
    let token = try #require(simulator.activities(of: "alice")?.activities.first?.token)
    try simulator.perform(.rotateTokens(device: "alice", app: nil))
    let update = #"{"aps":{"timestamp":2,"event":"update","content-state":{}}}"#
    #expect(push(token, update)?.status == 200)
    // A token that starts activities is replaced without a word (OBS).
    #expect(push(start, beginning)?.status == 200)
    try simulator.perform(.setInstalled(device: "alice", app: Samples.app, false))
    #expect(push(token, update)?.reason == .unregistered)
  }
}

extension Simulator {
  /// The tokens that were replaced and are remembered.
  fileprivate var deadTokens: Int { withWorld { $0.devices.lives.replacedCount } }
}
