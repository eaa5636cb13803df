import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

/// A provider of Live Activities, and a device with an app that has them.
struct ActivityRequester {
  let provider: CoreRequester
  var simulator: Simulator { provider.simulator }
  static let appToken = [UInt8](repeating: 0x51, count: 80)
  static let topic = Samples.topic + ".push-type.liveactivity"
  static let key = AppKey(topic: topic, environment: .production)

  init(types: [String: ActivitySchema] = [:], tokens: TokenPolicy = .known) throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    for index in 0..<2 {
      let token = index == 0 ? Self.appToken : [UInt8](repeating: 0x52, count: 80)
      scenario.devices[index].apps.append(AppSpecification(app: Self.key, token: token))
    }
    if !types.isEmpty { scenario.activityTypes[Samples.topic] = types }
    var configuration = Configuration()
    (configuration.tokens, configuration.tokenUpdates) = (tokens, .off)
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 7,
      start: Moment.start
    )
    provider = try CoreRequester(simulator)
  }

  @discardableResult
  func push(_ aps: String, to token: [UInt8] = appToken) throws -> RequestAnswer {
    let issued = simulator.clock(at: Moment.start).now
    return try #require(
      provider.send(
        provider.request(
          to: Hex.encode(token),
          topic: Self.topic,
          headers: [("apns-push-type", "liveactivity")],
          body: #"{"aps":{\#(aps)}}"#,
          CoreRequester.token(UInt64(issued.seconds), issuedAt: issued)
        )
      )
    )
  }

  static func start(_ more: String = "", timestamp: Int = 100, state: String = #"{"score":1}"#) -> String {
    #""event":"start","timestamp":\#(timestamp),"attributes-type":"Score","attributes":{"team":"x"},"#
      + #""content-state":\#(state),"alert":{"title":"Goal","body":"1:0"}\#(more)"#
  }

  static func change(_ event: String, _ timestamp: Int, _ score: Int, _ more: String = "") -> String {
    #""event":"\#(event)","timestamp":\#(timestamp),"content-state":{"score":\#(score)}\#(more)"#
  }

  func activities(of device: String = "alice") -> [ActivityView] {
    simulator.activities(of: device)?.activities ?? []
  }

  func ignored(_ device: String = "alice") -> [String] {
    simulator.activities(of: device)?.ignored.map(\.reason) ?? []
  }

  /// The token of an activity that was started with `input-push-token`.
  func started() throws -> [UInt8] {
    try push(Self.start(#","input-push-token":1"#))
    return try #require(activities().first?.token)
  }
}

@Suite struct `A Live Activity` {
  @Test func `a Live Activity is started by a push, updated and ended by its own token`() throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    #expect(token.count == 80)
    var view = try #require(requester.activities().first)
    #expect(view.id == "a1" && view.type == "Score" && view.state == .active && view.alert == "Goal: 1:0")
    #expect(view.app == Samples.app && String(decoding: view.attributes, as: UTF8.self) == #"{"team":"x"}"#)
    try requester.push(ActivityRequester.change("update", 101, 2), to: token)
    view = try #require(requester.activities().first)
    #expect(String(decoding: view.contentState, as: UTF8.self) == #"{"score":2}"# && view.updates == 1)
    let soon = Moment.start.seconds + 60
    try requester.push(ActivityRequester.change("end", 102, 3, #","dismissal-date":\#(soon)"#), to: token)
    view = try #require(requester.activities().first)
    #expect(view.state == .ended && view.dismissedAt == Timestamp(seconds: soon))
    let late = try requester.push(ActivityRequester.change("update", 103, 4), to: token)
    #expect(late.reason == .expiredToken && late.answer.timestamp == Moment.start.rawValue)
    try requester.simulator.perform(.advanceClock(.minutes(1)))
    #expect(requester.activities().map(\.state) == [.dismissed])
    #expect(requester.simulator.outcomes == [.delivered, .delivered, .delivered, .rejected])
    #expect(requester.ignored().isEmpty)
  }

  @Test func `a Live Activity lives for eight hours, and its token then has expired`() throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    try requester.simulator.perform(.advanceClock(.milliseconds(8 * 3_600_000 - 1)))
    #expect(try requester.push(ActivityRequester.change("update", 101, 2), to: token).status == 200)
    try requester.simulator.perform(.advanceClock(.milliseconds(1)))
    let answer = try requester.push(ActivityRequester.change("update", 102, 3), to: token)
    let over = Moment.start.rawValue + 8 * 3_600_000
    #expect(
      String(decoding: answer.body, as: UTF8.self) == #"{"reason":"ExpiredToken","timestamp":\#(over)}"#
    )
    #expect(requester.activities().map(\.state) == [.ended])
    try requester.simulator.perform(.advanceClock(.hours(4)))
    #expect(requester.activities().map(\.state) == [.dismissed])
    // The token to start with is good for another one, and the app is not unregistered.
    #expect(try requester.push(ActivityRequester.start()).status == 200)
    #expect(
      requester.activities().count == 2 && requester.simulator.feedback(for: ActivityRequester.key).isEmpty
    )
  }

  @Test(arguments: [
    ("past", -60, 0), ("later than four hours", 6 * 3600, 4 * 3600), ("within them", 60, 60),
  ])
  func `a Live Activity leaves the screen when it is to, within four hours`(
    _: String,
    wanted: Int64,
    found: Int64
  ) throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    let date = #","dismissal-date":\#(Moment.start.seconds + wanted)"#
    try requester.push(ActivityRequester.change("end", 101, 2, date), to: token)
    let view = try #require(requester.activities().first)
    #expect(view.dismissedAt == Moment.start + .seconds(found))
  }

  @Test func `a Live Activity ignores what is not newer than the last push`() throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    #expect(try requester.push(ActivityRequester.change("update", 100, 2), to: token).status == 200)
    try requester.push(ActivityRequester.change("update", 99, 3), to: token)
    let view = try #require(requester.activities().first)
    #expect(view.updates == 0 && String(decoding: view.contentState, as: UTF8.self) == #"{"score":1}"#)
    #expect(requester.ignored().first == "timestamp 100 is not newer than 100, that of the last push")
    let explanation = try #require(requester.simulator.notification(2)?.explanations.last)
    #expect(explanation.check == "activity" && !explanation.isPassed)
  }

  @Test func `a Live Activity becomes stale on its date`() throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    let date = #","stale-date":\#(Moment.start.seconds + 30)"#
    try requester.push(ActivityRequester.change("update", 101, 2, date), to: token)
    #expect(requester.activities().map(\.state) == [.active])
    try requester.simulator.perform(.advanceClock(.seconds(30)))
    #expect(requester.activities().map(\.state) == [.stale])
    try requester.push(ActivityRequester.change("update", 102, 3), to: token)
    #expect(requester.activities().map(\.state) == [.active])
  }

  @Test(arguments: [
    (
      #""event":"start","timestamp":1,"attributes-type":"S","attributes":{},"content-state":{}"#,
      "a start needs an alert"
    ),
    (#""event":"start","attributes-type":"S","alert":"x""#, "timestamp is missing, or no number of seconds"),
    (#""event":"start","timestamp":"1","alert":"x""#, "timestamp is missing, or no number of seconds"),
    (#""event":"start","timestamp":1,"alert":"x""#, "attributes-type is missing"),
    (
      #""event":"start","timestamp":1,"alert":"x","attributes-type":"S""#,
      "attributes is missing, or no dictionary"
    ),
    (
      #""event":"start","timestamp":1,"alert":"x","attributes-type":"S","attributes":{},"content-state":[]"#,
      "content-state is missing, or no dictionary"
    ),
    (#""event":"stop","timestamp":1"#, "the event is none of start, update and end"),
    (
      #""event":"update","timestamp":1,"content-state":{}"#,
      "a token that starts activities updates and ends none"
    ),
  ])
  func `a Live Activity is not started by a push that lacks something, which is answered 200`(
    aps: String,
    reason: String
  )
    throws
  {
    let requester = try ActivityRequester()
    #expect(try requester.push(aps).status == 200)
    #expect(requester.activities().isEmpty && requester.ignored() == [reason])
  }

  @Test func `a Live Activity is not shown where its app could not decode it`() throws {
    let schema = ActivitySchema(
      contentState: [
        .init(name: "score", kind: .integer, isOptional: false),
        .init(name: "at", kind: .date, isOptional: true),
      ],
      attributes: [.init(name: "team", kind: .string, isOptional: false)]
    )
    let requester = try ActivityRequester(types: ["Score": schema])
    #expect(try requester.push(ActivityRequester.start(state: "{}")).status == 200)
    try requester.push(ActivityRequester.start(state: #"{"score":"1"}"#))
    try requester.push(ActivityRequester.start(state: #"{"score":1,"at":"2012-06-01T00:00:00Z"}"#))
    #expect(requester.activities().isEmpty)
    #expect(
      requester.ignored() == [
        "would not decode: content-state.score is missing and not optional (integer)",
        "would not decode: content-state.score is no integer",
        "would not decode: content-state.at is no date",
      ]
    )
    try requester.push(ActivityRequester.start(state: #"{"score":1,"at":360201600.5,"more":true}"#))
    #expect(requester.activities().count == 1)
  }

  @Test(arguments: [
    (#"{"stops":[{"name":"a"},{"name":"b","minutes":3}]}"#, nil),
    (
      #"{"stops":[{"name":"a"},{"minutes":3}]}"#,
      "content-state.stops[1].name is missing and not optional (string)"
    ),
    (#"{"stops":{"name":"a"}}"#, "content-state.stops is no array"),
    (#"{"stops":["a"]}"#, "content-state.stops[0] is no object"),
    (#"{"stops":[],"next":{"times":[1,null]}}"#, nil),
    (#"{"stops":[],"next":{"times":["1"]}}"#, "content-state.next.times[0] is no date"),
  ])
  func `a Live Activity is decoded into its dictionaries and arrays`(state: String, defect: String?) throws {
    let stop = ActivitySchema.Shape.members([
      .init(name: "name", kind: .string, isOptional: false),
      .init(name: "minutes", kind: .integer, isOptional: true),
    ])
    let next = ActivitySchema.Shape.members([
      .init(name: "times", shape: .elements(.plain(.date), areOptional: true), isOptional: false)
    ])
    let requester = try ActivityRequester(types: [
      "Score": ActivitySchema(contentState: [
        .init(name: "stops", shape: .elements(stop, areOptional: false), isOptional: false),
        .init(name: "next", shape: next, isOptional: true),
      ])
    ])
    #expect(try requester.push(ActivityRequester.start(state: state)).status == 200)
    #expect(requester.activities().count == (defect == nil ? 1 : 0))
    let ignored = requester.simulator.activities(of: "alice")?.ignored.map(\.reason)
    #expect(ignored == (defect.map { ["would not decode: \($0)"] } ?? []))
  }

  @Test func `a Live Activity is not started by a token that the app has replaced, which is answered 200`()
    throws
  {
    let requester = try ActivityRequester()
    var device = Samples.devices[0]
    device.apps.append(
      AppSpecification(app: ActivityRequester.key, token: [UInt8](repeating: 0x53, count: 80))
    )
    try requester.simulator.perform(.putDevice(device))
    #expect(try requester.push(ActivityRequester.start()).status == 200)
    #expect(requester.activities().isEmpty && requester.simulator.outcomes == [.dropped])
    #expect(requester.simulator.notification(1)?.explanations.last?.check == "activity")
    #expect(
      try requester.push(ActivityRequester.start(), to: [UInt8](repeating: 0x54, count: 80)).reason
        == .badDeviceToken
    )
  }

  @Test func `a Live Activity follows a channel, as do those that apps start by themselves`() throws {
    let requester = try ActivityRequester()
    let simulator = requester.simulator
    let broadcaster = try ChannelRequester(simulator)
    let id = try broadcaster.create()
    try requester.push(ActivityRequester.start(#","input-push-channel":"\#(id)""#))
    try simulator.perform(
      .startActivity(
        ActivitySpecification(device: "bob", app: Samples.app, attributesType: "Score", channel: id)
      )
    )
    #expect(requester.activities().first?.channel == id && requester.activities().first?.token == nil)
    try broadcaster.publish(
      on: id,
      body: #"{"aps":{"event":"update","timestamp":200,"content-state":{"score":7}}}"#
    )
    func states(_ device: String) -> [String] {
      requester.activities(of: device).map { String(decoding: $0.contentState, as: UTF8.self) }
    }
    #expect(states("alice") == [#"{"score":7}"#] && states("bob") == [""])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(states("bob") == [#"{"score":7}"#])
    try broadcaster.publish(on: id, body: #"{"aps":{"event":"start","timestamp":201}}"#)
    #expect(requester.activities().count == 1)
    try broadcaster.publish(on: id, body: #"{"aps":{"event":"end","timestamp":202}}"#)
    #expect(requester.activities().map(\.state) == [.ended])
    #expect(simulator.channels().channels.first?.subscriberCount == 0)
  }

  @Test func `a Live Activity follows its channel for eight hours`() throws {
    let requester = try ActivityRequester()
    let simulator = requester.simulator
    let id = try ChannelRequester(simulator).create()
    var wanted = ActivitySpecification(
      device: "alice",
      app: Samples.app,
      attributesType: "Score",
      channel: id
    )
    try simulator.perform(.startActivity(wanted))
    try simulator.perform(.advanceClock(.hours(1)))
    wanted.token = [1, 2, 3]
    try simulator.perform(.startActivity(wanted))
    func subscribers() -> Int? { simulator.channels().channels.first?.subscriberCount }
    try simulator.perform(.advanceClock(.hours(7)))
    #expect(requester.activities().map(\.state) == [.ended, .active] && subscribers() == 1)
    try simulator.perform(.advanceClock(.hours(1)))
    #expect(requester.activities().map(\.state) == [.ended, .ended] && subscribers() == 0)
    try simulator.perform(.advanceClock(.hours(4)))
    #expect(requester.activities().map(\.state) == [.dismissed, .dismissed])
  }

  @Test func `a Live Activity is changed by what waited while its device was offline`() throws {
    let requester = try ActivityRequester()
    let token = try requester.started()
    try requester.simulator.perform(.setOnline(device: "alice", false))
    try requester.push(ActivityRequester.change("update", 101, 2), to: token)
    try requester.push(ActivityRequester.change("update", 102, 3), to: token)
    #expect(requester.activities().first?.updates == 0)
    try requester.simulator.perform(.setOnline(device: "alice", true))
    let view = try #require(requester.activities().first)
    #expect(view.updates == 1 && String(decoding: view.contentState, as: UTF8.self) == #"{"score":3}"#)
    #expect(requester.simulator.outcomes == [.delivered, .replaced, .delivered])
    try requester.push(ActivityRequester.start(), to: [UInt8](repeating: 0x52, count: 80))
    try requester.simulator.perform(.setOnline(device: "bob", true))
    #expect(requester.activities(of: "bob").count == 1)
  }

  @Test func `a Live Activity of a token that nobody has seen is met on first sight`() throws {
    let requester = try ActivityRequester(tokens: .any)
    let token = [UInt8](repeating: 0x77, count: 80)
    #expect(try requester.push(ActivityRequester.change("update", 5, 2), to: token).status == 200)
    let name = Hex.encode(token)
    #expect(requester.activities(of: name).map(\.type) == [nil])
    try requester.push(ActivityRequester.change("update", 6, 3), to: token)
    #expect(requester.activities(of: name).first?.updates == 2)
    try requester.simulator.perform(.advanceClock(.hours(8)))
    #expect(try requester.push(ActivityRequester.change("update", 7, 4), to: token).reason == .expiredToken)
  }

  @Test func `a Live Activity goes with its app, and one of very many makes way`() throws {
    let requester = try ActivityRequester()
    for _ in 0..<ActivityBook.mostOfDevice + 8 { try requester.push(ActivityRequester.start()) }
    #expect(requester.activities().count == ActivityBook.mostOfDevice)
    #expect(requester.activities().first?.id == "a9")
    for count in 0..<40 { try requester.push(#""event":"x\#(count)""#) }
    #expect(requester.ignored().count == ActivityBook.mostIgnored)
    try requester.simulator.perform(.setInstalled(device: "alice", app: nil, false))
    #expect(requester.activities().isEmpty)
  }

  @Test func `a Live Activity is the same for the same seed, and in the journal`() throws {
    let journals = try (0..<2).map { _ in
      let requester = try ActivityRequester()
      let journal = MemoryJournal(requester.simulator)
      let token = try requester.started()
      try requester.push(ActivityRequester.change("update", 101, 2), to: token)
      try requester.push(ActivityRequester.change("update", 101, 2), to: token)
      try requester.push(ActivityRequester.change("end", 102, 2), to: token)
      return journal.text
    }
    #expect(journals[0] == journals[1])
    for name in ["activityStarted", "activityUpdated", "activityIgnored", "activityEnded"] {
      #expect(journals[0].contains(#""event":"\#(name)""#), "\(name)")
    }
  }
}
