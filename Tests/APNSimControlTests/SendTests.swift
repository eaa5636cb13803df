import APNSimCore
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Sending through the control API` {
  private static let path = "/api/v1/notifications"
  private static let app = TestControl.topic

  private func bob(_ test: TestControl, online: Bool = true, installed: Bool = true) async throws {
    let body =
      #"{"online":\#(online),"apps":[{"topic":"\#(Self.app)","token":"\#(Hex.encode(TestControl.token))","#
      + #""installed":\#(installed)}]}"#
    _ = try await test.http(.PUT, "/api/v1/devices/bob", body)
  }

  @Test(arguments: ["http2", "binary"]) func `a notification is judged and delivered like any other`(
    api: String
  )
    async throws
  {
    try await TestControl.run { test in
      try await bob(test)
      let body = #"{"to":"bob","payload":{"aps":{"alert":"hi","badge":3}},"api":"\#(api)"}"#
      let sent = try await test.http(.POST, Self.path, body)
      #expect(sent.status == 201 && sent["id"] == .string("n1") && sent["outcome"] == .string("delivered"))
      #expect(sent["verdict"] == .string(api == "http2" ? "200" : "accepted"))
      #expect(sent["payloadSize"] == .number("32") && sent["accepted"] == .bool(true))
      let kept = try await test.http(.GET, Self.path + "/n1")
      #expect(kept["device"] == .string("bob") && kept["interface"] == .string(api))
      #expect(kept["payloadBase64"] != nil && kept["topic"] == .string(Self.app))
      let inbox = try await test.http(.GET, "/api/v1/devices/bob/inbox")
      #expect(inbox["notifications.0.payload.aps.badge"] == .number("3"))
      let connection = try await test.http(.GET, "/api/v1/connections/c1")
      #expect(connection["open"] == .bool(false) && connection["accepted"] == .number("1"))
    }
  }

  @Test func `a refusal is the provider's answer`() async throws {
    try await TestControl.run { test in
      try await bob(test, installed: false)
      let gone = try await test.http(.POST, Self.path, #"{"to":"bob","payload":{"aps":{"alert":"hi"}}}"#)
      #expect(gone["verdict"] == .string("410 Unregistered") && gone["status"] == .number("410"))
      #expect(gone["answer.body"]?.stringValue?.contains("Unregistered") == true)
      let long = String(repeating: "a", count: 300)
      let body = #"{"to":"bob","payload":{"aps":{"alert":"\#(long)"}},"api":"binary","command":1}"#
      let refused = try await test.http(.POST, Self.path, body)
      #expect(refused["verdict"] == .string("7 Invalid payload size") && refused["accepted"] == .bool(false))
      #expect(refused["answer.hex"]?.stringValue?.hasPrefix("0807") == true)
      #expect(refused["payloadLimit"] == .number("256"))
      _ = try await test.http(.POST, "/api/v1/faults", #"{"reply":{"reason":"TooManyRequests"},"times":1}"#)
      let ruled = try await test.http(.POST, Self.path, #"{"to":"bob","payload":{"aps":{"alert":"hi"}}}"#)
      #expect(ruled["verdict"] == .string("429 TooManyRequests"))
    }
  }

  @Test(arguments: ["http2", "binary"]) func `a preview says what would become of it, and keeps nothing`(
    api: String
  ) async throws {
    try await TestControl.run { test in
      try await bob(test, online: false)
      _ = try await test.http(.POST, "/api/v1/faults", #"{"reply":{"status":8},"after":1,"times":1}"#)
      let next = test.simulator.nextSeq
      let body = #"{"to":"bob","payload":{"aps":{"alert":"hi","sound":"default"}},"api":"\#(api)"}"#
      for _ in 1...3 {
        let tried = try await test.http(.POST, Self.path + "?preview=true", body)
        #expect(tried.status == 200 && tried["id"] == nil && tried["outcome"] == .string("stored"))
        #expect(tried["presentation.alert.text"] == .string("hi"))
        #expect(tried["explain"]?.arrayValue?.isEmpty == false)
      }
      #expect(test.simulator.nextSeq == next && test.simulator.notifications().isEmpty)
      #expect(test.simulator.connections().isEmpty && test.simulator.rules().first?.matches == 0)
      #expect(try await test.http(.POST, Self.path, body)["outcome"] == .string("stored"))
      // The rule lets one pass by, and the next one is the one that it refuses.
      #expect(try await test.http(.POST, Self.path + "?preview=true", body)["outcome"] == .string("rejected"))
      #expect(try await test.http(.POST, Self.path, body)["outcome"] == .string("rejected"))
    }
  }

  @Test
  func `an outage that goes on refuses in a preview as well, and its rule is not spent before it is over`()
    async throws
  {
    try await TestControl.run { test in
      try await bob(test)
      let rule = #"{"fault":{"unavailable":{"requests":2}},"times":1}"#
      _ = try await test.http(.POST, "/api/v1/faults", rule)
      let body = #"{"to":"bob","payload":{"aps":{"alert":"hi"}}}"#
      for isSpent in [false, true] {
        let tried = try await test.http(.POST, Self.path + "?preview=true", body)
        #expect(tried["verdict"] == .string("503 ServiceUnavailable"))
        let sent = try await test.http(.POST, Self.path, body)
        #expect(sent["verdict"] == .string("503 ServiceUnavailable"))
        let fault = try await test.http(.GET, "/api/v1/faults")
        #expect(fault["faults.0.spent"] == .bool(isSpent))
      }
      #expect(
        try await test.http(.POST, Self.path + "?preview=true", body)["verdict"] == .string("200")
      )
    }
  }

  @Test func `a preview of an update to a Live Activity is judged as the update would be`() async throws {
    try await TestControl.run { test in
      try await bob(test)
      let token = String(repeating: "ef", count: 32)
      let activity =
        #"{"topic":"\#(Self.app)","attributesType":"Order","token":"\#(token)","contentState":{"step":1}}"#
      let started = try await test.http(.POST, "/api/v1/devices/bob/activities", activity)
      #expect(started.status == 201)
      func update(_ timestamp: Int) -> String {
        #"{"to":"\#(token)","topic":"\#(Self.app).push-type.liveactivity","pushType":"liveactivity","#
          + #""payload":{"aps":{"timestamp":\#(timestamp),"event":"update","content-state":{"step":2}}}}"#
      }
      for timestamp in [2_000_000_000, 1_000_000_000] {
        let tried = try await test.http(.POST, Self.path + "?preview=true", update(timestamp))
        let sent = try await test.http(.POST, Self.path, update(timestamp))
        #expect(sent["device"] == .string("bob"))
        for member in ["verdict", "outcome", "device", "explain", "remarks"] {
          #expect(tried[member] == sent[member], "\(member) of \(timestamp)")
        }
      }
    }
  }

  @Test func `a background push shows nothing, and a token that nobody knows needs a topic`() async throws {
    try await TestControl.run { test in
      try await bob(test)
      let silent =
        #"{"to":"bob","payload":{"aps":{"content-available":1}},"pushType":"background","priority":5,"expiration":0}"#
      let tried = try await test.http(.POST, Self.path + "?preview=true", silent)
      #expect(tried["outcome"] == .string("delivered") && tried["presentation.alert"] == .null)
      let token = String(repeating: "cd", count: 32)
      let stranger = #"{"to":"\#(token)","payload":{"aps":{}}"#
      #expect(try await test.http(.POST, Self.path, stranger + "}").status == 400)
      let known = try await test.http(.POST, Self.path, stranger + #","topic":"\#(Self.app)"}"#)
      #expect(known.status == 201 && known["token"] == .string(token))
      #expect(try await test.http(.POST, Self.path, #"{"to":"eve","payload":{}}"#).status == 404)
      #expect(try await test.http(.POST, Self.path, #"{"to":"bob"}"#).status == 400)
      let wrong = #"{"to":"bob","payload":{},"api":"binary","collapseId":"x"}"#
      #expect(try await test.http(.POST, Self.path, wrong)["pointer"] == .string("/collapseId"))
    }
  }
}
