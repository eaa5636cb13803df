import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct SetupErrorTests {
  private let home: TemporaryDirectory
  private let pki = TestPKI.shared

  init() throws { home = try TemporaryDirectory() }

  private func message(_ certificate: String, _ key: String, ca: String? = nil) throws -> String {
    let options = TLSServerOptions(
      identity: .files(certificate: certificate, key: key),
      trust: .authority(caFiles: [try ca ?? Contexts.caFile()], crlFiles: [])
    )
    do {
      _ = try TLSContext(server: options)
      return "no error"
    } catch {
      #expect(!error.isWriting)
      return error.description
    }
  }

  @Test
  func `a good pair is taken, also from one file and in DER`() throws {
    let certificate = try home.write("s.pem", pki.server.certificate.pem)
    let key = try home.write("s.key", pki.server.key.pem)
    #expect(try message(certificate, key) == "no error")
    let combined = try home.write("both.pem", pki.server.certificate.pem + pki.server.key.pem)
    #expect(try message(combined, combined) == "no error")
    let der = try home.write("s.der", pki.server.certificate.der)
    #expect(try message(der, key) == "no error")
  }

  @Test
  func `missing, empty and foreign files are named with the reason`() throws {
    let certificate = try home.write("s.pem", pki.server.certificate.pem)
    let key = try home.write("s.key", pki.server.key.pem)
    let missing = home.file("none.pem")
    #expect(try message(missing, key) == "\(missing): cannot be read: no such file or directory")
    #expect(try message(home.path, key) == "\(home.path): is a directory, expected a file")
    let empty = try home.write("empty.pem", [])
    #expect(try message(empty, key) == "\(empty): expected a PEM certificate, found an empty file")
    #expect(try message(key, key) == "\(key): expected a PEM certificate, found \"BEGIN PRIVATE KEY\"")
    #expect(
      try message(certificate, certificate)
        == "\(certificate): expected a PEM private key, found \"BEGIN CERTIFICATE\""
    )
    let noise = try home.write("noise.pem", Array("hello".utf8))
    #expect(try message(noise, key) == "\(noise): expected a PEM certificate, found 5 bytes that are not PEM")
    #expect(
      try message(certificate, key, ca: noise)
        == "\(noise): expected a PEM certificate, found 5 bytes that are not PEM"
    )
  }

  @Test
  func `a key of another certificate is refused`() throws {
    let certificate = try home.write("s.pem", pki.server.certificate.pem)
    let key = try home.write("p.key", pki.provider.key.pem)
    #expect(
      try message(certificate, key)
        == "\(key): the private key does not belong to the certificate \(certificate)"
    )
  }

  @Test
  func `a damaged certificate or key is called damaged`() throws {
    var text = String(decoding: pki.server.certificate.pem, as: UTF8.self)
    text.replace("MII", with: "!!!", maxReplacements: 1)
    let damaged = try home.write("bad.pem", Array(text.utf8))
    #expect(
      try message(damaged, damaged).hasPrefix("\(damaged): expected a PEM certificate, found a damaged one")
    )
    let certificate = try home.write("s.pem", pki.server.certificate.pem)
    let key = try home.write(
      "bad.key",
      Array(pki.server.key.pem.prefix(300)) + Array("\n-----END PRIVATE KEY-----\n".utf8)
    )
    #expect(try message(certificate, key).hasPrefix("\(key): the private key is cut"))
    let letters = String(decoding: pki.server.key.pem, as: UTF8.self).replacing(
      "M",
      with: "!",
      maxReplacements: 3
    )
    let other = try home.write("other.key", Array(letters.utf8))
    #expect(try message(certificate, other).hasPrefix("\(other): the private key is damaged"))
  }

  @Test
  func `an encrypted key needs its password`() async throws {
    let key = try home.write("s.key", pki.server.key.pem)
    let encrypted = home.file("e.key")
    let made = try await OpenSSLTool.run(
      ["pkcs8", "-topk8", "-in", key, "-out", encrypted, "-passout", "pass:secret"])
    #expect(made.status == 0, "\(made.text)")
    #expect { try PEMFile.privateKey(encrypted, password: nil) } throws: {
      "\($0)" == "\(encrypted): the private key is encrypted and no password was given"
    }
    #expect { try PEMFile.privateKey(encrypted, password: "wrong") } throws: {
      "\($0)" == "\(encrypted): the private key cannot be decrypted with the given password"
    }
    #expect(pki.server.certificate.matches(try PEMFile.privateKey(encrypted, password: "secret")))
  }

  @Test
  func `versions in the wrong order and no CA are settings errors`() {
    #expect { try Contexts.server { $0.minimum = .v1_3 } } throws: {
      "\($0)" == "the lowest TLS version (1.3) is above the highest (1.2)"
    }
    #expect(throws: TLSSetupError.self) { try Contexts.server(trust: .authority(caFiles: [], crlFiles: [])) }
    #expect(throws: TLSSetupError.self) { try Contexts.client { $0.cipherList = "NO-SUCH-CIPHER" } }
  }

  @Test
  func `files of the directory that are damaged stop the start and are not replaced`() throws {
    for name in ["ca.pem", "server.pem", "server.key", "crl.pem", "token.key", "device.key"] {
      let home = try TemporaryDirectory()
      _ = try PKIDirectory.prepare(home.path, algorithm: .p256)
      let noise = Array("not what it was".utf8)
      try home.write(name, noise)
      #expect {
        try PKIDirectory.prepare(home.path)
      } throws: {
        ($0 as? TLSSetupError)?.file == home.file(name)
      }
      #expect(try home.read(name) == noise)
    }
  }

  #if os(Linux)
    @Test
    func `a directory that cannot be made has the reason for that`() {
      #expect {
        try PKIDirectory.prepare("/sys/apnsim/certs")
      } throws: {
        !"\($0)".contains("no such file")
      }
    }
  #endif

  @Test
  func `a directory that cannot be written is an error of writing`() throws {
    let file = try home.write("file", [1])
    #expect { try PKIDirectory.prepare(file + "/certs") } throws: {
      ($0 as? TLSSetupError)?.isWriting == true
    }
    #expect { try PKIDirectory.prepare(file) } throws: { ($0 as? TLSSetupError)?.isWriting == true }
  }

  @Test
  func `an endless file is not read to its end`() {
    #expect { try SetupFile.read("/dev/zero") } throws: { "\($0)".contains("is larger than") }
  }
}
