import APNSimTestSupport
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct HostilePeerTests {
  /// The server's error after a plain TCP client sent these bytes and closed its side.
  private func report(
    _ bytes: [UInt8],
    thenClose: Bool = true,
    _ change: (inout TLSServerOptions) -> Void = { _ in }
  ) async throws -> TLSError {
    let server = try await TestServer.start(try Contexts.server(change))
    let plain = try await server.connect(nil)
    // In the socket's buffer before the server looks, however busy the machine is.
    if !bytes.isEmpty { try await plain.send(bytes) }
    let accepted = try await server.accept()
    // The server may have said its last word by now, and closed.
    if thenClose { try? await plain.channel.close(mode: .output) }
    let error = try await accepted.failure()
    try await accepted.expectInactive()
    let good = try await server.connect(try Contexts.client())
    try await good.handshake()
    return error
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /3/device/00 HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM",
  ])
  func `a plain HTTP request is called by its name`(request: String) async throws {
    let error = try await report(Array(request.utf8))
    #expect(error.kind == .plainHTTP)
    #expect(error.description.contains("a plain HTTP request on a TLS port"))
    #expect(error.description.contains(request.prefix(8)))
  }

  @Test(arguments: [
    [0, 0, 32] + [UInt8](repeating: 0xaa, count: 34),
    [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 32] + [UInt8](repeating: 0xaa, count: 34),
    [2, 0, 0, 0, 90, 1, 0, 32] + [UInt8](repeating: 0xaa, count: 34),
  ])
  func `a frame sent without TLS is called by its name`(frame: [UInt8]) async throws {
    let error = try await report(frame)
    #expect(error.kind == .plainFrames)
    #expect(error.description.contains("a command \(frame[0]) frame sent without TLS"))
  }

  @Test
  func `other protocols and garbage are shown as they came`() async throws {
    let ssh = try await report(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
    #expect(ssh.kind == .notTLS && ssh.description.contains("\"SSH-2.0-OpenSSH_9.2"))
    let noise = try await report([0x7f, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(noise.kind == .notTLS && noise.description.contains("7f01020304050607"))
  }

  @Test
  func `a port probe is told from a broken handshake`() async throws {
    #expect(try await report([]).kind == .closedBeforeHandshake)
    let hello = try clientHello()
    let cut = try await report(Array(hello.prefix(40)))
    #expect(cut.kind == .closedDuringHandshake)
    #expect(cut.description.contains("after 40 bytes"))
    let two = try await report([0x47, 0x45])
    #expect(two.kind == .closedDuringHandshake)
  }

  @Test
  func `a damaged ClientHello is answered with an alert`() async throws {
    var hello = try clientHello()
    hello[43] = 0xff
    let error = try await report(hello)
    #expect(error.kind == .protocolViolation)
    #expect(error.alertSent != nil)
  }

  @Test
  func `random bytes after a valid record header never harm the server`() async throws {
    let server = try await TestServer.start(try Contexts.server { $0.linger = .milliseconds(50) })
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      let body = (0..<Int(random.next() % 400 + 1)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let header: [UInt8] = [22, 3, 1, UInt8(body.count >> 8), UInt8(body.count & 255)]
      let plain = try await server.connect(nil)
      let accepted = try await server.accept()
      try? await plain.send(header + body)
      try? await plain.channel.close(mode: .output)
      _ = try await accepted.failure()
    }
    let good = try await server.connect(try Contexts.client())
    try await good.handshake()
  }

  @Test(arguments: [
    ([UInt8](), "within 10.0 s, the peer sent nothing"), ([22, 3, 1], "the peer stopped after 3 bytes"),
    ([1, 0, 0], "without TLS"),
  ])
  func `a handshake that does not come to an end is cut off in time`(bytes: [UInt8], text: String) throws {
    let context = try Contexts.server { $0.handshakeTimeout = .seconds(10) }
    let channel = EmbeddedChannel(handler: try TLSHandler(context))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    if !bytes.isEmpty { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_900))
    try channel.throwIfErrorCaught()
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
    let error = #expect(throws: TLSError.self) { try channel.throwIfErrorCaught() }
    #expect(error?.kind == .handshakeTimeout)
    #expect(error?.description.contains(text) == true)
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    _ = try? channel.finish()
  }

  @Test
  func `a version outside the allowed ones is refused with alert 70`() async throws {
    let server = try await TestServer.start(try Contexts.server { $0.minimum = .v1_2 })
    let client = try await server.connect(try Contexts.client { $0.maximum = .v1_1 })
    #expect(try await client.failure().alertReceived == .protocolVersion)
    let error = try await server.accept().failure()
    #expect(error.kind == .unsupportedVersion)
    #expect(error.description.contains("TLS 1.1"))
  }

  @Test
  func `a client without a common cipher is refused with alert 40`() async throws {
    let server = try await TestServer.start(try Contexts.server())
    let client = try await server.connect(
      try Contexts.client { $0.cipherList = "ECDHE-ECDSA-AES128-GCM-SHA256" }
    )
    #expect(try await client.failure().alertReceived == .handshakeFailure)
    #expect(try await server.accept().failure().kind == .noSharedCipher)
  }

  @Test
  func `a damaged record ends an open connection with alert 20`() throws {
    let pair = try EmbeddedPair(client: Contexts.client(), server: Contexts.server { $0.linger = .zero })
    defer { pair.finish() }
    try pair.pump()
    try pair.client.writeOutbound(ByteBuffer(string: "good"))
    let good = try EmbeddedPair.output(pair.client)
    try pair.client.writeOutbound(ByteBuffer(string: "bad"))
    var bad = try EmbeddedPair.output(pair.client)
    bad[bad.count - 1] ^= 1
    try EmbeddedPair.deliver(good + bad, to: pair.server, cut: { .max })
    // Complete records are delivered before the error.
    #expect(pair.serverSaw.bytes == Array("good".utf8))
    let error = try #require(pair.serverSaw.errors.first as? TLSError)
    #expect(error.kind == .damagedRecord && error.alertSent?.rawValue == 20 && !error.duringHandshake)
    #expect(pair.serverSaw.errors.count == 1)
    #expect(pair.serverSaw.isInactive)
  }

  /// The first flight of our own client.
  private func clientHello() throws -> [UInt8] {
    let pair = try EmbeddedPair(client: Contexts.client(), server: Contexts.server())
    defer { pair.finish() }
    return try EmbeddedPair.output(pair.client)
  }
}
