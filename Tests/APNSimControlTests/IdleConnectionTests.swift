import APNSimTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import APNSimControl

@Suite(.mustNotHang) struct `Idle connections of the control API` {
  @Test func `idle connections make way for a request that waits to come in`() async throws {
    var limits = ControlLimits()
    limits.connections = 8
    // Longer than any test: without a place that is made it waits for that.
    limits.requestPatience = .seconds(86_400)
    try await TestControl.run(limits: limits) { test in
      var silent: [any Channel] = []
      for _ in 0..<24 {
        silent.append(
          try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: test.http.port).get()
        )
      }
      #expect(try await test.http(.GET, "/livez").status == 200)
      for channel in silent { try? await channel.close().get() }
    }
  }

  /// Counts how often connections are asked for.
  private final class Socket: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var reads = 0

    func read(context: ChannelHandlerContext) { reads += 1 }
  }

  @Test func `idle connections keep others out at the limit, until one has gone`() throws {
    let (socket, gate) = (Socket(), ControlGate(IdleConnections(), limit: 1) { _ in })
    let channel = EmbeddedChannel(handlers: [socket, gate])
    channel.read()
    #expect(socket.reads == 1)
    let open = EmbeddedChannel()
    try channel.writeInbound(open as any Channel)
    channel.read()
    #expect(socket.reads == 1)
    try open.close().wait()
    open.embeddedEventLoop.run()
    channel.embeddedEventLoop.run()
    #expect(socket.reads == 2)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `idle connections are said to make way once, when the limit is reached`() throws {
    let said = Mutex<[String]>([])
    let gate = ControlGate(IdleConnections(), limit: 2) { line in said.withLock { $0.append(line) } }
    let socket = EmbeddedChannel(handler: gate)
    try socket.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    for _ in 0..<4 { try socket.writeInbound(EmbeddedChannel() as any Channel) }
    let lines = said.withLock { $0 }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("control API: 2 connections are open, the most") == true)
    _ = try? socket.finish(acceptAlreadyClosed: true)
  }
}
