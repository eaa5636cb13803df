import APNSimCore
import APNSimServer
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `What names no environment` {
  private static let api = "/api/v1"
  private static let environment = "apps.0.environment"

  @Test func `what names no environment is in the sandbox where that is served alone`() async throws {
    try await TestControl.run(environment: .sandbox) { test in
      let http = test.http
      let path = Self.api + "/devices/bob"
      let sandbox = JSONValue.string("sandbox")
      #expect(try await http(.PUT, path, #"{"apps":["com.a"]}"#)[Self.environment] == sandbox)
      #expect(try await http(.PATCH, path, #"{"apps":["com.b"]}"#)[Self.environment] == sandbox)
      let installed = try await http(.POST, path + "/install", #"{"topic":"com.c"}"#)
      #expect(installed["apps.1.environment"] == sandbox)
      let removed = try await http(.POST, path + "/uninstall", #"{"topic":"com.c"}"#)
      #expect(removed["apps.1.installed"] == .bool(false))
      let again = try await http(.POST, path + "/install", #"{"topic":"com.c"}"#)
      #expect(again["apps"]?.arrayValue?.count == 2)

      let tuple = #"{"topic":"com.a","token":"abcd"}"#
      #expect(try await http(.POST, Self.api + "/feedback", tuple).status == 204)
      #expect(try await http(.GET, Self.api + "/feedback")["tuples.0.environment"] == sandbox)

      let scenario = #"{"devices":{"zoe":{"apps":["com.a"]}}}"#
      let made = try await http(.POST, Self.api + "/sandboxes", scenario)
      let base = try #require(made["base"]?.stringValue)
      #expect(try await http(.GET, base + "/devices/zoe")[Self.environment] == sandbox)
      let beside = try await http(.PUT, base + "/devices/bob", #"{"apps":["com.a"]}"#)
      #expect(beside[Self.environment] == sandbox)
      #expect(try await http(.PUT, Self.api + "/scenario", scenario).status == 200)
      #expect(try await http(.GET, Self.api + "/devices/zoe")[Self.environment] == sandbox)
    }
  }

  @Test func `the environment that nobody named is said in the journal, so that a replay has it`()
    async throws
  {
    try await TestControl.run(environment: .sandbox) { test in
      let path = Self.api + "/devices/bob"
      try await test.http(.PUT, path, #"{"apps":["com.a"]}"#)
      try await test.http(.POST, path + "/install", #"{"topic":"com.b"}"#)
      try await test.http(.POST, Self.api + "/feedback", #"{"topic":"com.a","token":"abcd"}"#)
      let journal = try await test.http(.GET, Self.api + "/capture").text
      let commands = try journal.split(separator: "\n").dropFirst().map { try JSONValue.parse(String($0)) }
        .filter { $0["event"] == .string("command") }.compactMap { $0.member("do")?.description }
      #expect(commands.count == 3)
      #expect(commands.allSatisfy { $0.contains(#""environment":"sandbox""#) }, "\(commands)")
      let scenario = #"{"devices":{"zoe":{"apps":["com.a"]}}}"#
      let begun = try await test.http(.PUT, Self.api + "/scenario", scenario)
      #expect(begun["devices.zoe.apps.0.environment"] == .string("sandbox"))
    }
  }

  @Test(arguments: [EnvironmentChoice.production, .both])
  func `what names no environment is in production where that is served`(choice: EnvironmentChoice)
    async throws
  {
    try await TestControl.run(environment: choice) { test in
      let path = Self.api + "/devices/bob"
      let device = try await test.http(.PUT, path, #"{"apps":["com.a"]}"#)
      #expect(device[Self.environment] == .string("production"))
      let installed = try await test.http(.POST, path + "/install", #"{"topic":"com.b"}"#)
      #expect(installed["apps.1.environment"] == .string("production"))
    }
  }

  @Test func `an environment that is named goes before the one that is served alone`() async throws {
    try await TestControl.run(environment: .sandbox) { test in
      let body = #"{"apps":[{"topic":"com.a","environment":"production"}]}"#
      let device = try await test.http(.PUT, Self.api + "/devices/bob", body)
      #expect(device[Self.environment] == .string("production"))
    }
  }
}
