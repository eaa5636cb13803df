import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Requests` {
  private static let api = "/api/v1"
  private static let apps = #"{"apps":["com.example.app",{"topic":"com.example.other","installed":false}]}"#

  @Test func `a change of a device is for all the apps it has where it names none`() async throws {
    try await TestControl.run { test in
      let path = Self.api + "/devices/bob"
      let before = try await test.http(.PUT, path, Self.apps)
      let removed = try await test.http(.PATCH, path, #"{"installed":false}"#)
      #expect(removed["apps"]?.arrayValue?.map { $0["installed"] } == [.bool(false), .bool(false)])
      #expect(removed["apps.0.token"] == before["apps.0.token"])
      let token = String(repeating: "dd", count: 32)
      let changed = try await test.http(.PATCH, path, #"{"token":"\#(token)","online":false}"#)
      #expect(changed["apps"]?.arrayValue?.map { $0["token"] } == [.string(token), .string(token)])
      #expect(changed["apps"]?.arrayValue?.map { $0["installed"] } == [.bool(false), .bool(false)])
      #expect(changed["online"] == .bool(false))
      #expect(try await test.http(.PUT, path, "{}").status == 200)
      let none = try await test.http(.PATCH, path, #"{"token":"\#(token)"}"#)
      #expect(none.status == 400)
      #expect(none["pointer"] == .string("/token"))
    }
  }

  @Test func `a device made on first sight stays the same when its state changes`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{"alert":"a"}}"#))
      let path = Self.api + "/devices/\(Hex.encode(TestControl.token))"
      let changed = try await test.http(.PATCH, path, #"{"installed":false,"online":false}"#)
      #expect(changed["apps.0.installed"] == .bool(false))
      #expect(changed["online"] == .bool(false))
      #expect(test.simulator.devices().isEmpty)
    }
  }

  @Test(arguments: [
    (#"{"online":null}"#, "/online"), (#"{"apps":null}"#, "/apps"), (#"{"online":"no"}"#, "/online"),
    (#"{"apps":[1]}"#, "/apps/0"), ("null", ""), ("[]", ""),
  ])
  func `null and other types change nothing`(_ body: String, _ pointer: String) async throws {
    try await TestControl.run { test in
      let path = Self.api + "/devices/bob"
      let before = try await test.http(.PUT, path, Self.apps)
      for method in [HTTPMethod.PATCH, .PUT] {
        let refused = try await test.http(method, path, body)
        #expect(refused.status == 400)
        #expect(refused["pointer"] == .string(pointer), "\(refused.text)")
      }
      #expect(try await test.http(.GET, path).json == before.json)
    }
  }

  @Test func `a name that is too long is what was found`() async throws {
    try await TestControl.run { test in
      let refused = try await test.http(
        .PUT,
        Self.api + "/devices/" + String(repeating: "x", count: 256),
        "{}"
      )
      #expect(refused.status == 400)
      #expect(
        refused["detail"]?.stringValue?.hasPrefix("expected a device name of 1 to 255 bytes, found \"xxx")
          == true
      )
    }
  }

  @Test func `a fault may have a where and answer with a status`() async throws {
    try await TestControl.run { test in
      let body = #"{"where":{"nth":1},"reply":{"status":8}}"#
      #expect(try await test.http(.POST, Self.api + "/faults", body).status == 201)
      try test.provider().send(TestControl.frame(1, #"{"aps":{}}"#))
      #expect(test.simulator.notifications().map(\.status.rawValue) == [8])
    }
  }

  @Test func `what a route does not know is refused, and nothing is done`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{}}"#))
      #expect(try await test.http(.PUT, Self.api + "/devices/bob", #"{"online":false}"#).status == 201)
      for (method, path) in [
        (HTTPMethod.DELETE, "/notifications?query=status:8"), (.DELETE, "/faults?name=x"),
        (.POST, "/reset?all=1"),
        (.POST, "/devices/bob/online?force=1"), (.DELETE, "/devices/bob?x"), (.GET, "/devices/bob?x=1"),
        (.GET, "/notifications/n1/hex?x=1"), (.GET, "/sandboxes?x=1"),
      ] {
        let refused = try await test.http(method, Self.api + path)
        #expect(refused.status == 400, "\(method) \(path)")
        #expect(refused["title"] == .string("Bad parameter"))
      }
      for path in ["/devices/bob/online", "/devices/bob/offline", "/clock/freeze", "/clock/resume", "/reset"]
      {
        let refused = try await test.http(.POST, Self.api + path, #"{"for":"2h"}"#)
        #expect(refused.status == 400, "\(path)")
        #expect(refused["pointer"] == .string("/for"))
      }
      #expect(test.simulator.notifications().count == 1)
      #expect(test.simulator.device("bob")?.isOnline == false)
      #expect(try await test.http(.POST, Self.api + "/devices/bob/online", "{}").status == 200)
      #expect(
        try await test.http(.POST, Self.api + "/devices/bob/offline", "", type: "text/plain").status == 200
      )
    }
  }

  @Test func `a scenario may be as large as a file, and no larger`() async throws {
    try await TestControl.run { test in
      let most = "{}" + String(repeating: " ", count: DocumentLimits.bytes - 2)
      let fits = try await test.http(.PUT, Self.api + "/scenario", most)
      #expect(fits.status == 200)
      for (method, path) in [(HTTPMethod.PUT, "/scenario"), (.POST, "/sandboxes")] {
        let refused = try await test.http(method, Self.api + path, most + " ")
        #expect(refused.status == 413)
      }
    }
  }

  @Test func `feedback is paged by cursors over all lists`() async throws {
    try await TestControl.run { test in
      func tuple(_ number: Int, _ topic: String) -> FeedbackSpecification {
        FeedbackSpecification(
          subject: .token([UInt8](repeating: UInt8(number), count: 32)),
          app: AppKey(topic: topic, environment: number.isMultiple(of: 2) ? .production : .sandbox),
          moment: .at(TestControl.start)
        )
      }
      for topic in ["a:b", "c"] {
        for number in 1...5 { try test.server.perform(.addFeedback(tuple(number, topic))) }
      }
      var found: [String] = []
      var path = Self.api + "/feedback?limit=3"
      while true {
        let page = try await test.http(.GET, path)
        found += page["tuples"]?.arrayValue?.compactMap { $0["token"]?.stringValue } ?? []
        guard let next = page["next"]?.stringValue else { break }
        path = Self.api + "/feedback?limit=3&after=\(next)"
      }
      let all = try await test.http(.GET, Self.api + "/feedback")
      #expect(all["next"] == .null)
      #expect(found.count == 10)
      #expect(found == all["tuples"]?.arrayValue?.compactMap { $0["token"]?.stringValue })
      #expect(try await test.http(.GET, Self.api + "/feedback?after=7").status == 400)
    }
  }

  @Test func `an inbox is paged by cursors in the order of delivery`() async throws {
    try await TestControl.run { test in
      let other = TestControl.token.map { $0 + 1 }
      let apps = [(TestControl.topic, TestControl.token), ("com.example.other", other)]
      var phone = DeviceSpecification(name: "phone")
      for (topic, token) in apps {
        let app = AppKey(topic: topic, environment: .production)
        phone.apps.append(AppSpecification(app: app, token: token))
      }
      try test.server.perform(.putDevice(phone))
      for number in 1...7 {
        let (topic, token) = apps[number % 2]
        let frame = TestControl.frame(UInt32(number), #"{"aps":{"alert":"a"}}"#, to: token)
        try test.provider(of: topic).send(frame)
      }
      let path = Self.api + "/devices/phone/inbox"
      var (found, pages, query) = ([String](), 0, "?limit=3")
      while true {
        let page = try await test.http(.GET, path + query)
        found += page["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        pages += 1
        guard let next = page["next"]?.stringValue else { break }
        query = "?limit=3&after=\(next)"
      }
      #expect(found == (1...7).map { "n\($0)" })
      #expect(pages == 3)
      let all = try await test.http(.GET, path)
      #expect(all["next"] == .null)
      #expect(all["notifications"]?.arrayValue?.count == 7)
      for query in ["?after=n7", "?limit=0", "?limit=10001"] {
        #expect(try await test.http(.GET, path + query).status == 400)
      }
    }
  }

  @Test func `a frame that was refused on a declared length is shown as far as it came`() async throws {
    try await TestControl.run { test in
      let start: [UInt8] = [1, 0, 0, 0, 7, 0, 0, 0, 0]
      for rest in [[0, 0], [0, 33], [0, 32] + TestControl.token + [0xFF, 0xFF]] {
        try test.provider().send(start + rest)
      }
      try test.provider().send([0, 0, 33])
      for number in 1...4 {
        let hex = try await test.http(.GET, Self.api + "/notifications/n\(number)/hex").text
        #expect(hex.contains("token length"), "\(number): \(hex)")
        #expect(hex.contains("refused on the declared length"), "\(number): \(hex)")
      }
    }
  }
}
