import APNSimCore
import APNSimTestSupport
import Testing

@testable import apnsim

@Suite struct `Magic tokens` {
  @Test func `magic tokens are listed with 64 digits that the core knows again`() throws {
    let lines = MagicToken.examples.map { TokenLine($0) }
    #expect(Set(lines.map(\.token)).count == lines.count)
    #expect(
      lines.allSatisfy { $0.token.count == 64 && $0.token.hasPrefix("41504e53494d" + $0.kind + $0.code) }
    )
    #expect(Set(lines.map(\.kind)) == ["e0", "e1", "d0", "d1", "0f", "fb", "1a"])
  }

  @Test func `magic tokens are printed for people and programs`() async throws {
    let folder = try TemporaryDirectory()
    let table = try await Binary.run(["tokens"], in: folder)
    #expect(
      table.output.contains(
        "41504e53494de008" + String(repeating: "0", count: 48) + "  refused with status 8"
      )
    )
    let unregistered =
      "41504e53494de11a" + String(repeating: "0", count: 48) + "  over HTTP/2 410 Unregistered"
    #expect(table.output.contains(unregistered))
    let json = try await Binary.run(["tokens", "--json"], in: folder)
    #expect(json.output.hasPrefix(#"[{"code":"01","kind":"e0","meaning":"refused with status 1"#))
  }
}
