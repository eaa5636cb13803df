import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `A journal with requests` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let topic = "com.example.sim"

  private static func request(
    _ stream: UInt32,
    _ headers: [(String, String)],
    body: String,
    path: String? = nil,
    hasTopic: Bool = true,
    openFor: UInt32 = 0
  ) -> ProviderRequest {
    let token = String(repeating: "a1", count: 32)
    let list =
      [
        (":method", "POST"), (":path", path ?? "/3/device/\(token)"), ("authorization", "bearer x"),
      ] + (hasTopic ? [("apns-topic", topic)] : []) + headers
    return ProviderRequest(
      stream: stream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array(body.utf8),
      authorization: .bearer(
        ProviderTokenFacts(
          number: 1,
          keyID: "KEY",
          teamID: "TEAM",
          issuedAt: start.seconds,
          verdict: .good
        )
      ),
      openFor: openFor
    )
  }

  /// Requests and a frame between them, on a virtual clock and on a real one.
  private static func lines(_ clock: ClockSetting) throws -> [String] {
    var scenario = Scenario()
    scenario.clock = clock
    let simulator = try Simulator(scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let certificate = ProviderIdentity(topics: [topic], environment: .production, subject: "CN=x")
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    let gateway = try simulator.openGateway(ConnectionOpening(peer: "a:1", provider: certificate), at: start)
    let requests = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: none), at: start)
    let alert = #"{"aps":{"alert":"hi"}}"#
    _ = requests.receive(
      [request(1, [], body: alert), request(3, [("apns-priority", "7")], body: alert)],
      at: start
    )
    let payload = Array(alert.utf8)
    let frame =
      [1, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF, 0, 32] + [UInt8](repeating: 0xA1, count: 32)
      + [0, UInt8(payload.count)] + payload
    _ = frame.withUnsafeBytes { gateway.receive($0, at: start + .seconds(1)) }
    _ = requests.receive([request(5, [("apns-id", "x")], body: "")], at: start + .seconds(2))
    requests.closed(.peerClosed, at: start + .seconds(3))
    gateway.closed(.peerClosed, at: start + .seconds(3))
    return journal.text.split(separator: "\n").map(String.init)
  }

  @Test func `a journal with requests is redacted without a change of verdict, and replayed so`() throws {
    let recorded = try Self.lines(.virtual(start: Self.start))
    let pseudonyms = TokenPseudonyms { bytes in
      (0..<32).map { UInt8(truncatingIfNeeded: Int($0) * 7 + bytes.reduce(3) { $0 &* 31 &+ Int($1) }) }
    }
    var redactor = CaptureRedactor(pseudonyms)
    var output: [UInt8] = []
    for line in recorded { Array(line.utf8).withUnsafeBytes { redactor.redact($0, into: &output) } }
    redactor.finish(into: &output)
    let text = String(decoding: output, as: UTF8.self)
    let token = String(repeating: "a1", count: 32)
    #expect(!text.contains(token) && text.contains("com.example.sim"))
    let lines = text.split(separator: "\n").map(String.init)
    for line in lines {
      guard
        let raw = try JSONValue.parse(Array(line.utf8)).member("raw")?.stringValue.flatMap({
          Base64.decode($0)
        })
      else { continue }
      let bytes = String(decoding: raw, as: UTF8.self)
      #expect(!bytes.contains(token) && !bytes.contains("\"hi\""))
    }
    let replay = try Replay(NativeCapture.reader(lines))
    let journal = ReplayedJournal(replay)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications == 4 && result.damage == nil)
    #expect(journal.lines.dropFirst() == lines.dropFirst())
  }

  /// A channel that is created, published on, subscribed to and deleted by everybody who can.
  private static func channels(_ clock: ClockSetting) throws -> [String] {
    var scenario = Scenario()
    scenario.clock = clock
    let app = AppKey(topic: topic, environment: .production)
    scenario.apps = [app]
    scenario.devices = [
      DeviceSpecification(name: "alice", apps: [AppSpecification(app: app)]),
      DeviceSpecification(name: "bob", isOnline: false, apps: [AppSpecification(app: app)]),
    ]
    scenario.channels = [ChannelSpecification(app: app, subscribers: ["alice", "bob"])]
    let simulator = try Simulator(scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    let requests = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: none), at: start)
    let path = "/1/apps/\(topic)/channels"
    let description = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
    _ = requests.receive([request(1, [], body: description, path: path)], at: start)
    let ids = simulator.channels().channels.map(\.id)
    var stream: UInt32 = 3
    for id in ids {
      let headers = [
        ("apns-channel-id", id), ("apns-push-type", "liveactivity"), ("apns-expiration", "1338600000"),
      ]
      let body = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#
      let publish = request(stream, headers, body: body, path: "/4/broadcasts/apps/\(topic)")
      _ = requests.receive([publish], at: start + .seconds(1))
      stream += 2
    }
    try simulator.perform(.setOnline(device: "bob", true), at: start + .seconds(2))
    try simulator.perform(.addChannel(ChannelSpecification(app: app)), at: start + .seconds(2))
    let reference = ChannelReference(id: ids[1], app: app)
    try simulator.perform(.setSubscribed(device: "bob", reference, true), at: start + .seconds(3))
    try simulator.perform(.setSubscribed(device: "bob", reference, false), at: start + .seconds(3))
    try simulator.perform(.deleteChannel(reference), at: start + .seconds(4))
    try simulator.perform(.setBroadcast(bundleId: topic, false), at: start + .seconds(5))
    requests.closed(.peerClosed, at: start + .hours(9))
    return journal.text.split(separator: "\n").map(String.init)
  }

  /// Activities that pushes and an app start, change and end, and a push that shows nothing.
  private static func activities(_ clock: ClockSetting) throws -> [String] {
    var scenario = Scenario()
    scenario.clock = clock
    let app = AppKey(topic: topic, environment: .production)
    let key = AppKey(topic: topic + ".push-type.liveactivity", environment: .production)
    scenario.apps = [app, key]
    scenario.activityTypes[topic] = [
      "Score": ActivitySchema(contentState: [.init(name: "score", kind: .integer, isOptional: false)])
    ]
    let token = [UInt8](repeating: 0x51, count: 80)
    let apps = [AppSpecification(app: app), AppSpecification(app: key, token: token)]
    scenario.devices = [DeviceSpecification(name: "alice", apps: apps)]
    let state = Array(#"{"score":1}"#.utf8)
    scenario.activities = [
      ActivitySpecification(device: "alice", app: app, attributesType: "Score", contentState: state)
    ]
    let simulator = try Simulator(scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    let requests = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: none), at: start)
    var stream: UInt32 = 1
    func push(_ aps: String, to token: [UInt8]) {
      let headers = [("apns-push-type", "liveactivity"), ("apns-topic", key.topic)]
      let path = "/3/device/" + Hex.encode(token)
      let made = request(stream, headers, body: #"{"aps":{\#(aps)}}"#, path: path, hasTopic: false)
      _ = requests.receive([made], at: start + .seconds(Int64(stream)))
      stream += 2
    }
    let begin = #""event":"start","attributes-type":"Score","attributes":{},"alert":"x","timestamp":1,"#
    push(begin + #""input-push-token":1,"content-state":{"score":1}"#, to: token)
    push(begin + #""content-state":{"score":"1"}"#, to: token)
    for activity in simulator.activities(of: "alice")?.activities ?? [] {
      guard let token = activity.token else { continue }
      push(#""event":"update","timestamp":2,"content-state":{"score":2}"#, to: token)
      push(#""event":"end","timestamp":3"#, to: token)
      push(#""event":"update","timestamp":4,"content-state":{"score":3}"#, to: token)
    }
    try simulator.perform(
      .startActivity(
        ActivitySpecification(device: "alice", app: app, attributesType: "Score", token: [1, 2])
      ),
      at: start + .minutes(1)
    )
    requests.closed(.peerClosed, at: start + .hours(9))
    return journal.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [ClockSetting.virtual(start: start), .real])
  func `a journal with requests has the activities it had, byte for byte`(clock: ClockSetting) throws {
    let recorded = try Self.activities(clock)
    let replay = try Replay(NativeCapture.reader(recorded))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications == 8 && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
    for name in ["activityStarted", "activityUpdated", "activityEnded", "activityIgnored"] {
      #expect(recorded.contains { $0.contains(#""event":"\#(name)""#) }, "\(name)")
    }
    #expect(recorded.contains { $0.contains(#""reason":"ExpiredToken""#) })
  }

  @Test(arguments: [ClockSetting.virtual(start: start), .real])
  func `a journal with requests has the channels it had, byte for byte`(clock: ClockSetting) throws {
    let recorded = try Self.channels(clock)
    let replay = try Replay(NativeCapture.reader(recorded))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications == 3 && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
    for name in ["published", "channelUnsubscribed", "delivered", "broadcastChanged"] {
      #expect(recorded.contains { $0.contains(#""event":"\#(name)""#) }, "\(name)")
    }
  }

  /// A request whose answer is delayed by a rule, and one that came in pieces.
  private static func delayed(_ clock: ClockSetting) throws -> [String] {
    let rule = "{ when: { nth: 1 }, reply: { status: 503, reason: ServiceUnavailable, delay: 2s } }"
    var scenario = try ScenarioFile.parse(written: "version: 1\nname: s\nrules:\n  - \(rule)\n", name: "s")
    scenario.clock = clock
    let simulator = try Simulator(scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    let requests = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: none), at: start)
    _ = requests.receive([request(1, [], body: "{}")], at: start)
    _ = requests.receive([request(3, [], body: "{}", openFor: 250)], at: start + .seconds(1))
    simulator.wake(at: start + .seconds(2))
    if case .virtual = clock { try simulator.perform(.advanceClock(.seconds(2)), at: start + .seconds(2)) }
    requests.closed(.peerClosed, at: start + .seconds(4))
    return journal.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [ClockSetting.virtual(start: start), .real])
  func `a journal with requests says when a delayed answer left and a stream opened, and is replayed so`(
    clock: ClockSetting
  ) throws {
    let recorded = try Self.delayed(clock)
    #expect(recorded[2].contains(#""status":503,"reason":"ServiceUnavailable","answerWaits":true"#))
    let left = try #require(recorded.first { $0.contains(#""event":"answered""#) })
    #expect(left.contains(#""time":"2012-06-01T00:00:02.000Z""#))
    #expect(left.contains(#""connection":"c1","stream":1,"notification":"n1""#))
    // The time from header list to end depends on how the stream was cut, which must not matter under a virtual clock.
    let opened = recorded.filter { $0.contains(#""opened":"#) }
    if case .real = clock {
      #expect(opened.count == 1 && opened.first?.contains(#""opened":"2012-06-01T00:00:00.750Z""#) == true)
    } else {
      #expect(opened.isEmpty)
    }
    let replay = try Replay(NativeCapture.reader(recorded))
    let journal = ReplayedJournal(replay)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications == 2 && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
  }

  @Test(arguments: [ClockSetting.virtual(start: start), .real])
  func `a journal with requests is replayed to itself, byte for byte`(clock: ClockSetting) throws {
    let recorded = try Self.lines(clock)
    let replay = try Replay(NativeCapture.reader(recorded))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications == 4 && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
  }
}
