import APNSimCore
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import APNSimServer

@Suite struct `The table of connections` {
  @Test func `what is asked of a connection before it has its number reaches it in order`() throws {
    let (table, channel, seen) = try start()
    table.send(.sendLines, to: ConnectionID(rawValue: 1))
    table.send(.end(.finish), to: ConnectionID(rawValue: 1))
    table.send(.drain, to: ConnectionID(rawValue: 2))
    table.identify(channel, as: ConnectionID(rawValue: 1))
    channel.embeddedEventLoop.run()
    #expect(seen.events == ["sendLines", "end"])
    table.send(.drain, to: ConnectionID(rawValue: 1))
    #expect(seen.events == ["sendLines", "end", "drain"])
    _ = try channel.finish()
  }

  @Test func `what is asked of a connection that is gone reaches nobody and is bounded`() throws {
    let (table, channel, seen) = try start()
    for number in UInt32(1)...10_000 { table.send(.drain, to: ConnectionID(rawValue: number)) }
    table.identify(channel, as: ConnectionID(rawValue: 1))
    table.forget(ConnectionID(rawValue: 10_000))
    table.identify(channel, as: ConnectionID(rawValue: 10_000))
    channel.embeddedEventLoop.run()
    #expect(seen.events.isEmpty)
    table.identify(channel, as: ConnectionID(rawValue: 9_999))
    channel.embeddedEventLoop.run()
    #expect(seen.events == ["drain"])
    _ = try channel.finish()
  }

  @Test func `everybody is asked to make way in turn, those that came first before the others`() throws {
    let table = ConnectionTable(limit: 10)
    let peers = try (0..<3).map { _ in
      let (_, channel, seen) = try start()
      return (channel: channel, seen: seen)
    }
    for (index, peer) in peers.enumerated() {
      table.identify(peer.channel, as: ConnectionID(rawValue: UInt32(index + 1)))
    }
    let asked = { peers.map { $0.seen.events.count } }
    #expect(table.askToMakeWay(1).count == 1)
    #expect(asked() == [1, 0, 0])
    #expect(table.askToMakeWay(3).count == 3)
    #expect(asked() == [2, 1, 1])
    table.forget(ConnectionID(rawValue: 2))
    #expect(table.askToMakeWay(10).count == 2)
    #expect(asked() == [3, 1, 2])
    #expect(peers[0].seen.events == ["makeWay", "makeWay", "makeWay"])
    for peer in peers { _ = try peer.channel.finish() }
  }

  @Test func `a caller that waits for room is called once, however often it asked`() throws {
    let table = ConnectionTable(limit: 1)
    let channels = (0..<2).map { _ in EmbeddedChannel() }
    for channel in channels { table.enter(channel, Arrival(ordinal: 1, acceptDelay: .zero)) }
    let calls = Calls()
    for _ in 0..<1000 { table.whenRoom(for: calls) { calls.count.withLock { $0 += 1 } } }
    for channel in channels { _ = try channel.finish() }
    #expect(calls.count.withLock { $0 } == 1)
    #expect(table.count == 0)
  }

  @Test func `one of those that were asked for room closes, and nobody else is asked until it has`() {
    let start = NIODeadline.now()
    let request = RoomRequest(of: 3, at: start)
    #expect(!request.answer(canMakeWay: false))
    #expect(request.isOpen(at: start + .milliseconds(100)))
    #expect(request.answer(canMakeWay: true))
    #expect(!request.answer(canMakeWay: true))
    #expect(request.isOpen(at: start + .milliseconds(100)))
    #expect(!request.isOpen(at: start + .seconds(1)))
    let refused = RoomRequest(of: 1, at: start)
    #expect(!refused.answer(canMakeWay: false))
    #expect(!refused.isOpen(at: start))
    #expect(!RoomRequest(of: 0, at: start).isOpen(at: start))
  }

  private func start() throws -> (ConnectionTable, EmbeddedChannel, Seen) {
    let seen = Seen()
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(seen)
    return (ConnectionTable(limit: 10), channel, seen)
  }

  private final class Calls: Sendable {
    let count = Mutex(0)
  }

  /// Notes the events of a pipeline by name.
  private final class Seen: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private(set) var events: [String] = []

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      switch event {
      case ConnectionEvent.sendLines: events.append("sendLines")
      case ConnectionEvent.end: events.append("end")
      case ConnectionEvent.drain: events.append("drain")
      case ConnectionEvent.makeWay: events.append("makeWay")
      default: events.append("other")
      }
    }
  }
}
