import APNSimTestSupport
import Foundation
import Synchronization
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct RevocationTests {
  private struct Setting {
    let home: TemporaryDirectory
    let directory: PKIDirectory
    let server: TestServer
    let warnings: Warnings

    func connect(_ identity: TLSIdentity) async throws -> (client: Peer, accepted: Peer) {
      let context = try Contexts.client(identity, trust: .authority(caFiles: [directory.caFile]))
      return (try await server.connect(context), try await server.accept())
    }
  }

  private final class Warnings: Sendable {
    let lines = Mutex<[String]>([])
  }

  private func setting() async throws -> Setting {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let warnings = Warnings()
    let files = directory.server
    let context = try Contexts.server(
      identity: .files(certificate: files.certificate, key: files.key),
      trust: directory.trust
    ) { $0.warn = { line in warnings.lines.withLock { $0.append(line) } } }
    let server = try await TestServer.start(context)
    return Setting(home: home, directory: directory, server: server, warnings: warnings)
  }

  @Test
  func `a revocation is picked up without a restart, for that certificate only`() async throws {
    let setting = try await setting()
    let issued = try setting.directory.issue(.init(topic: "com.example.bad"))
    let bad = try issued.files.identity()
    let good = try setting.directory.provider.identity()
    for identity in [bad, good] { try await setting.connect(identity).client.handshake() }
    let revoked = try setting.directory.revoke(issued.files.pkcs12)
    #expect(revoked.certificate.userID == "com.example.bad" && !revoked.wasRevoked)
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    try await setting.connect(good).client.handshake()
    #expect(try setting.directory.revoke(issued.files.certificate).wasRevoked)
  }

  @Test func `the simulator's own certificates cannot be revoked`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    for (file, reason) in [
      (directory.caFile, "is the CA itself"), (directory.server.certificate, "is the simulator's own"),
    ] {
      let error = #expect(throws: TLSSetupError.self) { try directory.revoke(file) }
      #expect(error?.reason.hasPrefix(reason) == true)
    }
    #expect(try directory.list().allSatisfy { !$0.isRevoked })
  }

  @Test
  func `a copy from before a renewal is revoked with what has its name, and a file of any name is known`()
    throws
  {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let issued = try directory.issue(.init(topic: "com.example.bad"))
    let old = try SetupFile.read(issued.files.combined)
    _ = try directory.renew()
    try SetupFile.write(old, to: issued.files.combined, mode: 0o600)
    let copy = try home.write("copy.PFX", try SetupFile.read(issued.files.pkcs12))
    let renewed = try issued.files.identity().certificate.serial
    #expect(try !directory.revoke(issued.files.certificate).wasRevoked)
    let list = try #require(try PEMFile.revocationLists(directory.crlFile).first)
    #expect(
      Set(list.serials) == [issued.certificate.serial, renewed] && renewed != issued.certificate.serial
    )
    #expect(try directory.revoke(copy).wasRevoked)
  }

  @Test
  func `the list grows, its number with it, and old entries stay`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    var serials: [String] = []
    for index in 1...3 {
      let issued = try directory.issue(.init(topic: "com.example.app\(index)"))
      serials.append(issued.certificate.serial)
      _ = try directory.revoke(issued.files.certificate)
      let list = try #require(try PEMFile.revocationLists(directory.crlFile).first)
      #expect(Set(list.serials) == Set(serials))
      #expect(list.number == index + 1)
    }
    try home.remove("com.example.app2.pem")
    let records = try directory.list()
    #expect(records.filter(\.isRevoked).count == 3)
    #expect(records.first { $0.name == nil }?.serial == serials[1])
  }

  @Test
  func `the last good list stays in force while the list is damaged, with one warning`() async throws {
    let setting = try await setting()
    let issued = try setting.directory.issue(.init(topic: "com.example.bad"))
    _ = try setting.directory.revoke(issued.files.certificate)
    let bad = try issued.files.identity()
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    try setting.home.write("crl.pem", Array("nonsense".utf8))
    for _ in 0..<2 {
      #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    }
    let lines = setting.warnings.lines.withLock { $0 }
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains("crl.pem: expected a PEM revocation list (X509 CRL), found 8 bytes") == true
    )
  }

  @Test
  func `files that could not be read are tried again after a second, though they look the same`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let warnings = Warnings()
    let store = try TrustStore(caFiles: [directory.caFile], crlFiles: [directory.crlFile]) { line in
      warnings.lines.withLock { $0.append(line) }
    }
    let list = try directory.authority().revocationList(adding: ["1234"]).pem
    let first = store.current()
    // In place, and with one time of change.
    func write(_ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: directory.crlFile))
      let date = Date(timeIntervalSince1970: 1_400_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: directory.crlFile)
    }
    try write([UInt8](repeating: 0x78, count: list.count))
    let stamp = SetupFile.stamp(directory.crlFile)
    let now = ContinuousClock.now
    #expect(store.current(at: now) === first)
    #expect(store.current(at: now + .seconds(1)) === first)
    try write(list)
    #expect(SetupFile.stamp(directory.crlFile) == stamp)
    #expect(store.current(at: now + .milliseconds(1999)) === first)
    let second = store.current(at: now + .seconds(2))
    #expect(second !== first)
    #expect(store.current(at: now + .seconds(9)) === second)
    #expect(warnings.lines.withLock { $0.count } == 1)
  }

  @Test
  func `a pipe is read once, and not waited for when it is written to again`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let pipe = home.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let authorities = try [UInt8](Data(contentsOf: URL(fileURLWithPath: directory.caFile)))
    let writer = Thread { try? Data(authorities).write(to: URL(fileURLWithPath: pipe)) }
    writer.start()
    let store = try TrustStore(caFiles: [pipe], crlFiles: []) { _ in }
    let first = store.current()
    let end = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(end) }
    try #require(write(end, "x", 1) == 1)
    #expect(store.current() === first)
  }

  @Test
  func `what was read from a pipe at start holds when another file changes`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let pipe = home.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let authorities = try [UInt8](Data(contentsOf: URL(fileURLWithPath: directory.caFile)))
    let writer = Thread { try? Data(authorities).write(to: URL(fileURLWithPath: pipe)) }
    writer.start()
    let warnings = Warnings()
    let store = try TrustStore(caFiles: [pipe], crlFiles: [directory.crlFile]) { line in
      warnings.lines.withLock { $0.append(line) }
    }
    let first = store.current()
    try home.write("crl.pem", try directory.authority().revocationList(adding: ["1234"]).pem)
    let second = store.current()
    #expect(second !== first)
    try home.remove("pipe")
    #expect(store.current() === second)
    #expect(warnings.lines.withLock { $0.isEmpty })
  }

  @Test
  func `a pipe in the place of the list is refused without waiting, and the last good list stays in force`()
    async throws
  {
    let setting = try await setting()
    let issued = try setting.directory.issue(.init(topic: "com.example.bad"))
    _ = try setting.directory.revoke(issued.files.certificate)
    let (bad, good) = (try issued.files.identity(), try setting.directory.provider.identity())
    // The list is read when the next connection comes.
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    try setting.home.remove("crl.pem")
    try #require(mkfifo(setting.directory.crlFile, 0o600) == 0)
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    try await setting.connect(good).client.handshake()
    #expect(
      setting.warnings.lines.withLock { $0 } == [
        "\(setting.directory.crlFile): is not a regular file, and only regular files are read again while "
          + "apnsim runs; the previous state stays in force"
      ]
    )
  }

  @Test
  func `a list with a wrong signature leaves the previous one in force`() async throws {
    let setting = try await setting()
    let issued = try setting.directory.issue(.init(topic: "com.example.bad"))
    _ = try setting.directory.revoke(issued.files.certificate)
    let (bad, good) = (try issued.files.identity(), try setting.directory.provider.identity())
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    let text = String(decoding: try setting.home.read("crl.pem"), as: UTF8.self)
    let digits = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    var list = [UInt8](try #require(Data(base64Encoded: digits)))
    list[list.count - 1] ^= 1
    try setting.home.write("crl.pem", list)
    #expect(try await setting.connect(bad).client.failure().alertReceived == .certificateRevoked)
    try await setting.connect(good).client.handshake()
    let lines = setting.warnings.lines.withLock { $0 }
    #expect(lines.count == 1 && lines.first?.contains("wrong signature") == true)
  }

  @Test
  func `a revocation keeps the lists of other CAs in the file`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let other = try CertificateAuthority(key: TestPKI.shared.spareKey, template: .authority(name: "other"))
    let foreign = try other.revocationList(adding: ["1234"]).pem
    try home.write("crl.pem", foreign + home.read("crl.pem"))
    let issued = try directory.issue(.init(topic: "com.example.bad"))
    #expect(try !directory.revoke(issued.files.certificate).wasRevoked)
    let serials = Set(try PEMFile.revocationLists(directory.crlFile).flatMap(\.serials))
    #expect(serials == ["1234", issued.certificate.serial])
    // A file without a list of ours gets one, beside what it has.
    try home.write("crl.pem", foreign)
    _ = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let lists = try PEMFile.revocationLists(directory.crlFile)
    #expect(lists.count == 2 && lists.contains { $0.serials == ["1234"] })
  }

  @Test
  func `a CA without a list has revoked nothing`() async throws {
    let home = try TemporaryDirectory()
    let other = try CertificateAuthority(key: TestPKI.shared.spareKey, template: .authority(name: "other"))
    let list = try home.write("other-crl.pem", try other.revocationList().pem)
    let context = try Contexts.server(trust: .authority(caFiles: [try Contexts.caFile()], crlFiles: [list]))
    let server = try await TestServer.start(context)
    try await server.connect(try Contexts.client()).handshake()
  }

  @Test
  func `only certificates of this CA can be revoked, and not the CA`() throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let foreign = try home.write("foreign.pem", TestPKI.shared.provider.certificate.pem)
    #expect { try directory.revoke(foreign) } throws: { "\($0)".contains("is not signed by") }
    #expect { try directory.revoke(directory.caFile) } throws: { "\($0)".contains("is the CA itself") }
  }

  @Test
  func `openssl verify agrees about a revoked certificate`() async throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let arguments = [
      "verify", "-crl_check", "-CAfile", directory.caFile, "-CRLfile", directory.crlFile,
      directory.provider.certificate,
    ]
    #expect(try await OpenSSLTool.run(arguments).status == 0)
    _ = try directory.revoke(directory.provider.certificate)
    let output = try await OpenSSLTool.run(arguments)
    #expect(output.status != 0 && output.text.contains("certificate revoked"))
  }
}
