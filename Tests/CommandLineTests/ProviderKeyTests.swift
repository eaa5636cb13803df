import APNSimTLS
import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Keys of provider tokens on the command line` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func certs(_ arguments: String...) async throws -> Binary.Result {
    try await Binary.run(["certs"] + arguments, in: folder)
  }

  /// The header and the claims of a token.
  private func parts(_ token: String) -> [String] {
    token.split(separator: ".").prefix(2).map { part in
      var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
      while text.count % 4 != 0 { text += "=" }
      return Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  @Test func `keys of provider tokens are made, and sign tokens`() async throws {
    #expect(try await certs("jwt").status == 78)
    #expect(try await certs("init", "--key-type", "ec").status == 0)
    let usual = try await certs("jwt", "--issued-at", "2026-06-01T00:00:00Z").output
    #expect(usual.split(separator: ".").count == 3)
    #expect(
      parts(usual) == [
        #"{"alg":"ES256","kid":"APNSIMKEY1"}"#, #"{"iss":"APNSIMTEAM","iat":1780272000}"#,
      ]
    )
    let made = try await certs("key", "--team", "OTHERTEAM1", "--environment", "sandbox", "--topic", "a.b")
    let path = made.output.trimmingCharacters(in: .newlines)
    let id = try #require(PKIDirectory.providerKeyID(ofFile: path))
    let record = try String(contentsOfFile: folder.file("certs/AuthKey_\(id).json"), encoding: .utf8)
    #expect(record == #"{"team":"OTHERTEAM1","environment":"sandbox","topics":["a.b"]}"# + "\n")
    for key in [id, path] {
      let token = try await certs("jwt", "--key", key, "--team", "OTHERTEAM1").output
      #expect(parts(token)[0].contains(id) && parts(token)[1].contains("OTHERTEAM1"))
    }
    let unknown = try await certs("jwt", "--key", "NOBODYS001")
    #expect(unknown.status == 78 && unknown.errors.contains("APNSIMKEY1"))
  }

  @Test(arguments: [
    ["key", "--topic", "a.b"], ["key", "--team", "A B"], ["key", "--environment", "both"],
    ["jwt", "--issued-at", "yesterday"],
  ])
  func `keys that cannot be made are a matter of usage`(arguments: [String]) async throws {
    #expect(try await Binary.run(["certs"] + arguments, in: folder).status == 64)
  }

  @Test func `another one under an identifier that is taken is a bad configuration`() async throws {
    #expect(try await certs("init", "--key-type", "ec").status == 0)
    try FileManager.default.createDirectory(atPath: folder.file("other"), withIntermediateDirectories: false)
    let other = folder.file("other/AuthKey_APNSIMKEY1.p8")
    try Data(ProviderKey.generate().pem).write(to: URL(fileURLWithPath: other))
    func serve(_ key: String) async throws -> Binary.Result {
      try await Binary.run(["serve", "--ephemeral", "--auth-key", key], in: folder)
    }
    let taken = try await serve(other)
    #expect(
      taken.status == 78 && taken.errors.contains("another key than the one that is known as APNSIMKEY1")
    )
    let unnamed = try await serve("certs/provider.key")
    #expect(unnamed.status == 78 && unnamed.errors.contains("AuthKey_<ID>.p8"))
    #expect(try await serve("certs/AuthKey_NONE.p8").status == 78)
    // The same one twice is one.
    let server = try await RunningServer.start(
      [
        "--certs", "certs", "--auth-key", "certs/AuthKey_APNSIMKEY1.p8", "--auth-key",
        "certs/AuthKey_APNSIMKEY1.p8:TEAM000001",
      ],
      in: folder
    )
    #expect(try await server.stop() == 0)
  }
}
