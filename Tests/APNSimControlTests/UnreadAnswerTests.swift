import APNSimCore
import APNSimWire
import Dispatch
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import APNSimControl

@Suite struct `Unread answers` {
  @Test func `unread answers have a bound together, and their memory comes back with them`() {
    let room = AnswerRoom(200_000)
    do {
      let bodies = [
        room.body([UInt8](repeating: 0, count: 90_000)), room.body([UInt8](repeating: 0, count: 90_000)),
      ]
      #expect(bodies.allSatisfy { $0 != nil } && room.count == 180_000)
      #expect(room.body([UInt8](repeating: 0, count: 90_000)) == nil)
      // Small ones are not counted.
      #expect(room.body([1]) != nil && room.count == 180_000)
    }
    #expect(room.count == 0)
  }

  @Test func `unread answers leave no room for another list, and one alone may exceed it`() {
    let room = AnswerRoom(200_000)
    #expect(room.hasRoom)
    let large = room.body([UInt8](repeating: 0, count: 300_000))
    #expect(large != nil && !room.hasRoom && room.body([UInt8](repeating: 0, count: 70_000)) == nil)
    withExtendedLifetime(large) {}
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
    var now: Int { value.load(ordering: .relaxed) }
  }

  @Test func `unread answers are not handed to a loop that has not written what it has`() async throws {
    let (room, count) = (AnswerRoom(1 << 20), Counter())
    let loop = NIOSingletons.posixEventLoopGroup.next()
    let gate = DispatchSemaphore(value: 0)
    loop.execute { gate.wait() }
    let bytes = [UInt8](repeating: 0, count: 10 * AnswerRoom.pieceSize)
    let body = try #require(room.body(bytes))
    #expect(body.length == bytes.count)
    let writing = Task { [body] in
      try await body.send(on: loop) { _ in count.value.add(1, ordering: .relaxed) }
    }
    for _ in 0..<1000 { await Task.yield() }
    // The place is taken until the last piece is with the loop.
    #expect(count.now == 0 && room.count == bytes.count)
    gate.signal()
    try await writing.value
    #expect(count.now == 10)
  }

  @Test func `a large answer is whole`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      let text = String(repeating: "x", count: 200)
      for number in 1...500 {
        provider.send(TestControl.frame(UInt32(number), "{\"aps\":{\"alert\":\"\(text)\"}}"))
      }
      let answer = try await test.http(.GET, "/api/v1/notifications?limit=500")
      #expect(answer.status == 200 && answer.text.utf8.count > AnswerRoom.pieceSize)
      #expect(answer["notifications"]?.arrayValue?.count == 500)
    }
  }

  @Test func `a reader that takes all but the last of an answer is given up, unless it goes on`() throws {
    for goesOn in [true, false] {
      var limits = ControlLimits()
      limits.answerPatience = .seconds(5)
      let channel = EmbeddedChannel(handler: RequestPatienceHandler(limits, IdleConnections()))
      let unread = UnreadBytes()
      try channel.pipeline.syncOperations.addHandler(unread, position: .first)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.writeInbound(
        HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
      )
      try channel.writeInbound(HTTPServerRequestPart.end(nil))
      let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
      channel.write(HTTPServerResponsePart.head(head), promise: nil)
      channel.write(HTTPServerResponsePart.end(nil), promise: nil)
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      #expect(channel.isActive)
      if goesOn { unread.leave() }
      channel.embeddedEventLoop.advanceTime(by: .seconds(6))
      #expect(channel.isActive == goesOn)
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }
  }

  /// Keeps what is written, as a socket does that nobody reads.
  private final class UnreadBytes: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if let promise { promises.append(promise) }
    }

    func leave() { for promise in promises { promise.succeed() } }
  }

  @Test func `a reader that takes nothing of a known length is given up, one of a stream is not`() throws {
    for length in ["100000", nil] {
      var limits = ControlLimits()
      limits.answerPatience = .seconds(5)
      let said = Mutex<[String]>([])
      let channel = EmbeddedChannel(
        handler: RequestPatienceHandler(limits, IdleConnections()) { line in said.withLock { $0.append(line) }
        }
      )
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.writeInbound(
        HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
      )
      try channel.writeInbound(HTTPServerRequestPart.end(nil))
      var head = HTTPResponseHead(version: .http1_1, status: .ok)
      if let length { head.headers.add(name: "Content-Length", value: length) }
      try channel.writeOutbound(HTTPServerResponsePart.head(head))
      channel.isWritable = false
      channel.pipeline.fireChannelWritabilityChanged()
      channel.embeddedEventLoop.advanceTime(by: .seconds(4))
      #expect(channel.isActive)
      channel.isWritable = true
      channel.pipeline.fireChannelWritabilityChanged()
      channel.isWritable = false
      channel.pipeline.fireChannelWritabilityChanged()
      channel.embeddedEventLoop.advanceTime(by: .seconds(4))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(2))
      #expect(channel.isActive == (length == nil))
      let line = "control API: gave up 127.0.0.1:1, which read nothing of its answer for 5 s"
      #expect(said.withLock { $0 } == (length == nil ? [] : [line]))
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }
  }
}
