import APNSimCore
import APNSimTestSupport
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimServer

@Suite(.mustNotHang) struct `Gathering reads` {
  /// So long that real time plays no part: everything after the first read comes closely.
  private static let long = TimeAmount.hours(1)

  @Test func `the first read of a connection is never put off`() throws {
    let connection = try Connection(delay: Self.long)
    #expect(connection.receive(bytes: 100) == 1)
  }

  @Test func `small reads in close succession wait for the beat`() throws {
    let connection = try Connection(delay: Self.long)
    _ = connection.receive(bytes: 100)
    #expect(connection.receive(bytes: 100) == 0)
    connection.loop.advanceTime(by: Self.long)
    #expect(connection.reads.count == 2)
  }

  @Test func `large reads go on at once`() throws {
    let connection = try Connection(delay: Self.long)
    _ = connection.receive(bytes: 100)
    #expect(connection.receive(bytes: 40_000) == 1)
  }

  @Test func `a read that was put off happens when gathering is turned off`() throws {
    let connection = try Connection(delay: Self.long)
    _ = connection.receive(bytes: 100)
    #expect(connection.receive(bytes: 100) == 0)
    connection.coalescer.turnOff()
    #expect(connection.reads.count == 2)
    #expect(connection.receive(bytes: 100) == 1)
    // The beat that it waited for comes all the same, and finds nobody.
    connection.loop.advanceTime(by: Self.long)
    #expect(connection.reads.count == 3)
  }

  @Test func `a delay of zero puts nothing off`() throws {
    let connection = try Connection(delay: .zero)
    _ = connection.receive(bytes: 100)
    #expect(connection.receive(bytes: 100) == 1)
  }

  @Test func `two connections share one beat`() throws {
    let loop = EmbeddedEventLoop()
    let ticker = ReadTicker(loop: loop, delay: Self.long)
    let connections = try (0..<2).map { _ in try Connection(ticker, loop) }
    for connection in connections {
      _ = connection.receive(bytes: 100)
      #expect(connection.receive(bytes: 100) == 0)
    }
    loop.advanceTime(by: Self.long)
    #expect(connections.allSatisfy { $0.reads.count == 2 })
  }

  private static func crowd(_ count: Int, delay: TimeAmount) throws -> (loop: EmbeddedEventLoop, [Connection])
  {
    let loop = EmbeddedEventLoop()
    let ticker = ReadTicker(loop: loop, delay: delay)
    return (loop, try (0..<count).map { _ in try Connection(ticker, loop) })
  }

  @Test(arguments: [TimeAmount.zero, long])
  func `where many connections are busy, large reads take turns and a small one does not wait`(
    delay: TimeAmount
  ) throws {
    let (loop, connections) = try Self.crowd(ReadRounds.crowd + 10, delay: delay)
    for connection in connections { _ = connection.receive(bytes: 16_384) }
    let before = connections.map(\.reads.count)
    #expect(connections.map { $0.receive(bytes: 16_384) }.allSatisfy { $0 == 0 })
    let other = try Connection(connections[0].ticker, loop)
    #expect(other.receive(bytes: 100) == 1)
    func done() -> Int { zip(connections, before).count { $0.reads.count > $1 } }
    for turn in 1...3 {
      loop.advanceTime(by: .microseconds(20))
      #expect(done() == turn * ReadTicker.largeReads)
    }
    loop.advanceTime(by: .milliseconds(1))
    #expect(zip(connections, before).allSatisfy { $0.reads.count == $1 + 1 })
  }

  @Test func `a few busy connections take no turns`() throws {
    let (_, connections) = try Self.crowd(ReadRounds.crowd - 1, delay: .zero)
    for _ in 1...3 { #expect(connections.map { $0.receive(bytes: 16_384) }.allSatisfy { $0 == 1 }) }
  }

  @Test func `one that waits for its turn reads when its end is awaited, and its turn passes`() throws {
    let (loop, connections) = try Self.crowd(ReadRounds.crowd, delay: .zero)
    for _ in 1...2 { for connection in connections { _ = connection.receive(bytes: 16_384) } }
    let before = connections[0].reads.count
    connections[0].coalescer.turnOff()
    #expect(connections[0].reads.count == before + 1)
    loop.advanceTime(by: .milliseconds(1))
    #expect(connections[0].reads.count == before + 1)
  }

  @Test(arguments: [Duration.zero, .microseconds(250), .milliseconds(20)])
  func `no delay changes an answer`(delay: Duration) async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.readDelay = delay
    } _: { test in
      let provider = try await test.gateway()
      for number in 1...100 { try await provider.send(Frames.enhanced(UInt32(number))) }
      try await provider.send(Frames.enhanced(101, to: Frames.unknown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 101))
      #expect(test.simulator.notifications().count == 101)
    }
  }
}

/// A connection of which only the reading is real.
private final class Connection {
  final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var count = 0
    func read(context: ChannelHandlerContext) { count += 1 }
  }

  let loop: EmbeddedEventLoop
  let reads = Reads()
  let ticker: ReadTicker
  let coalescer: ReadCoalescer
  let channel: EmbeddedChannel

  convenience init(delay: TimeAmount) throws {
    let loop = EmbeddedEventLoop()
    try self.init(ReadTicker(loop: loop, delay: delay), loop)
  }

  init(_ ticker: ReadTicker, _ loop: EmbeddedEventLoop) throws {
    self.loop = loop
    self.ticker = ticker
    coalescer = ReadCoalescer(ticker)
    channel = EmbeddedChannel(handlers: [reads, coalescer], loop: loop)
    _ = try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    reads.count = 0
  }

  /// Tasks of the loop retain the channel, which retains the loop.
  deinit {
    _ = try? channel.finish()
    loop.advanceTime(by: .hours(24))
  }

  /// A read brings bytes and the next one is asked for; returns how many reads that makes.
  func receive(bytes: Int) -> Int {
    let before = reads.count
    channel.pipeline.fireChannelRead(ByteBuffer(repeating: 0, count: bytes))
    channel.pipeline.read()
    return reads.count - before
  }
}
