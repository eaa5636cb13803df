import COpenSSL
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimTLS

@Suite
struct RenegotiationTests {
  @Test(arguments: [TLSVersion.v1_0, .v1_1, .v1_2])
  func `a client that wants to renegotiate is told no, and what it sent before counts`(
    version: TLSVersion
  ) throws {
    let pair = try EmbeddedPair(
      client: Contexts.client { $0.maximum = version },
      server: Contexts.server { $0.linger = .zero }
    )
    defer { pair.finish() }
    try pair.pump()
    try pair.client.writeOutbound(ByteBuffer(string: "before"))
    let ssl = pair.clientTLS.connection.ssl
    SSL_clear_options(ssl, 1 << 30)  // SSL_OP_NO_RENEGOTIATION
    #expect(SSL_renegotiate(ssl) == 1)
    // The next write starts the new handshake; the answer is the alert no_renegotiation (100).
    _ = try? pair.client.writeOutbound(ByteBuffer(string: "after"))
    try? pair.pump()
    #expect(pair.serverSaw.bytes == Array("before".utf8))
    #expect(pair.serverSaw.handshakes == 1)
    #expect(pair.serverTLS.connection.alertSent?.rawValue == 100)
    let error = try #require(pair.clientSaw.errors.first as? TLSError)
    #expect(error.alertReceived?.rawValue == 100)
  }
}
