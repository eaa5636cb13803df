import APNSimTestSupport
import NIOCore
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct OldClientTests {
  @Test(arguments: ["-tls1", "-tls1_1", "-tls1_2"])
  func `openssl s_client echoes with a certificate in old and new versions`(version: String) async throws {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path)
    let files = directory.server
    let context = try Contexts.server(
      identity: .files(certificate: files.certificate, key: files.key),
      trust: directory.trust
    )
    let server = try await TestServer.start(context)
    async let output = OpenSSLTool.run(
      [
        "s_client", "-connect", "127.0.0.1:\(server.port)", version, "-cipher", "ALL:@SECLEVEL=0", "-CAfile",
        directory.caFile, "-cert", directory.provider.certificate, "-key", directory.provider.key,
        "-verify_return_error", "-ign_eof", "-servername", "127.0.0.1",
      ],
      input: "hello\n"
    )
    let accepted = try await server.accept()
    try await accepted.handshake()
    #expect(try await accepted.data(6) == Array("hello\n".utf8))
    try await accepted.channel.close()
    let text = try await output.text
    #expect(text.contains("Verify return code: 0 (ok)"))
    #expect(text.contains("\nhello\n"))
  }

  @Test(arguments: ["other.test", "localhost"])
  func `a client that looks for another name is told the names, not to take the CA`(name: String) async throws
  {
    let home = try TemporaryDirectory()
    let directory = try PKIDirectory.prepare(home.path, algorithm: .p256)
    let context = try Contexts.server(
      identity: .memory(try directory.server.identity()),
      trust: directory.trust
    )
    let server = try await TestServer.start(context)
    async let output = OpenSSLTool.run([
      "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-CAfile", directory.caFile, "-cert",
      directory.provider.certificate, "-key", directory.provider.key, "-verify_return_error", "-servername",
      name,
      "-verify_hostname", name, "-verify_depth", "4",
    ])
    let accepted = try await server.accept()
    if name == "localhost" {
      try await accepted.handshake()
      try await accepted.channel.close()
    } else {
      let reason = try await accepted.failure().reason
      #expect(
        reason.contains("it looks for other.test, and this server's certificate is for localhost, 127.0.0.1")
      )
      #expect(reason.contains("--server-name other.test adds the name") && !reason.contains("give it"))
    }
    _ = try await output
  }

  @Test(arguments: [
    "AES128-SHA", "DHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA", "CAMELLIA128-SHA", "AES128-GCM-SHA256",
  ])
  func `ciphers of the time are spoken`(cipher: String) async throws {
    let server = try await TestServer.start(try Contexts.server())
    let client = try await server.connect(
      try Contexts.client { $0.cipherList = cipher + ":@SECLEVEL=0" }
    )
    #expect(try await client.handshake().cipher == cipher)
    #expect(try await server.accept().handshake().cipher == cipher)
  }

  @Test(arguments: [TLSVersion.v1_0, .v1_2])
  func `a client certificate with 1024 bits and SHA-1 is accepted`(version: TLSVersion) async throws {
    let home = try TemporaryDirectory()
    let authority = TestPKI.shared.authority
    try home.write("ca.pem", authority.certificate.pem)
    try home.write("ca.key", authority.key.pem)
    let request = try await OpenSSLTool.run([
      "req", "-new", "-newkey", "rsa:1024", "-nodes", "-sha1", "-subj", "/UID=com.example.2010/CN=old",
      "-keyout", home.file("old.key"), "-out", home.file("old.csr"),
    ])
    #expect(request.status == 0, "\(request.text)")
    let signed = try await OpenSSLTool.run([
      "x509", "-req", "-sha1", "-in", home.file("old.csr"), "-CA", home.file("ca.pem"), "-CAkey",
      home.file("ca.key"), "-CAcreateserial", "-days", "30", "-out", home.file("old.pem"),
    ])
    #expect(signed.status == 0, "\(signed.text)")
    let identity = try TLSIdentity(
      certificateFile: home.file("old.pem"),
      keyFile: home.file("old.key")
    )
    let server = try await TestServer.start(try Contexts.server())
    let client = try await server.connect(try Contexts.client(identity) { $0.maximum = version })
    try await client.handshake()
    #expect(try await server.accept().handshake().peer?.userID == "com.example.2010")
  }
}
