import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct IssuingTests {
  private let home: TemporaryDirectory
  private let directory: PKIDirectory

  init() throws {
    home = try TemporaryDirectory()
    directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
  }

  @Test
  func `a certificate for a topic lands in the directory, or where it is asked for`() async throws {
    let inside = try directory.issue(.init(topic: "com.example.news", environments: .sandbox))
    #expect(inside.files.certificate == home.file("com.example.news-sandbox.pem"))
    #expect(inside.certificate.isDevelopment && inside.notes.isEmpty)
    var request = PKIDirectory.Request(topic: "com.example.news", environments: .both)
    request.prefix = home.file("mine")
    request.password = "other"
    request.algorithm = .p256
    let asked = try directory.issue(request)
    #expect(
      try PKCS12File.read(home.file("mine.p12"), password: "other").certificate.serial
        == asked.certificate.serial
    )
    #expect(asked.certificate.serial != inside.certificate.serial)
    let combined = try TLSIdentity(
      certificateFile: asked.files.combined,
      keyFile: asked.files.combined
    )
    #expect(combined.certificate.serial == asked.certificate.serial)
    let verified = try await OpenSSLTool.run(
      ["verify", "-purpose", "sslclient", "-CAfile", directory.caFile, asked.files.certificate])
    #expect(verified.status == 0, "\(verified.text)")
  }

  @Test(arguments: ["./", "//", "/../CERTS/", "/./"])
  func `the directory's own files are not replaced, however the way to them is written`(way: String) throws {
    let own = try SetupFile.read(directory.caFile)
    let folder = home.path.split(separator: "/").last.map { String($0) } ?? ""
    let place = way == "./" ? "/./" : way.replacing("CERTS", with: folder)
    for (name, opened) in [("ca", directory), ("server", PKIDirectory(path: home.path + "/"))] {
      var request = PKIDirectory.Request(topic: "com.example.x")
      request.algorithm = .p256
      request.prefix = home.path + place + name
      #expect(throws: TLSSetupError.self) { try opened.issue(request) }
    }
    #expect(try SetupFile.read(directory.caFile) == own)
  }

  @Test
  func `one of many at once who want what is missing makes it, and all find it whole`() async throws {
    let request = PKIDirectory.Request(device: "race")
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let issued = try directory.issueIfMissing(request)
          // The key is the certificate's.
          _ = try directory.files(of: request).identity()
          return issued != nil
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
  }

  @Test
  func `many at once who issue for one name leave files that belong together`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var request = PKIDirectory.Request(topic: "com.example.race")
          request.algorithm = .p256
          _ = try directory.issue(request)
        }
      }
      try await group.waitForAll()
    }
    let files = directory.files(of: .init(topic: "com.example.race"))
    let serial = try files.identity().certificate.serial
    #expect(try PEMFile.certificates(files.combined).first?.serial == serial)
    #expect(try PKCS12File.read(files.pkcs12, password: "apnsim").certificate.serial == serial)
  }

  @Test
  func `nobody's certificate is replaced by another's whose name makes the same file name`() throws {
    let first = try directory.issue(.init(device: "living room"))
    let refused = #expect(throws: TLSSetupError.self) { try directory.issue(.init(device: "living_room")) }
    #expect(refused?.reason.contains("CN=living room") == true, "\(refused?.reason ?? "")")
    let again = try directory.issue(.init(device: "living room"))
    #expect(again.files == first.files && again.certificate.serial != first.certificate.serial)
    var elsewhere = PKIDirectory.Request(device: "living_room")
    elsewhere.prefix = home.file("other")
    _ = try directory.issue(elsewhere)
  }

  @Test
  func `several topics go into the extension`() throws {
    let issued = try directory.issue(
      .init(
        .provider(
          topics: [.init(name: "com.example.app"), .init(name: "com.example.app.voip", kind: "voip")],
          environments: .both
        )
      )
    )
    #expect(issued.certificate.topicNames == ["com.example.app", "com.example.app.voip"])
    #expect(issued.certificate.userID == "com.example.app")
  }

  @Test
  func `a name that takes two units of UTF-16 is in the certificate, and whole in its packages but for that`()
    throws
  {
    let directory = try PKIDirectory.prepare(try TemporaryDirectory().path, algorithm: .p256)
    let issued = try directory.issue(.init(device: "bob 😀"))
    #expect(try PeerCertificate(file: issued.files.certificate).commonName == "bob 😀")
    let packaged = try PKCS12File.read(issued.files.pkcs12, password: PKIDirectory.defaultPassword)
    #expect(PeerCertificate(packaged.certificate).commonName == "bob 😀")
  }

  @Test
  func `a device gets a certificate of its own kind`() throws {
    var request = PKIDirectory.Request(.device(name: "alice"))
    request.algorithm = .p256
    let issued = try directory.issue(request)
    #expect(issued.certificate.kind == .device)
    #expect(issued.files.certificate == home.file("device-alice.pem"))
  }

  @Test
  func `names that would overwrite the CA or leave the directory do not`() throws {
    #expect(throws: TLSSetupError.self) { try directory.issue(.init(topic: "ca")) }
    #expect(throws: TLSSetupError.self) { try directory.issue(.init(topic: "server")) }
    #expect(throws: TLSSetupError.self) { try directory.issue(.init(topic: "")) }
    #expect(throws: TLSSetupError.self) { try directory.issue(.init(topic: "a\nb")) }
    #expect(throws: TLSSetupError.self) {
      try directory.issue(.init(topic: String(repeating: "x", count: 256)))
    }
    let climbing = try directory.issue(.init(topic: "../../etc/passwd"))
    #expect(climbing.files.certificate == home.file("_._.._etc_passwd.pem"))
    #expect(climbing.certificate.userID == "../../etc/passwd")
  }

  @Test(arguments: [
    (
      PKIDirectory.Request.Holder.provider(topics: [.init(name: "a.b")], environments: .production),
      ["device", "server"]
    ),
    (.device(name: "phone"), ["provider", "provider-sandbox", "ca"]),
  ])
  func `nobody gets a name that is another's for everybody`(
    holder: PKIDirectory.Request.Holder,
    names: [String]
  ) throws {
    for name in names {
      var request = PKIDirectory.Request(holder)
      request.prefix = home.file(name)
      let error = #expect(throws: TLSSetupError.self) { try directory.issue(request) }
      #expect(error?.reason == "this name belongs to the directory itself")
    }
    #expect(try directory.list().map(\.role) == [.authority, .device, .provider, .provider, .server])
  }

  @Test
  func `the list tells role, topic, environment, expiry and revocation`() throws {
    let records = try directory.list()
    #expect(
      records.map(\.name) == ["ca.pem", "device.pem", "provider-sandbox.pem", "provider.pem", "server.pem"]
    )
    #expect(records.map(\.role) == [.authority, .device, .provider, .provider, .server])
    #expect(records.allSatisfy { $0.hasKey && $0.isOfThisAuthority && !$0.isRevoked })
    _ = try directory.revoke(directory.provider.certificate)
    #expect(try directory.list().filter(\.isRevoked).map(\.name) == ["provider.pem"])
  }

  @Test
  func `export gives every form`() async throws {
    #expect(try directory.export("provider", as: .pem) == home.read("provider-combined.pem"))
    #expect(try directory.export("ca.pem", as: .certificate) == home.read("ca.pem"))
    let der = try directory.export("ca", as: .der)
    #expect(PeerCertificate(der: der)?.commonName == "apnsim CA")
    try directory.export("provider", as: .p12, password: "pw", to: home.file("out.p12"))
    #expect(try PKCS12File.read(home.file("out.p12"), password: "pw").key.pem == home.read("provider.key"))
    #expect(try home.mode("out.p12") == 0o600)
    if LegacyProvider.isAvailable {
      try directory.export("provider", as: .legacyP12, password: "pw", to: home.file("old.p12"))
      _ = try PKCS12File.read(home.file("old.p12"), password: "pw")
    }
    #expect(throws: TLSSetupError.self) { try directory.export("nobody", as: .pem) }
  }
}
