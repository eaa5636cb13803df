import APNSimCore
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `A device by its token` {
  private static let devices = "/api/v1/devices"
  private static let token = String(repeating: "ab", count: 32)
  private static let other = String(repeating: "cd", count: 32)

  @Test func `a token's device is answered as what it is called, where the request has the token too`()
    async throws
  {
    try await TestControl.run { test in
      let requests: [(HTTPMethod, String, String)] = [
        (.PUT, "", #"{"online":false}"#), (.PATCH, "", #"{"token":"\#(Self.other)"}"#),
        (.PATCH, "", #"{"apps":[]}"#),
        (.POST, "/install", #"{"topic":"com.example.app","token":"\#(Self.other)"}"#),
      ]
      for (method, end, body) in requests {
        let device = #"{"apps":[{"topic":"com.example.app","token":"\#(Self.token)"}]}"#
        try await test.http(.PUT, Self.devices + "/bob", device)
        let answer = try await test.http(method, Self.devices + "/\(Self.token)" + end, body)
        #expect(answer.status == 200, "\(method) \(body): \(answer.text)")
        #expect(try await test.http(.GET, Self.devices + "/bob").json == answer.json)
        #expect(try await test.http(.GET, Self.devices + "/\(Self.token)").status == 404)
      }
    }
  }

  @Test func `a device made on first sight is called by the token, also with another one`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let name = Hex.encode(TestControl.token)
      let body = #"{"topic":"com.example.app","token":"\#(Self.other)"}"#
      let answer = try await test.http(.POST, Self.devices + "/\(name)/install", body)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer["name"] == .string(name))
      #expect(answer["apps.0.token"] == .string(Self.other))
    }
  }

  @Test func `devices made on first sight are listed where that is asked for, the newest first`() async throws
  {
    try await TestControl.run { test in
      let provider = try test.provider()
      for byte in UInt8(1)...3 {
        provider.send(
          TestControl.frame(1, #"{"aps":{"alert":"a"}}"#, to: [UInt8](repeating: byte, count: 32))
        )
      }
      _ = try await test.http(.PUT, Self.devices + "/bob", "{}")
      _ = try await test.http(.DELETE, Self.devices + "/" + String(repeating: "03", count: 32))
      let without = try await test.http(.GET, Self.devices)
      #expect(without["devices.0.name"] == .string("bob") && without["unnamed"] == nil)
      let newest = try await test.http(.GET, Self.devices + "?unnamed=1")
      #expect(newest["devices.0.name"] == .string("bob") && newest["devices.1.name"] == nil)
      #expect(newest["unnamed.0.name"] == .string(String(repeating: "02", count: 32)))
      #expect(newest["unnamed.1.name"] == nil && newest["unnamedCount"]?.intValue == 2)
      let all = try await test.http(.GET, Self.devices + "?unnamed=1000")
      #expect(all["unnamed.1.name"] == .string(String(repeating: "01", count: 32)))
      #expect(try await test.http(.GET, Self.devices + "?unnamed=1001").status == 400)
    }
  }

  @Test func `a device that nobody knew so far has the token for the apps that say nothing of theirs`()
    async throws
  {
    try await TestControl.run { test in
      let path = Self.devices + "/\(Self.token)"
      let body = #"{"apps":["com.example.app",{"topic":"com.example.other","token":"issued"}]}"#
      for status in [201, 200] {
        let device = try await test.http(.PUT, path, body)
        #expect(device.status == status)
        #expect(device["name"] == .string(Self.token))
        #expect(device["apps.0.token"] == .string(Self.token))
        #expect(device["apps.1.issued"] == .bool(true))
        #expect(device["apps.1.token"] != .string(Self.token))
      }
      let issued = try await test.http(.PUT, path, #"{"token":"issued","apps":["com.example.app"]}"#)
      #expect(issued["apps.0.issued"] == .bool(true))
      #expect(issued["apps.0.token"] != .string(Self.token))
    }
  }

  @Test func `a device that was seen is the device of that token once it is put`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let name = Hex.encode(TestControl.token)
      let device = try await test.http(.PUT, Self.devices + "/\(name)", #"{"apps":["com.example.app"]}"#)
      #expect(device.status == 200)
      #expect(device["apps.0.token"] == .string(name))
    }
  }

  @Test func `a token means its device where another device has its digits as its name`() async throws {
    try await TestControl.run { test in
      let seen = Hex.encode(TestControl.token)
      let named = #"{"online":false,"apps":[{"topic":"com.example.app","token":"\#(Self.other)"}]}"#
      #expect(try await test.http(.PUT, Self.devices + "/\(seen)", named).status == 201)
      let provider = try test.provider()
      provider.send(TestControl.frame(1, #"{"aps":{"alert":"of the token"}}"#))
      let path = Self.devices + "/\(Self.other)"
      #expect(try await test.http(.POST, path + "/online")["online"] == .bool(true))
      #expect(try await test.http(.GET, path)["online"] == .bool(true))
      #expect(try await test.http(.GET, path + "/inbox")["notifications"]?.arrayValue?.isEmpty == true)
      let inbox = try await test.http(.GET, Self.devices + "/\(seen)/inbox")
      #expect(inbox["notifications"]?.arrayValue?.count == 1)
    }
  }

  @Test func `a token of another length, or with a name, is a name like any other`() async throws {
    try await TestControl.run { test in
      let short = try await test.http(.PUT, Self.devices + "/abcd", #"{"apps":["com.example.app"]}"#)
      #expect(short["apps.0.issued"] == .bool(true))
      let named = #"{"apps":[{"topic":"com.example.app","token":"\#(Self.token)"}]}"#
      try await test.http(.PUT, Self.devices + "/bob", named)
      let put = try await test.http(.PUT, Self.devices + "/\(Self.token)", #"{"apps":["com.example.app"]}"#)
      #expect(put["name"] == .string("bob"))
      #expect(put["apps.0.issued"] == .bool(true))
    }
  }
}
