import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Certificates on the command line` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `certificates on the command line are made, issued, listed, revoked and exported`() async throws
  {
    func run(_ arguments: String...) async throws -> Binary.Result {
      try await Binary.run(["certs"] + arguments, in: folder)
    }
    #expect(try await run("init", "--key-type", "ec").status == 0)
    let issued = try await run(
      "issue",
      "com.example.game",
      "com.example.game.voip",
      "--key-type",
      "ec",
      "-o",
      "game"
    )
    #expect(issued.status == 0)
    for ending in ["pem", "key", "p12"] {
      try FileManager.default.removeItem(atPath: folder.file("certs/provider.\(ending)"))
      try FileManager.default.copyItem(
        atPath: folder.file("game.\(ending)"),
        toPath: folder.file("certs/provider.\(ending)")
      )
    }
    #expect(try await run("init").output.contains("com.example.game, com.example.game.voip\n"))
    #expect(issued.output.hasPrefix("game.pem\ngame.key\ngame-combined.pem\ngame.p12\n"))
    #expect(
      try await run("issue", "com.example.other", "--environment", "sandbox", "--key-type", "ec").status == 0
    )

    let revoked = try await run("revoke", "certs/com.example.other-sandbox.pem")
    #expect(revoked.output.hasPrefix("revoked "))
    let listed = try await run("list", "--json")
    #expect(listed.output.contains(#""environment":"sandbox","file":"com.example.other-sandbox.pem""#))
    #expect(listed.output.components(separatedBy: #""revoked":true"#).count == 2)
    let table = try await run("list")
    #expect(table.output.contains("revoked"))

    let exported = try await run("export", "provider", "--format", "certificate")
    #expect(exported.output.hasPrefix("-----BEGIN CERTIFICATE-----"))
    #expect(try await run("export", "provider", "--format", "p12", "-o", "p.p12").output == "p.p12\n")
    #expect(FileManager.default.fileExists(atPath: folder.file("p.p12")))
    #expect(try await run("export", "nobody").status == 78)
    #expect(try await run("renew").status == 0)
  }

  @Test func `certificates on the command line are where APNSIM_CERTS says, unless a flag says otherwise`()
    async throws
  {
    func run(_ arguments: String..., place: String) async throws -> Int32 {
      try await Binary.run(["certs"] + arguments, in: folder, environment: ["APNSIM_CERTS": place]).status
    }
    let elsewhere = folder.file("elsewhere")
    #expect(try await run("init", "--key-type", "ec", place: elsewhere) == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("elsewhere/provider.pem")))
    #expect(!FileManager.default.fileExists(atPath: folder.file("certs")))
    #expect(try await run("list", place: elsewhere) == 0)
    #expect(try await run("list", "--certs", "nowhere", place: elsewhere) == 78)
    #expect(try await run("list", place: "") == 78)
  }

  @Test func `certificates on the command line are told in the help where they go`() async throws {
    let help = try await Binary.run(["certs", "issue", "--help"], in: folder).output
    for text in ["APNSIM_CERTS", "-sandbox", "-both"] { #expect(help.contains(text)) }
  }

  @Test func `a directory without a CA is named`() async throws {
    let result = try await Binary.run(["certs", "list", "--certs", "nowhere"], in: folder)
    #expect(result.status == 78)
    #expect(result.errors.contains("nowhere"))
  }
}
