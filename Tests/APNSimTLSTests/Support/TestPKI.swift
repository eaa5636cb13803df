import APNSimTLS

/// A CA with a server and a provider certificate, made once for all tests.
struct TestPKI: Sendable {
  let authority: CertificateAuthority
  let server: TLSIdentity
  let provider: TLSIdentity
  /// A key for certificates that only one test needs.
  let spareKey: PrivateKey

  static let shared: TestPKI = {
    do { return try TestPKI() } catch { fatalError("\(error)") }
  }()

  private init() throws {
    authority = try CertificateAuthority(key: try .generate(.rsa2048))
    let serverKey = try PrivateKey.generate(.rsa2048)
    server = TLSIdentity(
      certificate: try authority.sign(.server(names: ["localhost", "127.0.0.1", "::1"]), for: serverKey),
      key: serverKey
    )
    let providerKey = try PrivateKey.generate(.rsa2048)
    provider = TLSIdentity(
      certificate: try authority.sign(
        .provider(topics: [.init(name: "com.example.app")], environments: .production),
        for: providerKey
      ),
      key: providerKey
    )
    spareKey = try .generate(.p256)
  }

  /// A provider's identity signed by the CA, with changes.
  func identity(_ change: (inout CertificateTemplate) -> Void) throws -> TLSIdentity {
    var template = CertificateTemplate.provider(
      topics: [.init(name: "com.example.app")],
      environments: .production
    )
    change(&template)
    return TLSIdentity(certificate: try authority.sign(template, for: spareKey), key: spareKey)
  }
}
