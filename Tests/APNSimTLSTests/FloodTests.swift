import COpenSSL
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimTLS

@Suite
struct FloodTests {
  /// Makes the client ask for new keys again and again, each of which the server has to answer.
  private func askForKeys(_ pair: EmbeddedPair, times: Int) throws {
    let ssl = pair.clientTLS.connection.ssl
    for _ in 0..<times where pair.serverSaw.errors.isEmpty {
      SSL_key_update(ssl, Int32(SSL_KEY_UPDATE_REQUESTED))
      try pair.client.writeOutbound(ByteBuffer(bytes: [1]))
      try EmbeddedPair.deliver(try EmbeddedPair.output(pair.client), to: pair.server, cut: { .max })
    }
  }

  private func pair() throws -> EmbeddedPair {
    let pair = try EmbeddedPair(
      client: Contexts.client { $0.maximum = .v1_3 },
      server: Contexts.server {
        $0.maximum = .v1_3
        $0.linger = .zero
      }
    )
    try pair.pump()
    return pair
  }

  @Test
  func `a peer that provokes answers without reading them is cut off`() throws {
    let pair = try pair()
    defer { pair.finish() }
    pair.server.isWritable = false
    try askForKeys(pair, times: 10_000)
    #expect((pair.serverSaw.errors.first as? TLSError)?.kind == .flood)
    #expect(pair.serverSaw.isInactive)
  }

  @Test
  func `a peer that reads the answers is not`() throws {
    let pair = try pair()
    defer { pair.finish() }
    try askForKeys(pair, times: 4000)
    #expect(pair.serverSaw.errors.isEmpty)
    #expect(pair.serverSaw.bytes.count == 4000)
  }
}
