import APNSimCore
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `Changes of a device` {
  private static let path = "/api/v1/devices/r"

  @Test func `changes of a device at one time are all made`() async throws {
    try await TestControl.run { test in
      let changes: [(HTTPMethod, String, String)] = [
        (.PATCH, "", #"{"languages":["fr"]}"#), (.PATCH, "", #"{"online":false}"#),
        (.POST, "/uninstall", #"{"topic":"com.a"}"#), (.POST, "/install", #"{"topic":"com.c"}"#),
        (.POST, "/install", #"{"topic":"com.d","environment":"sandbox"}"#),
      ]
      for _ in 1...25 {
        #expect(
          try await test.http(.PUT, Self.path, #"{"apps":["com.a","com.b"]}"#).status < 300
        )
        try await withThrowingTaskGroup(of: Int.self) { tasks in
          for (method, end, body) in changes {
            tasks.addTask { try await test.http(method, Self.path + end, body).status }
          }
          for try await status in tasks { #expect(status == 200) }
        }
        let device = try #require(test.simulator.device("r"))
        #expect(device.languages == ["fr"] && !device.isOnline)
        #expect(Set(device.apps.map(\.app.topic)) == ["com.a", "com.b", "com.c", "com.d"])
        #expect(device.apps.filter { !$0.isInstalled }.map(\.app.topic) == ["com.a"])
        #expect(try await test.http(.DELETE, Self.path).status == 204)
      }
    }
  }

  @Test func `changes of a device are one command each, which says what was asked for`() async throws {
    try await TestControl.run { test in
      let token = String(repeating: "dd", count: 32)
      try await test.http(.PUT, Self.path, #"{"apps":["com.a"]}"#)
      for (end, body) in [
        ("", #"{"languages":["fr"],"online":false}"#), ("", #"{"apps":["com.b"]}"#),
        ("", #"{"token":"issued","installed":false}"#),
        ("/install", #"{"topic":"com.c","environment":"sandbox","token":"\#(token)"}"#),
        ("/uninstall", #"{"topic":"com.c"}"#),
      ] {
        let reply = try await test.http(end.isEmpty ? .PATCH : .POST, Self.path + end, body)
        #expect(reply.status == 200, "\(reply.text)")
      }
      let journal = try await test.http(.GET, "/api/v1/capture").text
      let commands = try journal.split(separator: "\n").dropFirst().map { try JSONValue.parse(String($0)) }
        .filter { $0["event"] == .string("command") }.dropFirst().compactMap { $0.member("do")?.description }
      #expect(
        commands == [
          #"{"device.change":{"device":"r","online":false,"languages":["fr"]}}"#,
          #"{"device.change":{"device":"r","apps":[{"topic":"com.b","environment":"production","installed":true}]}}"#,
          #"{"device.change":{"device":"r","token":"issued","installed":false}}"#,
          #"{"device.change":{"device":"r","app":"com.c","environment":"sandbox","token":"\#(token)","installed":true}}"#,
          #"{"device.change":{"device":"r","app":"com.c","installed":false}}"#,
        ]
      )
    }
  }

  @Test func `changes of a device have an issued token where one is asked for, and none where an app goes`()
    async throws
  {
    try await TestControl.run { test in
      let token = String(repeating: "dd", count: 32)
      try await test.http(.PUT, Self.path, #"{"apps":[{"topic":"com.a","token":"\#(token)"}]}"#)
      let issued = try await test.http(.POST, Self.path + "/install", #"{"topic":"com.a","token":"issued"}"#)
      #expect(issued["apps.0.issued"] == .bool(true))
      #expect(issued["apps.0.token"] != .string(token))
      let refused = try await test.http(
        .POST,
        Self.path + "/uninstall",
        #"{"topic":"com.a","token":"\#(token)"}"#
      )
      #expect(refused.status == 400)
      #expect(refused["pointer"] == .string("/token"))
      #expect(test.simulator.device("r")?.apps.first?.isInstalled == true)
    }
  }

  @Test func `the tokens of a device rotate over the API, of one app or of all`() async throws {
    try await TestControl.run { test in
      try await test.http(.PUT, Self.path, #"{"apps":["com.a","com.b"]}"#)
      func tokens() -> [[UInt8]] { test.simulator.device("r")?.apps.map(\.token) ?? [] }
      let before = tokens()
      let one = try await test.http(.POST, Self.path + "/rotate", #"{"topic":"com.b"}"#)
      #expect(one.status == 200 && one["apps.0.token"] == .string(Hex.encode(before[0])))
      #expect(one["apps.1.token"] != .string(Hex.encode(before[1])) && one["apps.1.issued"] == .bool(true))
      let all = try await test.http(.POST, Self.path + "/rotate")
      #expect(all.status == 200 && Set(before + tokens()).count == 4)
      for (body, status, pointer) in [
        (#"{"topic":"com.c"}"#, 404, nil), (#"{"environment":"sandbox"}"#, 400, "/environment"),
        (#"{"token":"aa"}"#, 400, "/token"), ("[]", 400, ""),
      ] as [(String, Int, String?)] {
        let refused = try await test.http(.POST, Self.path + "/rotate", body)
        #expect(refused.status == status, "\(body): \(refused.text)")
        if let pointer { #expect(refused["pointer"] == .string(pointer), "\(refused.text)") }
      }
      #expect(try await test.http(.POST, "/api/v1/devices/nobody/rotate").status == 404)
    }
  }

  @Test func `an inbox shows what is on the screen where that is asked for`() async throws {
    try await TestControl.run { test in
      let inbox = Self.path + "/inbox"
      try await test.http(.PUT, Self.path, #"{"apps":["com.a"]}"#)
      for shown in ["true", "false"] {
        let page = try await test.http(.GET, inbox + "?shown=" + shown)
        #expect(page.status == 200 && page["notifications"] == .array([]))
      }
      #expect(try await test.http(.GET, inbox + "?shown=maybe").status == 400)
    }
  }

  @Test func `changes of a device give no device more apps than it may have`() async throws {
    try await TestControl.run { test in
      let topics = (1...257).map { "\"com.example.a\($0)\"" }.joined(separator: ",")
      let refused = try await test.http(.PUT, Self.path, #"{"apps":[\#(topics)]}"#)
      #expect(refused.status == 400)
      #expect(refused["detail"] == .string("expected at most 256 apps on a device, found 257"))
      #expect(refused["pointer"] == .string("/apps"))
    }
  }
}
