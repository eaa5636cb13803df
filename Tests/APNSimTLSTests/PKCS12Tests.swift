import APNSimTestSupport
import Testing

@testable import APNSimTLS

@Suite(.mustNotHang)
struct PKCS12Tests {
  private func write(_ encryption: PKCS12File.Encryption, to home: TemporaryDirectory) throws -> String {
    let bytes = try PKCS12File.make(
      TestPKI.shared.provider,
      name: "Apple Production IOS Push Services: com.example.app",
      password: "secret",
      encryption: encryption
    )
    return try home.write("provider.p12", bytes)
  }

  @Test
  func `openssl opens today's encryption`() async throws {
    let home = try TemporaryDirectory()
    let file = try write(.today, to: home)
    let output = try await OpenSSLTool.run([
      "pkcs12", "-in", file, "-passin", "pass:secret", "-info", "-nodes",
    ])
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("AES-256-CBC") && output.text.contains("BEGIN PRIVATE KEY"))
    #expect(output.text.contains("friendlyName: Apple Production IOS Push Services: com.example.app"))
  }

  @Test(.enabled(if: LegacyProvider.isAvailable))
  func `openssl opens the legacy encryption only as such`() async throws {
    let home = try TemporaryDirectory()
    let file = try write(.legacy, to: home)
    let arguments = ["pkcs12", "-in", file, "-passin", "pass:secret", "-info", "-nodes"]
    let output = try await OpenSSLTool.run(arguments + ["-legacy"])
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("RC2") && output.text.contains("3-KeyTripleDES"))
    #expect(output.text.contains("MAC: sha1"))
    #expect(try await OpenSSLTool.run(arguments).status != 0)
  }

  @Test(arguments: [PKCS12File.Encryption.today, .legacy])
  func `both encryptions are read back`(encryption: PKCS12File.Encryption) throws {
    if encryption == .legacy, !LegacyProvider.isAvailable { return }
    let home = try TemporaryDirectory()
    let identity = try PKCS12File.read(try write(encryption, to: home), password: "secret")
    #expect(identity.certificate.der == TestPKI.shared.provider.certificate.der)
    #expect(identity.certificate.matches(identity.key))
  }

  @Test
  func `a wrong password and a file that is no PKCS#12 are told apart`() throws {
    let home = try TemporaryDirectory()
    let file = try write(.today, to: home)
    #expect {
      try PKCS12File.read(file, password: "wrong")
    } throws: {
      "\($0)" == "\(file): wrong password for this PKCS#12 file"
    }
    let pem = try home.write("x.p12", TestPKI.shared.provider.certificate.pem)
    #expect {
      try PKCS12File.read(pem, password: "")
    } throws: {
      "\($0)" == "\(pem): expected PKCS#12, found \"BEGIN CERTIFICATE\""
    }
  }

  @Test(arguments: ["replaced", "encoded", "line ends", "line feeds", "cut"])
  func `what a program for text did to it is called by name`(damage: String) throws {
    let home = try TemporaryDirectory()
    // The bytes of keys are random: there must be line feeds, and none after a carriage return.
    var good: [UInt8] = []
    repeat {
      good = try SetupFile.read(try write(.today, to: home))
    } while !good.contains(0x0A)
      || zip(good, good.dropFirst()).contains { $0 == 0x0D && $1 == 0x0A }
    let (bytes, reason): ([UInt8], String) =
      switch damage {
      case "replaced":
        (Array(String(decoding: good, as: UTF8.self).utf8), "has replaced the bytes that are not text")
      case "encoded": (good.flatMap { Array(String(UnicodeScalar($0)).utf8) }, "written them as UTF-8")
      case "line ends": (good.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }, "has converted line ends in it")
      case "line feeds":
        (good.prefix(good.count / 2) + [0x0D, 0x0A] + good.dropFirst(good.count / 2), "says that it has")
      default: (good.dropLast(), "it ends after \(good.count - 1) of \(good.count) bytes")
      }
    let file = try home.write("damaged.p12", bytes)
    #expect {
      try PKCS12File.read(file, password: "secret")
    } throws: {
      "\($0)".hasPrefix("\(file): the PKCS#12 file is damaged: ") && "\($0)".contains(reason)
    }
  }

  @Test
  func `damaged PKCS#12 is refused, never a trap`() throws {
    let home = try TemporaryDirectory()
    let good = try SetupFile.read(try write(.today, to: home))
    var random = SplitMix(seed: 3)
    var refused = 0
    for index in 0..<100 {
      var bytes = good
      bytes[Int(random.next() % 200)] ^= UInt8(truncatingIfNeeded: random.next() | 1)
      let file = try home.write("\(index).p12", bytes)
      do { _ = try PKCS12File.read(file, password: "secret") } catch { refused += 1 }
    }
    // A byte may change without saying anything else, such as the form of a length.
    #expect(refused > 90)
  }
}
