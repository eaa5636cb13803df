import APNSimControl
import APNSimCore
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `The list of notifications` {
  private static let list = "/api/v1/notifications"

  /// Sends notifications a second apart, each with its number as its text.
  private static func send(_ count: Int, to test: TestControl) throws {
    let provider = try test.provider()
    for number in 1...count {
      let frame = TestControl.frame(
        UInt32(number),
        #"{"aps":{"alert":"order \#(number % 2)","badge":\#(number)}}"#
      )
      provider.send(frame, at: TestControl.start + TimeSpan(milliseconds: Int64(number) * 1000))
    }
  }

  private static func ids(_ reply: TestClient.Reply) -> [String] {
    reply["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
  }

  @Test func `the list of notifications comes newest first, page after page, while more arrives`()
    async throws
  {
    try await TestControl.run { test in
      try Self.send(7, to: test)
      let first = try await test.http(.GET, Self.list + "?order=newest&limit=3")
      #expect(Self.ids(first) == ["n7", "n6", "n5"] && first["next"] == .string("n5"))
      #expect(first["matched"] == nil && first["kept"] == nil)
      try test.provider().send(
        TestControl.frame(8, "{}"),
        at: TestControl.start + TimeSpan(milliseconds: 8000)
      )
      let second = try await test.http(.GET, Self.list + "?order=newest&limit=3&before=n5")
      #expect(Self.ids(second) == ["n4", "n3", "n2"] && second["next"] == .string("n2"))
      let last = try await test.http(.GET, Self.list + "?order=newest&limit=3&before=n2")
      #expect(Self.ids(last) == ["n1"] && last["next"] == .null)
      #expect(Self.ids(try await test.http(.GET, Self.list + "?order=newest&before=n1")).isEmpty)
      let exact = try await test.http(.GET, Self.list + "?order=newest&limit=8")
      #expect(Self.ids(exact).count == 8 && exact["next"] == .null)
    }
  }

  @Test func `the list of notifications without an order is as with the oldest first, byte for byte`()
    async throws
  {
    try await TestControl.run { test in
      try Self.send(5, to: test)
      let plain = try await test.http(.GET, Self.list + "?after=n1&limit=2")
      #expect(Self.ids(plain) == ["n2", "n3"] && plain["next"] == .string("n3"))
      #expect(try await test.http(.GET, Self.list + "?order=oldest&after=n1&limit=2").bytes == plain.bytes)
    }
  }

  @Test func `the list of notifications counts those that match and all, in either order`() async throws {
    try await TestControl.run { test in
      try Self.send(9, to: test)
      for order in ["newest", "oldest"] {
        let query = "?counts=true&limit=2&order=\(order)"
        let all = try await test.http(.GET, Self.list + query)
        #expect(all["matched"] == .number("9") && all["kept"] == .number("9"))
        let some = try await test.http(.GET, Self.list + query + "&query=alert:%22order+1%22")
        #expect(some["matched"] == .number("5") && some["kept"] == .number("9"))
        #expect(Self.ids(some) == (order == "newest" ? ["n9", "n7"] : ["n1", "n3"]))
      }
    }
  }

  @Test func `the list of notifications has those of a time alone, whichever way the clock was set`()
    async throws
  {
    try await TestControl.run { test in
      try Self.send(6, to: test)
      let window = "from=2012-06-01T00:00:02Z&to=2012-06-01T00:00:05Z"
      let some = try await test.http(.GET, Self.list + "?counts=true&" + window)
      #expect(Self.ids(some) == ["n2", "n3", "n4"] && some["matched"] == .number("3"))
      let both = try await test.http(.GET, Self.list + "?order=newest&query=alert:%22order+0%22&" + window)
      #expect(Self.ids(both) == ["n4", "n2"])
      let late = TestControl.start + TimeSpan(milliseconds: 7000)
      try test.simulator.perform(.setClock(TestControl.start + TimeSpan(milliseconds: 3000)), at: late)
      try test.provider().send(TestControl.frame(7, "{}"), at: late)
      let after = try await test.http(.GET, Self.list + "?" + window)
      #expect(Self.ids(after) == ["n2", "n3", "n4", "n7"])
    }
  }

  @Test(arguments: [
    ("order=newest&after=n1", "after"), ("before=n1", "before"), ("order=last", "order"),
    ("order=newest&before=5", "before"), ("counts=yes", "counts"), ("from=noon", "from"), ("to=", "to"),
  ])
  func `the list of notifications refuses what does not go together, by its name`(
    _ query: String,
    _ name: String
  ) async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, Self.list + "?" + query)
      #expect(reply.status == 400 && reply["pointer"] == .string(name), "\(reply.text)")
    }
  }
}
