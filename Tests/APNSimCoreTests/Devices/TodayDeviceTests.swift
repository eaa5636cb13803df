import APNSimWire
import Testing

@testable import APNSimCore

/// A device of today makes other things of pushes than one of 2013 did.
@Suite struct `A device of today` {
  private static func simulator(_ topics: [String]) throws -> Simulator {
    let simulator = try Samples.simulator()
    let apps = topics.map { topic in
      AppSpecification(
        app: AppKey(topic: topic, environment: .production),
        token: topic == Samples.topic ? Samples.online : nil
      )
    }
    try simulator.perform(.putDevice(DeviceSpecification(name: "alice", apps: apps)))
    return simulator
  }

  private static func push(
    _ simulator: Simulator,
    _ suffix: String,
    _ type: String,
    _ body: String
  ) throws -> Outcome? {
    let provider = try CoreRequester(simulator)
    let topic = Samples.topic + suffix
    let app = simulator.device("alice")?.apps.first { $0.app.topic == topic }
    let token = Hex.encode(try #require(app?.token))
    let headers = [("apns-push-type", type)]
    #expect(
      provider.send(provider.request(to: token, topic: topic, headers: headers, body: body))?.status == 200
    )
    return simulator.notifications().last?.outcome
  }

  @Test(arguments: [
    (".voip", "voip"), (".complication", "complication"), (".pushkit.fileprovider", "fileprovider"),
    (".location-query", "location"), (".voip-ptt", "pushtotalk"),
  ])
  func `a push that the system hands to its app needs no aps`(suffix: String, type: String) throws {
    let simulator = try Self.simulator([Samples.topic, Samples.topic + suffix])
    for body in [#"{"caller":"Kim"}"#, "{}", #"{"aps":{}}"#, #"{"aps":{"alert":5}}"#] {
      #expect(try Self.push(simulator, suffix, type, body) == .delivered, "\(body)")
    }
    for body in ["[]", "no JSON"] {
      #expect(try Self.push(simulator, suffix, type, body) == .dropped, "\(body)")
    }
    #expect(try Self.push(simulator, "", "alert", #"{"caller":"Kim"}"#) == .dropped)
  }

  @Test(arguments: [
    #""content-changed":true"#, #""ptt-push-type":"speak""#, #""url-args":["a"]"#, #""filter-criteria":"f""#,
    #""target-content-id":"t""#, #""relevance-score":0.5"#, #""interruption-level":"active""#,
  ])
  func `a key that Apple documents has no remark`(member: String) {
    let payload = Array(#"{"aps":{"alert":"hi",\#(member)}}"#.utf8)
    #expect(Presentation(payload: payload)?.remarks == [])
  }

  @Test
  func
    `without an expiration a request waits for 30 days and a frame for 28, unless a period is set for both`()
    throws
  {
    for (period, expired) in [
      (nil, [Outcome.delivered, .expired]), (TimeSpan.days(29), [.expired, .expired]),
    ] {
      for (door, outcome) in zip([true, false], expired) {
        let simulator = try Samples.simulator { if let period { $0.storagePeriod = period } }
        if door {
          let provider = try CoreRequester(simulator)
          provider.send(provider.request(to: Hex.encode(Samples.offline)))
        } else {
          try CoreProvider(samples: simulator).send(Samples.frame(1, to: Samples.offline))
        }
        try simulator.perform(.advanceClock(.milliseconds(30 * 86_400_000 - 1)))
        try simulator.perform(.setOnline(device: "bob", true))
        #expect(simulator.outcomes == [outcome], "\(door) \(period as Any)")
      }
    }
  }

  @Test func `a Live Activity's alert has titles and bodies that are localized each by itself, and a sound`()
    throws
  {
    let payload = #"""
      {"aps":{"timestamp":1,"event":"start","attributes-type":"A","attributes":{},"content-state":{},"alert":
      {"title":{"loc-key":"%@ has begun","loc-args":["Lap 1"]},"body":{"loc-key":"%1$@ leads %2$@",
      "loc-args":["Kim","Lee"]},"sound":"start.caf"}}}
      """#
    let shown = try #require(Presentation(payload: Array(payload.utf8)))
    #expect(shown.alert?.title == "Lap 1 has begun" && shown.alert?.text == "Kim leads Lee")
    #expect(shown.sound == .file("start.caf"))
    let activities = Samples.topic + ".push-type.liveactivity"
    let simulator = try Self.simulator([Samples.topic, activities])
    #expect(try Self.push(simulator, ".push-type.liveactivity", "liveactivity", payload) == .delivered)
    #expect(simulator.activities(of: "alice")?.activities.map(\.alert) == ["Lap 1 has begun: Kim leads Lee"])
  }

  @Test func `a Live Activity with an input-push-channel that is no channel does not start`() throws {
    let simulator = try Self.simulator([Samples.topic, Samples.topic + ".push-type.liveactivity"])
    let body =
      #"{"aps":{"timestamp":1,"event":"start","attributes-type":"A","attributes":{},"content-state":{},"alert":"a","#
      + #""input-push-channel":"AAAAAAAAAAAAAAAAAAAAAA=="}}"#
    #expect(try Self.push(simulator, ".push-type.liveactivity", "liveactivity", body) == .delivered)
    let found = try #require(simulator.activities(of: "alice"))
    #expect(found.activities.isEmpty)
    #expect(
      found.ignored.map(\.reason) == ["input-push-channel AAAAAAAAAAAAAAAAAAAAAA== is no channel of the app"]
    )
  }

  @Test(arguments: ["timestamp", "stale-date", "dismissal-date"])
  func `a time in milliseconds has a remark`(key: String) {
    func remarks(_ value: String) -> [String] {
      Presentation(payload: Array(#"{"aps":{"event":"update","\#(key)":\#(value)}}"#.utf8))?.remarks ?? [
        "none"
      ]
    }
    #expect(remarks("1700000000") == [])
    #expect(remarks("1700000000000").first?.hasPrefix("aps.\(key) 1700000000000 is in milliseconds") == true)
  }

  @Test func `an expiration in milliseconds has a remark`() throws {
    let provider = try CoreRequester(Samples.simulator())
    for expiration in ["1700000000000", "1700000000"] {
      provider.send(provider.request(headers: [("apns-expiration", expiration)]))
    }
    let hints = provider.simulator.notifications().map { view in
      view.explanations.first { $0.check == "expiration" }?.hint
    }
    #expect(hints == ["apns-expiration is in milliseconds: it is seconds since 1970", nil])
  }
}
