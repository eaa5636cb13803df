import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct RefusalTests {
  /// The errors at both ends when the server refuses this client.
  private func refusal(
    of identity: TLSIdentity?,
    server context: TLSContext,
    maximum: TLSVersion = .v1_2,
    policy: (@Sendable (PeerCertificate) -> TLSRefusal?)? = nil
  ) async throws -> (client: TLSError, server: TLSError) {
    let server = try await TestServer.start(context, policy: policy)
    let client = try await server.connect(try Contexts.client(identity) { $0.maximum = maximum })
    let accepted = try await server.accept()
    if maximum == .v1_3 { try await client.handshake() }
    let result = (client: try await client.failure(), server: try await accepted.failure())
    try await client.expectInactive()
    try await accepted.expectInactive()
    return result
  }

  @Test(arguments: [TLSVersion.v1_0, .v1_2])
  func `an expired certificate is refused with alert 45`(version: TLSVersion) async throws {
    let identity = try TestPKI.shared.identity { $0.notAfter = UnixTime.now - 60 }
    let seen = try await refusal(of: identity, server: try Contexts.server(), maximum: version)
    #expect(seen.client.alertReceived == .certificateExpired)
    #expect(seen.server.alertSent == .certificateExpired)
    #expect(seen.server.kind == .refusedCertificate && seen.server.duringHandshake)
    #expect(seen.server.peer?.userID == "com.example.app")
    #expect(seen.server.description.contains("the certificate has expired"))
  }

  @Test
  func `a revoked certificate is refused with alert 44`() async throws {
    let home = try TemporaryDirectory()
    let serial = TestPKI.shared.provider.certificate.serial
    let list = try TestPKI.shared.authority.revocationList(adding: [serial])
    let file = try home.write("crl.pem", list.pem)
    let context = try Contexts.server(trust: .authority(caFiles: [try Contexts.caFile()], crlFiles: [file]))
    let seen = try await refusal(of: TestPKI.shared.provider, server: context)
    #expect(seen.client.alertReceived == .certificateRevoked)
    #expect(seen.server.refusal?.reason == "the certificate is revoked")
  }

  @Test
  func `a revoked certificate in the middle vouches for nobody`() async throws {
    let home = try TemporaryDirectory()
    let (key, root) = (TestPKI.shared.spareKey, TestPKI.shared.authority)
    let middle = try root.sign(.authority(name: "Middle"), for: key)
    let template = CertificateTemplate.provider(topics: [.init(name: "x")], environments: .production)
    let leaf = try CertificateAuthority(certificate: middle, key: key).sign(template, for: key)
    let identity = TLSIdentity(certificate: leaf, chain: [middle], key: key)
    let good = try home.write("good.pem", try root.revocationList().pem)
    let bad = try home.write("bad.pem", try root.revocationList(adding: [middle.serial]).pem)
    let authority = try Contexts.caFile()
    let accepting = try await TestServer.start(
      try Contexts.server(trust: .authority(caFiles: [authority], crlFiles: [good]))
    )
    try await accepting.connect(try Contexts.client(identity)).handshake()
    let context = try Contexts.server(trust: .authority(caFiles: [authority], crlFiles: [bad]))
    #expect(try await refusal(of: identity, server: context).client.alertReceived == .certificateRevoked)
  }

  @Test
  func `a client that speaks only what is newer is told apart from one that speaks what is allowed`()
    async throws
  {
    let server = try await TestServer.start(try Contexts.server { $0.maximum = .v1_2 })
    let client = try await server.connect(
      try Contexts.client {
        $0.minimum = .v1_3
        $0.maximum = .v1_3
      }
    )
    let error = try await server.accept().failure()
    #expect(error.kind == .unsupportedVersion)
    #expect(
      error.reason.contains("the peer speaks TLS 1.3 only") && error.reason.hasSuffix("1.0 to 1.2"),
      "\(error)"
    )
    _ = try await client.failure()
  }

  @Test
  func `a certificate of an unknown CA is refused with alert 48`() async throws {
    let stranger = try CertificateAuthority(key: TestPKI.shared.spareKey)
    let key = TestPKI.shared.spareKey
    let template = CertificateTemplate.provider(topics: [.init(name: "x")], environments: .production)
    let identity = TLSIdentity(certificate: try stranger.sign(template, for: key), key: key)
    let seen = try await refusal(of: identity, server: try Contexts.server())
    #expect(seen.client.alertReceived == .unknownCA)
    let selfSigned = TLSIdentity(
      certificate: try CertificateAuthority(key: key, template: template).certificate,
      key: key
    )
    let other = try await refusal(of: selfSigned, server: try Contexts.server())
    #expect(other.client.alertReceived == .unknownCA)
  }

  @Test
  func `no certificate is refused with alert 40`() async throws {
    let seen = try await refusal(of: nil, server: try Contexts.server())
    #expect(seen.client.alertReceived == .handshakeFailure)
    #expect(seen.server.kind == .noCertificate)
    #expect(seen.server.peer == nil)
  }

  @Test(arguments: [46, 40, 42, 44, 48, 49, 90, 255] as [UInt8])
  func `a policy refuses with the alert it chooses`(number: UInt8) async throws {
    let alert = TLSAlert(rawValue: number)
    let seen = try await refusal(of: TestPKI.shared.provider, server: try Contexts.server()) { peer in
      TLSRefusal(alert, reason: "\(peer.userID ?? "") is of the wrong environment")
    }
    #expect(seen.client.alertReceived == alert)
    #expect(seen.server.alertSent == alert)
    #expect(seen.server.refusal?.reason == "com.example.app is of the wrong environment")
  }

  @Test
  func `a policy can end TCP without an alert`() async throws {
    let server = try await TestServer.start(try Contexts.server()) { _ in
      TLSRefusal(.close, reason: "told to")
    }
    let client = try await server.connect(try Contexts.client())
    let error = try await server.accept().failure()
    #expect(error.alertSent == nil && error.refusal?.shape == .close)
    let seen = try await client.failure()
    #expect(seen.kind == .closedDuringHandshake && seen.alertReceived == nil)
  }

  @Test
  func `a client of TLS 1.3 has finished before it is refused`() async throws {
    let context = try Contexts.server { $0.maximum = .v1_3 }
    let identity = try TestPKI.shared.identity { $0.notAfter = UnixTime.now - 60 }
    let seen = try await refusal(of: identity, server: context, maximum: .v1_3)
    #expect(seen.client.alertReceived == .certificateExpired && !seen.client.duringHandshake)
    let none = try await refusal(of: nil, server: context, maximum: .v1_3)
    #expect(none.client.alertReceived == .certificateRequired)
  }

  @Test(arguments: [46, 49] as [UInt8])
  func `a refusal under TLS 1.3 that is no judgement on a certificate is alert 46`(number: UInt8) async throws
  {
    let context = try Contexts.server { $0.maximum = .v1_3 }
    let alert = TLSAlert(rawValue: number)
    let seen = try await refusal(of: TestPKI.shared.provider, server: context, maximum: .v1_3) { _ in
      TLSRefusal(alert, reason: "told to")
    }
    #expect(seen.client.alertReceived == .certificateUnknown)
    #expect(!seen.client.description.contains("; certificate "), "\(seen.client)")
  }

  @Test
  func `a policy is asked once and only after the chain was accepted`() async throws {
    let identity = try TestPKI.shared.identity { $0.notAfter = UnixTime.now - 60 }
    let seen = try await refusal(of: identity, server: try Contexts.server()) { _ in
      TLSRefusal(.certificateUnknown, reason: "never said")
    }
    #expect(seen.client.alertReceived == .certificateExpired)
  }

  @Test
  func `any certificate at all is let in when told so`() async throws {
    let template = CertificateTemplate.provider(
      topics: [.init(name: "com.example.old")],
      environments: .sandbox
    )
    var old = template
    old.notAfter = UnixTime.now - 60
    let key = TestPKI.shared.spareKey
    let identity = TLSIdentity(
      certificate: try CertificateAuthority(key: key, template: old).certificate,
      key: key
    )
    let server = try await TestServer.start(try Contexts.server(trust: .anyCertificate))
    let client = try await server.connect(try Contexts.client(identity))
    try await client.handshake()
    let peer = try await server.accept().handshake().peer
    #expect(peer?.topicNames == ["com.example.old"] && peer?.isDevelopment == true)
    let none = try await refusal(of: nil, server: try Contexts.server(trust: .anyCertificate))
    #expect(none.client.alertReceived == .handshakeFailure)
  }

  @Test
  func `a client refuses a server of another CA or name and says so`() async throws {
    let server = try await TestServer.start(try Contexts.server())
    let named = try await server.connect(try Contexts.client(), serverName: "push.example.com")
    #expect(try await named.failure().kind == .refusedCertificate)
    #expect(try await server.accept().failure().kind == .refusedByPeer)
    let local = try await server.connect(try Contexts.client(), serverName: "localhost")
    try await local.handshake()
    let home = try TemporaryDirectory()
    let other = try CertificateAuthority(key: TestPKI.shared.spareKey).certificate.pem
    let file = try home.write("other.pem", other)
    let stranger = try await server.connect(
      try Contexts.client { $0.trust = .authority(caFiles: [file]) }
    )
    #expect(try await stranger.failure().alertSent == .unknownCA)
  }
}
