import APNSimControl
import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Resources` {
  private static let api = "/api/v1"

  @Test func `a device is put, patched, taken off line and removed`() async throws {
    try await TestControl.run { test in
      let http = test.http
      let path = Self.api + "/devices/bob"
      let hex = Hex.encode(TestControl.token)
      let body = #"{"online":false,"apps":[{"topic":"com.example.app","token":"\#(hex)"}]}"#
      #expect(try await http(.PUT, path, body).status == 201)
      #expect(try await http(.PUT, path, body).status == 200)
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      #expect(try await http(.GET, path + "/stored")["notifications.0.id"] == .string("n1"))
      #expect(try await http(.PATCH, path, #"{"online":true}"#)["online"] == .bool(true))
      #expect(try await http(.GET, Self.api + "/devices/\(hex)/inbox")["notifications.0.id"] == .string("n1"))
      let two = try await http(.POST, path + "/install", #"{"topic":"com.example.other"}"#)
      #expect(two["apps"]?.arrayValue?.count == 2)
      #expect(two["apps.1.issued"] == .bool(true))
      let none = try await http(.POST, path + "/uninstall")
      #expect(none["apps"]?.arrayValue?.map { $0["installed"] } == [.bool(false), .bool(false)])
      #expect(try await http(.DELETE, path).status == 204)
      #expect(try await http(.GET, path).status == 404)
    }
  }

  @Test func `a tuple is added, listed, read and told of`() async throws {
    try await TestControl.run { test in
      let token = String(repeating: "ab", count: 32)
      let body = #"{"topic":"com.example.app","token":"\#(token)","timestamp":7}"#
      #expect(try await test.http(.POST, Self.api + "/feedback", body).status == 204)
      #expect(try await test.http(.GET, Self.api + "/feedback")["tuples.0.timestamp"] == .number("7"))
      let identity = ProviderIdentity(
        topics: [TestControl.topic],
        environment: .production,
        subject: "UID=me"
      )
      let reader = try test.simulator.openFeedback(
        ConnectionOpening(peer: "", provider: identity),
        at: TestControl.start
      )
      _ = reader.nextChunk(at: TestControl.start)
      let reads = try await test.http(.GET, Self.api + "/feedback/reads")
      #expect(reads["reads.0.subject"] == .string("UID=me"))
      #expect(reads["reads.0.tuples.0.token"] == .string(token))
      #expect(try await test.http(.GET, Self.api + "/feedback")["tuples"] == .array([]))
    }
  }

  @Test func `a channel is created, subscribed to, listed and deleted`() async throws {
    try await TestControl.run { test in
      let http = test.http
      let channels = Self.api + "/channels"
      let device = #"{"apps":["com.example.app"]}"#
      for name in ["alice", "bob"] { _ = try await http(.PUT, Self.api + "/devices/\(name)", device) }
      let body = #"{"topic":"com.example.app","storagePolicy":0,"subscribers":["alice"]}"#
      let created = try await http(.POST, channels, body)
      #expect(created.status == 201 && created["storagePolicy"] == .number("0"))
      let id = try #require(created["id"]?.stringValue)
      let subscription = #"{"channel":"\#(id)"}"#
      #expect(try await http(.POST, Self.api + "/devices/bob/subscribe", subscription).status == 204)
      #expect(try await http(.POST, Self.api + "/devices/alice/unsubscribe", subscription).status == 204)
      #expect(try await http(.POST, Self.api + "/devices/eve/subscribe", subscription).status == 404)
      let listed = try await http(.GET, channels + "?topic=com.example.app&limit=1")
      #expect(listed["channels.0.subscribers"] == .array([.string("bob")]) && listed["next"] == .null)
      #expect(listed["channels.0.subscriberCount"] == .number("1"))
      let named = #"{"topic":"com.example.other","id":"\#(id)"}"#
      #expect(try await http(.POST, channels, named).status == 201)
      #expect(try await http(.POST, channels, named).status == 409)
      let first = try await http(.GET, channels + "?limit=1")
      #expect(first["next"] == .string("1") && first["channels"]?.arrayValue?.count == 1)
      #expect(try await http(.GET, channels + "?after=1")["channels.0.topic"] == .string("com.example.other"))
      let query = "?id=" + id.replacing("+", with: "%2B").replacing("/", with: "%2F")
      #expect(try await http(.DELETE, channels + query).status == 409)
      #expect(try await http(.DELETE, channels + query + "&topic=com.example.app").status == 204)
      #expect(try await http(.DELETE, channels + query).status == 204)
      #expect(try await http(.DELETE, channels + query).status == 404)
      #expect(try await http(.POST, channels, body).status == 201)
      #expect(try await http(.DELETE, channels).status == 204)
      #expect(try await http(.GET, channels)["channels"] == .array([]))
      #expect(try await http(.POST, channels, #"{"topic":"com.example.app","id":"x"}"#).status == 400)
    }
  }

  @Test func `an activity is started and looked at`() async throws {
    try await TestControl.run { test in
      let http = test.http
      let device = Self.api + "/devices/alice"
      _ = try await http(.PUT, device, #"{"apps":["com.example.app"]}"#)
      let body = #"{"topic":"com.example.app","attributesType":"Score","contentState":{"score":1}}"#
      let started = try await http(.POST, device + "/activities", body)
      #expect(
        started.status == 201 && started["id"] == .string("a1") && started["state"] == .string("active")
      )
      #expect(started["token"]?.stringValue?.utf8.count == 160)
      let all = try await http(.GET, device + "/activities")
      #expect(all["activities.0.contentState.score"] == .number("1") && all["ignored"] == .array([]))
      #expect(all["activities.0.attributes"] == .null && all["activities.0.relevanceScore"] == .null)
      #expect(try await http(.GET, Self.api + "/devices/eve/activities").status == 404)
      let other = #"{"topic":"com.example.other","attributesType":"Score"}"#
      #expect(try await http(.POST, device + "/activities", other).status == 404)
      #expect(try await http(.POST, device + "/activities", #"{"topic":"com.example.app"}"#).status == 400)
    }
  }

  @Test func `a fault is added, fires, is counted and removed`() async throws {
    try await TestControl.run { test in
      let added = try await test.http(
        .POST,
        Self.api + "/faults",
        #"{"name":"f","fault":"swallow","times":1}"#
      )
      #expect(added.status == 201)
      #expect(added["rule.fault"] != nil)
      let provider = try test.provider()
      for id in UInt32(1)...2 { provider.send(TestControl.frame(id, #"{"aps":{}}"#)) }
      let listed = try await test.http(.GET, Self.api + "/faults")
      #expect(listed["faults.0.fired"] == .number("1"))
      #expect(listed["faults.0.spent"] == .bool(true))
      #expect(test.simulator.notifications().map(\.outcome) == [.dropped, .delivered])
      #expect(try await test.http(.DELETE, Self.api + "/faults/f").status == 204)
      #expect(try await test.http(.DELETE, Self.api + "/faults/f").status == 404)
    }
  }

  @Test func `the history is paged by cursors that stay good, and asked by query`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      for id in UInt32(1)...250 { provider.send(TestControl.frame(id, #"{"aps":{"badge":\#(id)}}"#)) }
      var found: [String] = []
      var path = Self.api + "/notifications?limit=100"
      while true {
        let page = try await test.http(.GET, path)
        found += page["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        guard let next = page["next"]?.stringValue else { break }
        path = Self.api + "/notifications?limit=100&after=\(next)"
      }
      #expect(found == (1...250).map { "n\($0)" })
      let large = try await test.http(.GET, Self.api + "/notifications?query=badge%3E%3D249")
      #expect(large["notifications"]?.arrayValue?.map { $0["id"] } == [.string("n249"), .string("n250")])
      let bad = try await test.http(.GET, Self.api + "/notifications?query=status:8%20statuss:9")
      #expect(bad.status == 400)
      #expect(bad["column"] == .number("10"))
    }
  }

  @Test func `connections that were refused are listed beside those that were not`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      test.simulator.noteRefusedConnection(
        .gateway,
        peer: "127.0.0.1:4",
        reason: "revoked",
        subject: "CN=x",
        at: Timestamp(seconds: 1_338_508_800)
      )
      let all = try await test.http(.GET, "/api/v1/connections")
      let refused = try #require(all["refused"]?.arrayValue)
      #expect(all["connections"]?.arrayValue?.count == 1 && refused.count == 1)
      #expect(refused.first?["reason"] == .string("revoked") && refused.first?["subject"] == .string("CN=x"))
      #expect(
        refused.first?["peer"] == .string("127.0.0.1:4") && refused.first?["listener"] == .string("gateway")
      )
      let open = try await test.http(.GET, "/api/v1/connections?open=true")
      #expect(open["refused"]?.arrayValue?.isEmpty == true)
      withExtendedLifetime(provider) {}
    }
  }

  @Test func `connections are paged from the oldest, or are the newest`() async throws {
    try await TestControl.run { test in
      let all = try (0..<7).map { _ in try test.provider() }
      func ids(_ query: String) async throws -> [String] {
        let page = try await test.http(.GET, "/api/v1/connections?\(query)")
        let connections = page["connections"]?.arrayValue ?? []
        let next = page["next"]?.stringValue ?? "none"
        return connections.map { $0["id"]?.stringValue ?? "" } + [next]
      }
      #expect(try await ids("limit=2") == ["c6", "c7", "none"])
      #expect(try await ids("after=c0&limit=3") == ["c1", "c2", "c3", "c3"])
      #expect(try await ids("after=c3&limit=3") == ["c4", "c5", "c6", "c6"])
      #expect(try await ids("after=c6&limit=3") == ["c7", "none"])
      #expect(try await ids("after=c4&limit=3") == ["c5", "c6", "c7", "none"])
      let wrong = try await test.http(.GET, "/api/v1/connections?after=7")
      #expect(wrong.status == 400 && wrong["detail"]?.stringValue?.hasSuffix("found \"7\"") == true)
      withExtendedLifetime(all) {}
    }
  }

  @Test func `the clock moves, a scenario replaces another, a reset brings it back`() async throws {
    try await TestControl.run { test in
      let yaml =
        "clock: { mode: virtual, start: 2012-06-01T00:00:00Z }\ndevices: { zoe: { apps: [com.example.app] } }\n"
      #expect(try await test.http(.PUT, Self.api + "/scenario", yaml, type: "application/yaml").status == 200)
      #expect(try await test.http(.GET, Self.api + "/scenario")["devices.zoe"] != nil)
      let later = try await test.http(.POST, Self.api + "/clock/advance", #"{"by":"2h"}"#)
      #expect(later["now"] == .string("2012-06-01T02:00:00.000Z"))
      #expect(try await test.http(.DELETE, Self.api + "/devices/zoe").status == 204)
      #expect(try await test.http(.POST, Self.api + "/reset").status == 204)
      #expect(try await test.http(.GET, Self.api + "/clock")["now"] == .string("2012-06-01T00:00:00.000Z"))
      #expect(try await test.http(.GET, Self.api + "/devices")["devices.0.name"] == .string("zoe"))
    }
  }

  @Test(arguments: [
    ClockSetting.virtual(start: TestControl.start + .days(1)), .virtual(start: nil), .real, nil,
  ])
  func `a scenario without a clock has that of the process, in a sandbox as well`(clock: ClockSetting?)
    async throws
  {
    var scenario = Scenario()
    scenario.clock = clock
    try await TestControl.run(scenario: scenario) { test in
      let http = test.http
      let before = try await http(.GET, Self.api + "/clock")
      let isVirtual = before["mode"] == .string("virtual")
      func looksTheSame(_ base: String) async throws {
        let clock = try await http(.GET, base + "/clock")
        #expect(clock["mode"] == before["mode"])
        if isVirtual { #expect(clock["now"] == before["now"]) }
      }
      for other in [#"{"version":1}"#, #"{"name":"x"}"#] {
        _ = try await http(.POST, Self.api + "/clock/advance", #"{"by":"2h"}"#)
        #expect(try await http(.PUT, Self.api + "/scenario", other).status == 200)
        try await looksTheSame(Self.api)
        #expect(try await http(.POST, Self.api + "/reset").status == 204)
        try await looksTheSame(Self.api)
      }
      let base = try #require(try await http(.POST, Self.api + "/sandboxes")["base"]?.stringValue)
      try await looksTheSame(base)
      #expect(try await http(.PUT, base + "/scenario", #"{"version":1}"#).status == 200)
      try await looksTheSame(base)
      #expect(try await http(.PUT, Self.api + "/scenario", #"{"clock":"real"}"#).status == 200)
      #expect(try await http(.GET, Self.api + "/clock")["mode"] == .string("real"))
    }
  }

  @Test func `a stream resumes after the last event`() async throws {
    try await TestControl.run { test in
      for (path, header) in [("?after=x", [:]), ("", ["Last-Event-ID": "x"])] {
        let refused = try await test.http(
          .GET,
          Self.api + "/events\(path)",
          headers: header.map { ($0.key, $0.value) }
        )
        let name = header.isEmpty ? "after" : "Last-Event-ID"
        #expect(refused.status == 400 && refused["pointer"] == .string(name), "\(refused)")
      }
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let resumed = try await test.http.open(.GET, Self.api + "/events", headers: [("Last-Event-ID", "1")])
      #expect(
        await text(of: resumed, until: "\n\n", times: 2).contains(
          "id: 2\nevent: notification\ndata: {\"seq\":2"
        )
      )
      try? await resumed.channel.close().get()
    }
  }

  @Test func `a reader is told that the history was cleared, and goes on after it`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let live = try await test.http.open(.GET, Self.api + "/events")
      for await part in live.parts {
        if case .body = part { break }
      }
      try await test.http(.POST, Self.api + "/reset")
      let cleared = "event: gap\ndata: {\"event\":\"gap\",\"missed\":"
      // A reader that follows has the event that cleared it; one that comes back later misses something.
      let seen = await text(of: live, until: "\n\n", times: 2)
      #expect(seen.contains(#""do":{"reset":true}"#) && !seen.contains(cleared), "\(seen)")
      let later = try await test.http.open(.GET, Self.api + "/events", headers: [("Last-Event-ID", "1")])
      let missed = await text(of: later, until: "\n\n", times: 1)
      #expect(missed.contains(cleared) && missed.contains("the history was cleared: by a reset"), "\(missed)")
      for (stream, text) in [(live, seen), (later, missed)] {
        #expect(text.contains("event: historyCleared"), "\(text)")
        try? await stream.channel.close().get()
      }
      let next = test.simulator.nextSeq
      try test.provider().send(TestControl.frame(2, #"{"aps":{"alert":"b"}}"#))
      let resumed = try await test.http.open(.GET, Self.api + "/events?after=\(next - 1)")
      #expect(await text(of: resumed, until: "\n\n", times: 1).contains("id: \(next)\n"))
      try? await resumed.channel.close().get()
    }
  }

  @Test func `a number of an earlier process begins at the beginning, and says so`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let stream = try await test.http.open(.GET, Self.api + "/events?after=47110000")
      let text = await text(of: stream, until: "\n\n", times: 2)
      #expect(text.contains("from an earlier process") && text.contains("id: 1\n"), "\(text)")
      try? await stream.channel.close().get()
    }
    // Of this process, too, there may be what has made room.
    var core = Configuration()
    core.limits.keep = 1000
    try await TestControl.run(core: core) { test in
      let provider = try test.provider()
      for number in UInt32(1)...1500 { provider.send(TestControl.frame(number, #"{"aps":{"alert":"a"}}"#)) }
      let stream = try await test.http.open(.GET, Self.api + "/events?after=47110000")
      let text = await text(of: stream, until: "\n\n", times: 3)
      func number(after mark: String) -> Int? {
        text.split(separator: mark).dropFirst().last.flatMap { Int($0.prefix { $0.isNumber }) }
      }
      let missed = try #require(number(after: #""missed":"#))
      #expect(missed > 0 && text.contains("\nid: \(missed + 1)\n"), "\(text)")
      try? await stream.channel.close().get()
    }
  }

  private func text(of stream: TestClient.Stream, until end: String, times: Int) async -> String {
    var text = ""
    for await part in stream.parts {
      guard case .body(let bytes) = part else { continue }
      text += String(buffer: bytes)
      if text.split(separator: end).count > times { break }
    }
    return text
  }

  @Test func `a sandbox has devices, clock and ports of its own, and goes with its connections`() async throws
  {
    try await TestControl.run { test in
      let made = try await test.http(.POST, Self.api + "/sandboxes", #"{"seed":5,"devices":{"a":{}}}"#)
      #expect(made.status == 201)
      let base = try #require(made["base"]?.stringValue)
      #expect(made["seed"] == .number("5"))
      #expect(made["gateway"]?.intValue != test.endpoints.gatewayPort)
      #expect(try await test.http(.GET, base + "/devices/a").status == 200)
      #expect(try await test.http(.GET, Self.api + "/devices/a").status == 404)
      #expect(try await test.http(.GET, Self.api + "/sandboxes")["sandboxes.0.id"] == made["id"])
      #expect(try await test.http(.DELETE, base).status == 204)
      #expect(try await test.http(.GET, base + "/devices/a").status == 404)
    }
  }

  @Test func `a hundred sandboxes stand side by side`() async throws {
    try await TestControl.run { test in
      try await withThrowingTaskGroup(of: Int.self) { tasks in
        for _ in 0..<100 { tasks.addTask { try await test.http(.POST, Self.api + "/sandboxes").status } }
        for try await status in tasks { #expect(status == 201) }
      }
      let all = try await test.http(.GET, Self.api + "/sandboxes")["sandboxes"]?.arrayValue ?? []
      #expect(Set(all.compactMap { $0["gateway"]?.intValue }).count == 100)
    }
  }

  @Test func `sandboxes, waits and streams have a bound, and what goes makes room`() async throws {
    var limits = ControlLimits()
    (limits.sandboxes, limits.waits, limits.streams) = (2, 2, 2)
    try await TestControl.run(limits: limits) { test in
      let path = Self.api + "/sandboxes"
      for _ in 1...2 { #expect(try await test.http(.POST, path).status == 201) }
      let refused = try await test.http(.POST, path)
      #expect(refused.status == 409)
      #expect(refused["detail"] == .string("there are already 2 sandboxes, the maximum"))
      #expect(try await test.http(.DELETE, path + "/s1").status == 204)
      #expect(try await test.http(.POST, path).status == 201)

      let wait = Self.api + "/notifications/wait"
      try await withThrowingTaskGroup(of: Int.self) { waits in
        for _ in 1...20 {
          waits.addTask { try await test.http(.POST, wait, #"{"timeout":"60s"}"#).status }
        }
        for _ in 1...18 { #expect(try await waits.next() == 503) }
        try test.provider().send(TestControl.frame(1, #"{"aps":{}}"#))
        while let status = try await waits.next() { #expect(status == 200) }
      }
      #expect(try await test.http(.POST, wait, #"{"timeout":"1ms"}"#).status == 200)

      var streams: [TestClient.Stream] = []
      for _ in 1...2 { streams.append(try await test.http.open(.GET, Self.api + "/events")) }
      for stream in streams {
        for await part in stream.parts { if case .head = part { break } }
      }
      #expect(try await test.http(.GET, Self.api + "/events").status == 503)
      for stream in streams { try? await stream.channel.close().get() }
    }
  }
}
