import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Looking before steering` {
  private static let api = "/api/v1"

  @Test func `a connection has a story`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      for id in UInt32(1)...3 { provider.send(TestControl.frame(id, #"{"aps":{}}"#)) }
      let story = try await test.http(.GET, Self.api + "/connections/c1/story")
      #expect(story.status == 200 && story["sentence"] == .string("Three notifications, all accepted"))
      #expect(story["steps.1.notifications"] == .array([.string("n1"), .string("n3")]))
      #expect(story["steps.1.kind"] == .string("frames") && story["steps.1.fate"] == .string("accepted"))
      #expect(story["cost.accepted"] == .number("3") && story["cost.resentOn"] == .array([]))
      #expect(try await test.http(.GET, Self.api + "/connections/c9/story").status == 404)
    }
  }

  @Test func `the clock says what is ahead, and a preview moves nothing`() async throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: TestControl.start)
    try await TestControl.run(scenario: scenario) { test in
      let http = test.http
      let hex = Hex.encode(TestControl.token)
      let device = #"{"online":false,"apps":[{"topic":"\#(TestControl.topic)","token":"\#(hex)"}]}"#
      _ = try await http(.PUT, Self.api + "/devices/bob", device)
      try test.provider().send(TestControl.frame(1, #"{"aps":{}}"#))
      let clock = try await http(.GET, Self.api + "/clock?ahead=true")
      #expect(try await http(.GET, Self.api + "/clock")["ahead"] == nil)
      #expect(clock["ahead.0.notification"] == .string("n1") && clock["ahead.0.device"] == .string("bob"))
      #expect(clock["more"] == .bool(false))
      let next = test.simulator.nextSeq
      let day = try await http(.POST, Self.api + "/clock/preview", #"{"by":"24h"}"#)
      #expect(day.status == 200 && day["ahead"] == .array([]) && day["to"] != nil)
      let month = try await http(.POST, Self.api + "/clock/preview", #"{"by":"28d"}"#)
      #expect(month["ahead.0.kind"] == .string("stored"))
      let past = try await http(.POST, Self.api + "/clock/preview", #"{"to":"2001-01-01T00:00:00Z"}"#)
      #expect(past.status == 200 && past["ahead"] == .array([]))
      #expect(try await http(.GET, Self.api + "/clock")["now"] == clock["now"])
      #expect(test.simulator.nextSeq == next)
      for body in ["{}", #"{"by":"1h","to":"2012-06-01T00:00:00Z"}"#, #"{"by":"soon"}"#] {
        #expect(try await http(.POST, Self.api + "/clock/preview", body).status == 400)
      }
    }
  }

  @Test func `a real clock says how far it was moved`() async throws {
    try await TestControl.run { test in
      #expect(try await test.http(.GET, Self.api + "/clock")["moved"] == nil)
      let moved = try await test.http(.POST, Self.api + "/clock/advance", #"{"by":"28d"}"#)
      #expect(moved["moved"] == .string("28d") && moved["mode"] == .string("real"))
    }
  }

  @Test func `a fault is previewed: what is seen, what it would have hit, and the same elsewhere`()
    async throws
  {
    try await TestControl.run { test in
      let provider = try test.provider()
      for id in UInt32(1)...3 { provider.send(TestControl.frame(id, #"{"aps":{}}"#)) }
      let next = test.simulator.nextSeq
      let body = #"{"where":{"nth":2},"reply":{"status":8},"times":1}"#
      let preview = try await test.http(.POST, Self.api + "/faults?preview=true", body)
      #expect(preview.status == 200)
      #expect(preview["rule"] == .string("when: {nth: 2}, reply: {status: 8}, times: 1"))
      #expect(preview["sees.0.hex"] == .string("080800000000"))
      #expect(preview["wouldHaveHit.first"] == .array([.string("n2")]))
      #expect(
        preview["wouldHaveHit.of"] == .number("3") && preview["wouldHaveHit.what"] == .string("notifications")
      )
      let same = try #require(preview["same.apnsim"]?.stringValue)
      #expect(
        same.hasPrefix("apnsim fault add 'when: {nth: 2}, reply: {status: 8}, times: 1' --control http://")
      )
      #expect(preview["same.curl"]?.stringValue?.contains("/api/v1/faults") == true)
      #expect(preview["same.magicToken"]?.stringValue?.hasPrefix("41504e53494de008") == true)
      #expect(try await test.http(.GET, Self.api + "/faults")["faults"] == .array([]))
      #expect(test.simulator.nextSeq == next)
      #expect(try await test.http(.POST, Self.api + "/faults?preview=true", #"{"reply":{}}"#).status == 400)
    }
  }

  @Test
  func
    `the catalogue of faults says of each what it takes, what a provider sees, and how the page offers it`()
    async throws
  {
    try await TestControl.run { test in
      let path = Self.api + "/faults/catalogue"
      let rows = try #require(try await test.http(.GET, path)["faults"]?.arrayValue)
      #expect(rows.map { $0["name"]?.stringValue ?? "" } == FaultKind.names)
      for row in rows {
        let name = row["name"]?.stringValue ?? ""
        for member in ["interfaces", "sees", "page"] {
          #expect(row[member]?.arrayValue?.isEmpty == false, "\(name): \(member)")
        }
        for member in ["family", "example", "meaning", "advice"] {
          #expect(row[member]?.stringValue?.isEmpty == false, "\(name): \(member)")
        }
      }
      let slice = try #require(rows.first { $0["name"] == .string("slice") })
      #expect(
        slice["family"] == .string("connection")
          && slice["example"] == .string("slice: { bytes: 1, pause: 10ms }")
      )
      #expect(slice["parameters.0.key"] == .string("bytes") && slice["parameters.0.most"] == .number("16384"))
      #expect(
        slice["parameters.0.required"] == .bool(true) && slice["parameters.1.kind"] == .string("duration")
      )
      #expect(
        slice["page.0.parts.1.key"] == .string("bytes") && slice["page.0.about"] == .string("connection")
      )
      #expect(try await test.http(.POST, path, "{}").status == 405)
    }
  }

  @Test func `a query is completed by what was seen`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      for id in UInt32(1)...3 { provider.send(TestControl.frame(id, #"{"aps":{"badge":7},"kind":"a b"}"#)) }
      let path = Self.api + "/queries/complete"
      let topics = try await test.http(.GET, path + "?text=topic%3Acom&at=9")
      #expect(topics.status == 200 && topics["from"] == .number("6") && topics["to"] == .number("9"))
      #expect(topics["items.0.text"] == .string(TestControl.topic) && topics["items.0.count"] == .number("3"))
      #expect(topics["items.0.kind"] == .string("value"))
      let values = try await test.http(.GET, path + "?text=payload.kind%3A")
      #expect(values["items.0.text"] == .string(#""a b""#))
      #expect(try await test.http(.GET, path + "?text=badge%3E")["items.0.text"] == .string("7"))
      let fields = try await test.http(.GET, path + "?text=kind")
      #expect(
        fields["items.0.text"] == .string("payload.kind") || fields["items.1.text"] == .string("payload.kind")
      )
      let wrong = try await test.http(.GET, path + "?text=topc%3Aa%20dev")
      #expect(wrong.status == 400 && wrong["column"] == .number("1") && wrong["pointer"] == .string("text"))
      #expect(try await test.http(.GET, path + "?at=-1").status == 400)
    }
  }

  @Test func `a scenario is checked where its mistakes are, and never loaded`() async throws {
    try await TestControl.run { test in
      _ = try await test.http(.PUT, Self.api + "/devices/bob", "{}")
      try test.provider().send(TestControl.frame(1, #"{"aps":{}}"#))
      let next = test.simulator.nextSeq
      let path = Self.api + "/scenario/check"
      let wrong =
        "version: 1\ndevces:\n  bob: {}\nrules:\n  - when: { nth: three }\n    reply: { status: 8 }\n"
      let check = try await test.http(.POST, path, wrong, type: "application/yaml")
      #expect(check.status == 200 && check["mistakes"]?.arrayValue?.count == 2)
      #expect(check["mistakes.0.line"] == .number("2") && check["mistakes.0.column"] == .number("1"))
      #expect(
        check["mistakes.0.length"] == .number("6") && check["mistakes.0.suggestion"] == .string("devices")
      )
      #expect(check["mistakes.1.line"] == .number("5"))
      let loss = "Loading it ends 1 notification and 2 devices. 1 open connection stays open."
      #expect(check["resets"] == .string(loss))
      let good = try await test.http(.POST, path, #"{"version":1,"devices":{"bob":{}}}"#)
      #expect(good["mistakes"] == .array([]))
      // A conflict between its parts is found only where it is tried.
      let token = Hex.encode(TestControl.token)
      let app = #"{"token":"\#(token)","apps":["com.example.app"]}"#
      let twice = #"{"version":1,"devices":{"a":\#(app),"b":\#(app)}}"#
      #expect(try await test.http(.POST, path, twice)["mistakes"]?.arrayValue?.count == 1)
      #expect(try await test.http(.POST, path, "")["mistakes.0.line"] == .number("1"))
      #expect(test.simulator.nextSeq == next)
    }
  }
}
