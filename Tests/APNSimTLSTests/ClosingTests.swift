import APNSimTLS
import APNSimTestSupport
import NIOCore
import Testing

@Suite(.mustNotHang)
struct ClosingTests {
  private func connected(
    _ version: TLSVersion = .v1_2,
    echoes: Bool = false
  ) async throws -> (server: TestServer, accepted: Peer, client: Peer) {
    let server = try await TestServer.start(try Contexts.server { $0.maximum = version }, echoes: echoes)
    let client = try await server.connect(try Contexts.client { $0.maximum = version })
    let accepted = try await server.accept()
    try await client.handshake()
    try await accepted.handshake()
    return (server, accepted, client)
  }

  @Test(arguments: TLSVersion.allCases)
  func `close_notify of the server ends its data and leaves the client's open`(
    version: TLSVersion
  ) async throws {
    let (server, accepted, client) = try await connected(version)
    accepted.channel.write(ByteBuffer(string: "last"), promise: nil)
    accepted.channel.flush()
    try await accepted.command(.closeNotify)
    try await accepted.channel.close(mode: .output)
    #expect(try await client.data(4) == Array("last".utf8))
    try await client.expectPeerClosedNotify()
    try await client.expectInputClosed()
    // The other direction still works, and ends on its own.
    try await client.send(Array("late".utf8))
    #expect(try await accepted.data(4) == Array("late".utf8))
    try await client.command(.closeNotify)
    try await accepted.expectPeerClosedNotify()
    try await accepted.expectInputClosed()
    try await client.channel.close()
    try await accepted.expectInactive()
    withExtendedLifetime(server) {}
  }

  @Test
  func `close_notify of the client comes after its data, which the server can still answer`() async throws {
    let (server, accepted, client) = try await connected(echoes: true)
    try await client.send(Array("ping".utf8))
    try await client.command(.closeNotify)
    try await client.channel.close(mode: .output)
    #expect(try await accepted.data(4) == Array("ping".utf8))
    try await accepted.expectPeerClosedNotify()
    try await accepted.expectInputClosed()
    #expect(try await client.data(4) == Array("ping".utf8))
    try await accepted.channel.close()
    try await client.expectPeerClosedNotify()
    try await client.expectInputClosed()
    withExtendedLifetime(server) {}
  }

  @Test
  func `close sends close_notify of its own accord`() async throws {
    let (server, accepted, client) = try await connected()
    try await accepted.channel.close()
    try await client.expectPeerClosedNotify()
    try await client.expectInputClosed()
    withExtendedLifetime(server) {}
  }

  @Test
  func `the end of TCP without close_notify is a closed input and no error`() async throws {
    let (server, accepted, client) = try await connected()
    try await client.command(.omitCloseNotify)
    try await client.channel.close(mode: .output)
    try await accepted.expectInputClosed()
    try await accepted.send(Array("still here".utf8))
    #expect(try await client.data(10) == Array("still here".utf8))
    try await accepted.command(.omitCloseNotify)
    try await accepted.channel.close()
    try await client.expectInactive()
    withExtendedLifetime(server) {}
  }

  @Test
  func `close_notify is sent once, and writing has ended with it`() async throws {
    let (server, accepted, client) = try await connected()
    try await accepted.command(.closeNotify)
    try await accepted.command(.closeNotify)
    await #expect(throws: ChannelError.outputClosed) { try await accepted.send([1]) }
    try await accepted.channel.close(mode: .output)
    try await client.expectPeerClosedNotify()
    try await client.expectInputClosed()
    try await client.channel.close()
    try await accepted.expectPeerClosedNotify()
    withExtendedLifetime(server) {}
  }

  @Test
  func `input can be thrown away undecrypted until TCP ends`() async throws {
    let (server, accepted, client) = try await connected()
    try await accepted.command(.closeNotify)
    try await accepted.command(.discardInput)
    for _ in 0..<20 { try await client.send([UInt8](repeating: 1, count: 20_000)) }
    try await client.channel.close()
    try await accepted.expectInputClosed()
    withExtendedLifetime(server) {}
  }

  @Test
  func `a reset is reported as what it is and the server lives on`() async throws {
    let (server, accepted, client) = try await connected(echoes: true)
    // Closing with unread bytes makes the kernel send a reset.
    try await client.channel.setOption(.autoRead, value: false).get()
    try await accepted.send([1, 2, 3])
    try await client.command(.omitCloseNotify)
    try await client.channel.close()
    guard case .otherError(let text) = await accepted.next() else {
      Issue.record("expected a reset")
      return
    }
    #expect(text.contains("reset"))
    try await accepted.expectInactive()
    let next = try await server.connect(try Contexts.client())
    try await next.handshake()
  }

  @Test
  func `close_notify before the handshake is complete is refused`() async throws {
    let server = try await TestServer.start(try Contexts.server())
    let plain = try await server.connect(nil)
    let accepted = try await server.accept()
    await #expect(throws: TLSError.self) { try await accepted.command(.closeNotify) }
    try await plain.channel.close()
  }

  @Test
  func `a peer that reads slowly holds back the writer, and loses nothing`() async throws {
    let (server, accepted, client) = try await connected()
    try await client.channel.setOption(.autoRead, value: false).get()
    let message = [UInt8](repeating: 5, count: 16_384)
    let total = 600
    var last: EventLoopFuture<Void>?
    for _ in 0..<total { last = accepted.channel.writeAndFlush(ByteBuffer(bytes: message)) }
    try await accepted.channel.eventLoop.submit {}.get()
    #expect(accepted.channel.isWritable == false)
    try await client.channel.setOption(.autoRead, value: true).get()
    #expect(try await client.data(total * message.count).count == total * message.count)
    try await last?.get()
    withExtendedLifetime(server) {}
  }
}
