import APNSimControl
import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite(.mustNotHang) struct `A stream of digests` {
  private static let path = "/api/v1/events?digest=100ms"

  /// Reads the events of a stream, one after another.
  private final class Events {
    private var parts: AsyncStream<HTTPClientResponsePart>.Iterator
    private var text = ""

    init(_ stream: TestClient.Stream) { parts = stream.parts.makeAsyncIterator() }

    /// The next event's name, id and data.
    func next() async throws -> (name: String, id: UInt64?, data: JSONValue) {
      while true {
        if let end = text.range(of: "\n\n") {
          let lines = text[..<end.lowerBound].split(separator: "\n")
          text.removeSubrange(..<end.upperBound)
          func field(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
          }
          guard let name = field("event") else { continue }
          return (
            name, field("id").flatMap { UInt64($0) }, try JSONValue.parse(Array((field("data") ?? "").utf8))
          )
        }
        guard let part = await parts.next() else { throw CancellationError() }
        if case .body(let bytes) = part { text += String(buffer: bytes) }
      }
    }
  }

  private static func send(_ numbers: ClosedRange<UInt32>, _ test: TestControl) throws {
    let provider = try test.provider()
    for number in numbers {
      provider.send(TestControl.frame(number, #"{"aps":{"alert":"order \#(number)"}}"#))
    }
  }

  @Test func `a stream of digests begins with a hello and counts what happens, the newest first`()
    async throws
  {
    try await TestControl.run { test in
      try Self.send(1...3, test)
      let stream = try await test.http.open(.GET, Self.path)
      let events = Events(stream)
      let hello = try await events.next()
      #expect(hello.name == "hello" && hello.id == hello.data["seq"]?.intValue.map { UInt64($0) })
      #expect(hello.data["kept"] == .number("3") && hello.data["oldest"] == .string("n1"))
      #expect(hello.data["process"]?.stringValue?.isEmpty == false)
      try Self.send(4...80, test)
      var (received, newest): (Int, [String]) = (0, [])
      while received < 77 {
        let digest = try await events.next()
        #expect(digest.name == "digest" && digest.id == digest.data["seq"]?.intValue.map { UInt64($0) })
        let count = try #require(digest.data["received"]?.intValue)
        let views = digest.data["newest"]?.arrayValue ?? []
        #expect(views.count == min(count, 60) && digest.data["skipped"]?.intValue == count - views.count)
        #expect(
          digest.data["matched"]?.intValue == count && digest.data["outcomes.delivered"]?.intValue == count
        )
        #expect(digest.data["clock"] == .bool(false) && digest.data["cleared"] == .bool(false))
        received += count
        newest = views.compactMap { $0["id"]?.stringValue } + newest
      }
      #expect(received == 77 && newest.first == "n80")
      try await stream.channel.close().get()
    }
  }

  @Test func `a stream of digests goes on from where it left off with what came meanwhile, in one`()
    async throws
  {
    try await TestControl.run { test in
      let first = try await test.http.open(.GET, Self.path)
      let hello = try await Events(first).next()
      try await first.channel.close().get()
      try Self.send(1...5, test)
      let id = try #require(hello.id)
      let again = try await test.http.open(.GET, Self.path, headers: [("Last-Event-ID", "\(id)")])
      let events = Events(again)
      let second = try await events.next()
      #expect(second.name == "hello" && second.id == id && second.data["process"] == hello.data["process"])
      let digest = try await events.next()
      #expect(digest.data["received"] == .number("5") && digest.data["connections"] == .bool(true))
      try await again.channel.close().get()
      // A number that was not given out yet is one of an earlier process.
      let other = try await test.http.open(.GET, Self.path, headers: [("Last-Event-ID", "999999")])
      #expect(try await Events(other).next().id == test.simulator.digestStart.seq)
      try await other.channel.close().get()
    }
  }

  @Test func `a stream of digests counts what matches its query`() async throws {
    try await TestControl.run { test in
      let stream = try await test.http.open(.GET, Self.path + "&query=alert:%22order+3%22")
      let events = Events(stream)
      _ = try await events.next()
      try Self.send(1...5, test)
      var (received, matched, newest): (Int, Int, [JSONValue]) = (0, 0, [])
      while received < 5 {
        let digest = try await events.next()
        received += digest.data["received"]?.intValue ?? 0
        matched += digest.data["matched"]?.intValue ?? 0
        newest += digest.data["newest"]?.arrayValue ?? []
      }
      #expect(matched == 1 && newest.map { $0["id"] } == [.string("n3")])
      try await stream.channel.close().get()
    }
  }

  @Test func `a stream of digests says what changed, and that the history was cleared`() async throws {
    try await TestControl.run { test in
      let body =
        #"{"online":false,"apps":[{"topic":"com.example.app","token":"\#(Hex.encode(TestControl.token))"}]}"#
      #expect(try await test.http(.PUT, "/api/v1/devices/bob", body).status == 201)
      try Self.send(1...1, test)
      let stream = try await test.http.open(.GET, Self.path)
      let events = Events(stream)
      _ = try await events.next()
      #expect(try await test.http(.POST, "/api/v1/devices/bob/online").status == 200)
      let changed = try await events.next()
      #expect(changed.data["changed"] == .array([.string("n1")]) && changed.data["devices"] == .bool(true))
      #expect(changed.data["received"] == .number("0") && changed.data["newest"] == .array([]))
      #expect(try await test.http(.DELETE, "/api/v1/notifications").status == 204)
      #expect(try await events.next().data["cleared"] == .bool(true))
      try await stream.channel.close().get()
    }
  }

  @Test
  func `a stream of digests is the same text for all that ask at the same beat, and leaves nobody waiting`()
    async throws
  {
    try await TestControl.run { test in
      var streams: [TestClient.Stream] = []
      for _ in 0..<4 { streams.append(try await test.http.open(.GET, Self.path)) }
      let readers = streams.map { Events($0) }
      for reader in readers { _ = try await reader.next() }
      try Self.send(1...9, test)
      var told: [[String]] = []
      for reader in readers {
        var (texts, received): ([String], Int) = ([], 0)
        while received < 9 {
          let digest = try await reader.next()
          texts.append(digest.data.description)
          received += digest.data["received"]?.intValue ?? 0
        }
        told.append(texts)
      }
      #expect(told.allSatisfy { !$0.isEmpty })
      for stream in streams { try await stream.channel.close().get() }
      #expect(await eventually { test.simulator.journalWatcherCount == 0 })
    }
  }

  @Test(arguments: [
    "digest=1ms", "digest=soon", "digest=2m", "digest=250ms&query=nothing:1", "digest=250ms&after=x",
  ])
  func `a stream of digests refuses what it cannot take`(_ query: String) async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, "/api/v1/events?" + query)
      #expect(reply.status == 400, "\(reply.text)")
    }
  }
}
