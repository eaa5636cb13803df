import APNSimControl
import APNSimCore
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `One notification in the API` {
  private static let api = "/api/v1"

  private static func get(_ id: String, _ test: TestControl) async throws -> TestClient.Reply {
    try await test.http(.GET, api + "/notifications/" + id)
  }

  @Test func `a notification in the API has the presentation that its device's inbox has`() async throws {
    try await TestControl.run { test in
      let payload = #"{"aps":{"alert":{"title":"Order","body":"Ready"},"badge":3,"sound":"cup.caf"},"k":1}"#
      try test.provider().send(TestControl.frame(1, payload))
      let one = try await Self.get("n1", test)
      let inbox = try await test.http(.GET, Self.api + "/devices/\(Hex.encode(TestControl.token))/inbox")
      #expect(one["presentation"] == inbox["notifications.0.presentation"])
      #expect(
        one["presentation.alert.title"] == .string("Order") && one["presentation.badge"] == .number("3")
      )
      #expect(one["presentation.reason"] == nil && one["cause"] == nil && one["answer"] == nil)
    }
  }

  @Test(arguments: [
    (
      #"{"aps":{"content-available":1}}"#,
      "There is no alert, no badge and no sound; content-available wakes the app."
    ),
    (
      #"{"aps":{"badge":2,"sound":"default"}}"#, "There is no alert; the badge changes and a sound is played."
    ),
    (#"{"aps":{}}"#, "There is no alert, no badge and no sound."),
    (#"{"mdm":"F1E0"}"#, "The device calls its MDM server, which says what to do."),
  ])
  func `a notification in the API says why nothing is on the screen`(_ payload: String, _ reason: String)
    async throws
  {
    var core = Configuration()
    core.payload = .lenient
    try await TestControl.run(core: core) { test in
      try test.provider().send(TestControl.frame(1, payload))
      let one = try await Self.get("n1", test)
      #expect(one["presentation.reason"] == .string(reason), "\(one.text)")
      #expect(one["presentation.remarks"] != nil)
    }
  }

  @Test func `a notification in the API says that a device cannot read it`() async throws {
    var core = Configuration()
    core.payload = .lenient
    try await TestControl.run(core: core) { test in
      try test.provider().send(TestControl.frame(1, "no JSON"))
      let one = try await Self.get("n1", test)
      #expect(one["presentation"]?.objectValue?.count == 1)
      #expect(one["presentation.reason"] == .string("The device cannot read this payload."))
    }
  }

  @Test func `a notification in the API has each field of its frame once, from the first byte to the last`()
    async throws
  {
    try await TestControl.run { test in
      let payload = #"{"aps":{"alert":"a text of more than sixteen bytes"}}"#
      let frame = TestControl.frame(7, payload)
      try test.provider().send(frame)
      let one = try await Self.get("n1", test)
      let fields = one["fields"]?.arrayValue ?? []
      #expect(
        fields.compactMap { $0["name"]?.stringValue } == [
          "command", "identifier", "expiration date", "token length", "device token", "payload length",
          "payload",
        ]
      )
      let ends = fields.compactMap { $0["to"]?.intValue }
      #expect(fields.compactMap { $0["from"]?.intValue } == [0] + ends.dropLast())
      #expect(ends.last == frame.count && fields.allSatisfy { $0["error"] == nil })
      #expect(fields[1]["text"] == .string("00000007, 7 or 117440512 little endian"))
    }
  }

  @Test func `a notification in the API marks the field at fault, and has the six bytes that answered it`()
    async throws
  {
    try await TestControl.run { test in
      let short = [UInt8](repeating: 7, count: 31)
      try test.provider().send(TestControl.frame(5, "{}", to: short))
      let one = try await Self.get("n1", test)
      #expect(one["fields.3.name"] == .string("token length"))
      #expect(one["fields.3.error"]?.stringValue?.hasPrefix("the device token has 31 bytes") == true)
      #expect(one["answer.bytes"] == .string("080500000005") && one["answer.after"] == .number("0"))
      #expect(one["presentation.reason"] == .string("No payload of it was read."))
      // A frame that cannot be read has its fault where the bytes are wrong.
      try test.provider().send([2, 0, 0, 0, 4, 9, 0, 1, 0])
      let other = try await Self.get("n2", test)
      let wrong = other["fields"]?.arrayValue?.filter { $0["error"] != nil } ?? []
      #expect(wrong.count == 1 && wrong.first?["name"] == .string("item"))
      #expect(wrong.first?["error"] == .string("unknown item identifier"))
      #expect(wrong.first?["text"] == .string("9, unknown item"))
    }
  }

  @Test func `a notification in the API names the rule or the magic token that staged it`() async throws {
    try await TestControl.run { test in
      let rule = #"{"name":"third time","when":{"nth":1},"reply":{"status":7}}"#
      #expect(try await test.http(.POST, Self.api + "/faults", rule).status == 201)
      try test.provider().send(TestControl.frame(1, "{}"))
      let staged = try await Self.get("n1", test)
      #expect(staged["cause.rule"] == .string("r1") && staged["cause.name"] == .string("third time"))
      let text = try #require(staged["cause.text"]?.stringValue)
      let listed = try await test.http(.GET, Self.api + "/faults")
      #expect(try JSONValue.parse(Array(text.utf8)) == listed["faults.0.rule"])
      #expect(try await test.http(.DELETE, Self.api + "/faults").status == 204)
      let magic = MagicToken(kind: .refuse, code: 8).token()
      try test.provider().send(TestControl.frame(2, #"{"aps":{"alert":"a"}}"#, to: magic))
      let scripted = try await Self.get("n2", test)
      #expect(scripted["cause.magic"] == .string("41504e53494de008") && scripted["cause.rule"] == nil)
      #expect(scripted["cause.text"] == .string("refused with status 8, invalid token"))
    }
  }

  @Test
  func `a notification in the API has a request as it was sent, and what was found about its provider token`()
    async throws
  {
    try await TestControl.run { test in
      let none = ProviderIdentity(topics: [], environment: .production, subject: "")
      let opening = ConnectionOpening(peer: "test", provider: none)
      let connection = try test.simulator.openRequests(opening, at: TestControl.start)
      func send(_ stream: UInt32, _ body: [UInt8], age: Int64) {
        let headers = [
          (":method", "POST"), (":path", "/3/device/\(String(repeating: "ab", count: 32))"),
          ("authorization", "bearer secret"), ("apns-topic", "com.example.app"), ("x-twice", "a"),
          ("x-twice", "b"),
        ]
        let facts = ProviderTokenFacts(
          number: UInt64(stream),
          keyID: "KEY",
          teamID: "TEAM",
          issuedAt: TestControl.start.seconds - age,
          verdict: .good,
          remarks: stream == 1 ? .derSignature : []
        )
        let request = ProviderRequest(
          stream: stream,
          headers: headers.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
          body: body,
          authorization: .bearer(facts)
        )
        _ = connection.receive([request], at: TestControl.start)
      }
      send(1, Array(#"{"aps":{"alert":"hi"}}"#.utf8), age: 90)
      let good = try await Self.get("n1", test)
      let headers = good["request.headers"]?.arrayValue ?? []
      #expect(
        headers.compactMap { $0["name"]?.stringValue } == [
          ":method", ":path", "authorization", "apns-topic", "x-twice", "x-twice",
        ]
      )
      #expect(headers[5]["value"] == .string("b") && !good.text.contains("secret"))
      #expect(good["request.body"] == .string(#"{"aps":{"alert":"hi"}}"#) && good["request.bodyHex"] == nil)
      #expect(good["providerToken.verdict"] == .string("good") && good["providerToken.age"] == .number("90"))
      #expect(
        good["providerToken.keyID"] == .string("KEY") && good["providerToken.teamID"] == .string("TEAM")
      )
      #expect(good["providerToken.issuedAt"] == .string("2012-05-31T23:58:30.000Z"))
      #expect(good["providerToken.signature"] == .string("DER"))
      #expect(good["fields.0.name"] == .string("payload") && good["fields.0.to"] == .number("22"))
      send(3, [0xFF, 0xFE], age: 7200)
      let old = try await Self.get("n2", test)
      #expect(old["providerToken.verdict"] == .string("ExpiredProviderToken"))
      #expect(old["providerToken.signature"] == .string("r and s"))
      #expect(old["request.bodyHex"] == .string("fffe") && old["request.body"] == nil)
    }
  }

  @Test func `a notification is not found where the history has it not`() async throws {
    try await TestControl.run { test in
      for id in ["n1", "n0", "x", "n18446744073709551615"] {
        let reply = try await Self.get(id, test)
        #expect(reply.status == 404, "\(id)")
      }
    }
  }
}
