import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct PKIDirectoryTests {
  private static let names = [
    "AuthKey_APNSIMKEY1.p8", "ca.key", "ca.pem", "crl.pem", "device.key", "device.pem",
    "provider-combined.pem",
    "provider-legacy.p12", "provider-sandbox-combined.pem", "provider-sandbox-legacy.p12",
    "provider-sandbox.key", "provider-sandbox.p12", "provider-sandbox.pem", "provider.key", "provider.p12",
    "provider.pem", "server.key", "server.pem", "token.key",
  ]

  @Test
  func `further names go into the server's certificate, made anew under the same key`() throws {
    let home = try TemporaryDirectory()
    let usual = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let key = try SetupFile.read(usual.server.key)
    let names = ["gateway.test", "*.push.test", "10.1.2.3", "2001:db8::1", "localhost"]
    func certificate(_ names: [String]) throws -> X509Certificate {
      try PKIDirectory.prepare(home.path, algorithm: .p256, serverNames: names).server.identity().certificate
    }
    let first = try certificate(names)
    #expect(first.serverNames.count == 7, "\(first.serverNames)")
    for name in ["gateway.test", "a.push.test", "10.1.2.3", "2001:db8::1", "localhost", "127.0.0.1", "::1"] {
      #expect(first.names(name), "\(name)")
    }
    // The same names again, or no word on them, change nothing.
    #expect(try certificate(names).der == first.der)
    #expect(try certificate([]).der == first.der)
    let second = try certificate(["other.test"])
    #expect(second.names("other.test") && second.names("localhost") && !second.names("gateway.test"))
    #expect(try SetupFile.read(usual.server.key) == key)
    #expect(try SetupFile.read(usual.provider.certificate) == usual.provider.identity().certificate.pem)
  }

  @Test(arguments: ["", "a..b", "a b", "DNS:x,IP:1.2.3.4", "-\u{1B}[2J", "[::1]", "a.*.b"])
  func `what is no name of a server is not taken for one`(name: String) {
    #expect(!CertificateTemplate.isServerName(name))
  }

  @Test
  func `the first start makes everything and later starts change nothing`() throws {
    let home = try TemporaryDirectory()
    let path = home.file("deep/certs")
    let first = try PKIDirectory.prepare(path)
    #expect(first.notes.isEmpty)
    let names = SetupFile.names(in: path).filter { $0 != ".lock" }
    #expect(names == Self.names)
    let before = try names.map { try SetupFile.read(path + "/" + $0) }
    _ = try PKIDirectory.prepare(path)
    #expect(try names.map { try SetupFile.read(path + "/" + $0) } == before)
    for name in names
    where name.hasSuffix(".key") || name.hasSuffix(".p8") || name.hasSuffix(".p12")
      || name.contains("combined")
    {
      #expect(try home.mode("deep/certs/" + name) == 0o600, "\(name)")
    }
  }

  @Test
  func `the certificates look like Apple's and outlive the decade`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    let provider = try PeerCertificate(file: directory.provider.certificate)
    #expect(
      provider.subject == "CN=Apple Production IOS Push Services: com.example.app,UID=com.example.app"
    )
    #expect(provider.isProduction && !provider.isDevelopment)
    #expect(provider.kind == .provider)
    let sandbox = try PeerCertificate(file: directory.sandboxProvider.certificate)
    #expect(sandbox.commonName == "Apple Development IOS Push Services: com.example.app")
    #expect(sandbox.isDevelopment && !sandbox.isProduction)
    let device = try PeerCertificate(file: directory.device.certificate)
    #expect(device.kind == .device)
    for record in try directory.list() {
      let certificate = try #require(record.certificate)
      #expect(certificate.notAfter > UnixTime.now + CertificateTemplate.years(19))
      #expect(certificate.notBefore < UnixTime.now)
    }
  }

  @Test
  func `many first starts at once end with one set that fits together`() async throws {
    let home = try TemporaryDirectory()
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 {
        group.addTask { try PKIDirectory.prepare(home.path).provider.identity().certificate.der }
      }
      var seen: Set<[UInt8]> = []
      for try await der in group { seen.insert(der) }
      #expect(seen.count == 1)
    }
    _ = try PKIDirectory.prepare(home.path)
  }

  @Test
  func `a missing file is made again without touching the others`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    let server = try home.read("server.pem")
    let key = try home.read("provider.key")
    for name in ["provider.pem", "provider.p12", "crl.pem", "device.key", "token.key"] {
      try home.remove(name)
    }
    _ = try PKIDirectory.prepare(home.path)
    #expect(try home.read("server.pem") == server)
    #expect(try home.read("provider.key") == key)
    _ = try directory.provider.identity()
    #expect(
      try PKCS12File.read(directory.provider.pkcs12, password: "apnsim").certificate.der
        == directory.provider.identity().certificate.der
    )
    _ = try directory.device.identity()
    #expect(try directory.tokenKey().count == 64)
  }

  @Test
  func `a certificate with less than ten years left is renewed with its key`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    let authority = try directory.authority()
    let key = try directory.provider.identity().key
    var template = CertificateTemplate.provider(
      topics: [.init(name: "com.example.app")],
      environments: .production
    )
    template.notAfter = UnixTime.now + CertificateTemplate.years(9)
    try home.write("provider.pem", try authority.sign(template, for: key).pem)
    let keyBefore = try home.read("provider.key")
    _ = try PKIDirectory.prepare(home.path)
    let renewed = try PeerCertificate(file: directory.provider.certificate)
    #expect(renewed.notAfter > UnixTime.now + CertificateTemplate.years(19))
    #expect(renewed.userID == "com.example.app")
    #expect(try home.read("provider.key") == keyBefore)
    #expect(
      try PKCS12File.read(directory.provider.pkcs12, password: "apnsim").certificate.serial
        == renewed.serial
    )
  }

  @Test
  func `a new CA renews the certificates of the old one`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    try home.remove("ca.pem")
    try home.remove("ca.key")
    _ = try PKIDirectory.prepare(home.path)
    let authority = try directory.authority()
    #expect(try directory.server.identity().certificate.isSigned(by: authority.certificate))
    #expect(try directory.currentRevocationList(authority.certificate) != nil)
  }

  @Test
  func `a certificate of somebody else's CA is used as it is`() throws {
    let home = try TemporaryDirectory()
    _ = try PKIDirectory.prepare(home.path)
    let foreign = try CertificateAuthority(
      key: .generate(.p256),
      template: CertificateTemplate(subject: [.init(nid: 13, value: "Corporate CA")], purpose: .authority)
    )
    let key = try PrivateKey.generate(.p256)
    let pem = try foreign.sign(.server(names: ["push.example.com"]), for: key).pem
    try home.write("server.pem", pem)
    try home.write("server.key", key.pem)
    let directory = try PKIDirectory.prepare(home.path)
    #expect(try home.read("server.pem") == pem)
    #expect(try directory.list().first { $0.name == "server.pem" }?.isOfThisAuthority == false)
  }

  @Test
  func `what somebody put there keeps its chain, and packages have it too`() throws {
    let home = try TemporaryDirectory()
    let (rootKey, middleKey, key) = (
      try PrivateKey.generate(.p256), try PrivateKey.generate(.p256), try PrivateKey.generate(.p256)
    )
    let template = CertificateTemplate(subject: [.init(nid: 13, value: "Corporate CA")], purpose: .authority)
    let root = try CertificateAuthority(key: rootKey, template: template)
    let middle = try root.sign(.authority(name: "Corporate Middle"), for: middleKey)
    let signer = CertificateAuthority(certificate: middle, key: middleKey)
    let provider = try signer.sign(
      .provider(topics: [.init(name: "a.b")], environments: .production),
      for: key
    )
    let pem = provider.pem + middle.pem
    try home.write("provider.pem", pem)
    try home.write("provider.key", key.pem)
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    #expect(try home.read("provider.pem") == pem && home.read("provider.key") == key.pem)
    #expect(try home.read("provider-combined.pem") == pem + key.pem)
    #expect(try directory.export("provider", as: .pem) == pem + key.pem)
    let packed = try PKCS12File.read(directory.provider.pkcs12, password: "apnsim")
    #expect(packed.certificate.serial == provider.serial && packed.chain.map(\.serial) == [middle.serial])
  }

  @Test
  func `renew leaves no old certificate without saying so`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    var request = PKIDirectory.Request(topic: "com.example.pw")
    request.password = "secret"
    let files = try directory.issue(request).files
    try home.remove("provider.p12")
    try home.write("device.key", "no key")
    let notes = try directory.renew().notes
    for renewed in [files, directory.provider] {
      let serial = try renewed.identity().certificate.serial
      #expect(try PEMFile.certificates(renewed.combined).first?.serial == serial)
    }
    for old in [
      files.pkcs12, files.legacyPKCS12, directory.provider.legacyPKCS12, directory.device.certificate,
    ] {
      #expect(notes.contains { $0.hasPrefix("\(old) ") }, "\(notes)")
    }
  }

  @Test
  func `renew gives everything new serial numbers and keeps keys, subjects and revocations`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    let issued = try directory.issue(.init(topic: "com.example.gone"))
    _ = try directory.revoke(issued.files.certificate)
    let before = try directory.list()
    let result = try directory.renew()
    let after = try directory.list()
    #expect(
      result.names == ["ca.pem", "device.pem", "provider-sandbox.pem", "provider.pem", "server.pem"]
    )
    for (old, new) in zip(before, after) {
      #expect(old.name == new.name && old.certificate?.subject == new.certificate?.subject)
      #expect(new.isOfThisAuthority)
      #expect((old.serial == new.serial) == (old.name == "com.example.gone.pem"))
    }
    #expect(after.first { $0.name == "com.example.gone.pem" }?.isRevoked == true)
    _ = try PKIDirectory.prepare(home.path)
  }
}
