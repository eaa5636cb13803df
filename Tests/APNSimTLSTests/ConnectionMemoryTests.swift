import APNSimTestSupport
import COpenSSL
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimTLS

/// Memory that a connection shares with others or lets go of.
@Suite(.mustNotHang)
struct ConnectionMemoryTests {
  private static func pair(
    _ server: TLSContext,
    _ client: TLSIdentity,
    _ version: TLSVersion = .v1_3
  ) throws -> EmbeddedPair {
    let pair = try EmbeddedPair(client: Contexts.client(client) { $0.maximum = version }, server: server)
    try pair.pump()
    #expect(pair.serverSaw.handshakes == 1 && pair.serverSaw.errors.isEmpty)
    return pair
  }

  private static func certificate(_ pair: EmbeddedPair) -> OpaquePointer? {
    SSL_get0_peer_certificate(pair.serverTLS.connection.ssl)
  }

  private static func chain(_ pair: EmbeddedPair) -> OpaquePointer? {
    SSL_get0_verified_chain(pair.serverTLS.connection.ssl).flatMap { apnsim_sk_X509_value($0, 0) }
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func `clients with the same certificate share it, and others have their own`(version: TLSVersion) throws {
    let (server, provider) = (try Contexts.server(), TestPKI.shared.provider)
    let other = try TestPKI.shared.identity { $0.topics = [.init(name: "com.example.other")] }
    let pairs = try [provider, provider, other, provider].map { try Self.pair(server, $0, version) }
    defer { for pair in pairs { pair.finish() } }
    let found = pairs.map(Self.certificate)
    #expect(found[0] != nil && found[0] == found[1] && found[0] == found[3] && found[0] != found[2])
    #expect(pairs.map(Self.chain) == found)
    #expect(pairs[2].serverTLS.peer?.topicNames.contains("com.example.other") == true)
    #expect(pairs[3].serverTLS.peer?.serial == PeerCertificate(provider.certificate).serial)
  }

  @Test func `a certificate that others share is let go of with the last of many others`() throws {
    let shared = SharedCertificates()
    let own = TestPKI.shared.provider.certificate
    weak var first: X509Certificate?
    do {
      let copy = try #require(X509Certificate(der: own.der))
      first = copy
      #expect(shared.shared(copy) === copy && shared.shared(own) === copy)
    }
    #expect(first != nil)
    for number in 0..<SharedCertificates.limit {
      _ = shared.shared(
        try TestPKI.shared.identity { $0.topics = [.init(name: "com.example.n\(number)")] }.certificate
      )
    }
    #expect(first == nil)
  }

  @Test func `a client whose certificate was refused changes nothing for others with the same one`() throws {
    let server = try Contexts.server()
    let stranger = try CertificateAuthority(key: .generate(.p256))
    let identity = TLSIdentity(
      certificate: try stranger.sign(
        .provider(topics: [.init(name: "a.b")], environments: .both),
        for: TestPKI.shared.spareKey
      ),
      key: TestPKI.shared.spareKey
    )
    for _ in 1...2 {
      let pair = try EmbeddedPair(client: Contexts.client(identity), server: server)
      defer { pair.finish() }
      try pair.pump()
      #expect(pair.serverSaw.handshakes == 0 && pair.serverSaw.errors.count == 1)
    }
  }

  @Test func `a connection does not keep the buffer of its largest read`() throws {
    let pair = try EmbeddedPair(client: Contexts.client(), server: Contexts.server())
    defer { pair.finish() }
    var pool = NIOPooledRecvBufferAllocator(
      capacity: 1,
      recvAllocator: FixedSizeRecvByteBufferAllocator(capacity: 1024)
    )
    let hello = try EmbeddedPair.output(pair.client)
    func read(_ size: Int, _ bytes: [UInt8] = []) -> ByteBuffer {
      pool.recvAllocator = FixedSizeRecvByteBufferAllocator(capacity: size)
      return pool.buffer(allocator: ByteBufferAllocator()) { $0.writeBytes(bytes) }.0
    }
    try pair.server.writeInbound(read(1024, hello))
    #expect(read(16_384).storageCapacity == 16_384)
    #expect(read(64).storageCapacity == 64)
    #expect(pool.count == 1)
  }
}
