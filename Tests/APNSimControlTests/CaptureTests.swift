import APNSimCore
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `A capture of the control API` {
  private static let token = [UInt8](repeating: 0xAB, count: 32)

  /// Checks that a capture is marked as redacted, and that it does not contain the token.
  private func reads(_ test: TestControl, _ query: String) async throws -> (isRedacted: Bool, isSecret: Bool)
  {
    let lines = try await test.http(.GET, "/api/v1/capture" + query).text.split(separator: "\n")
    let notification = try #require(lines.first { $0.contains(#""event":"notification""#) })
    let raw = try #require(try JSONValue.parse(String(notification)).member("raw")?.stringValue)
    let frame = try #require(Base64.decode(raw))
    #expect(frame.count == 39)
    return (
      lines[0].contains(#""redacted":true"#),
      frame.firstRange(of: Self.token) == nil && !notification.contains(Hex.encode(Self.token))
    )
  }

  @Test(arguments: [false, true]) func `is redacted as recordings are, or as is asked`(usual: Bool)
    async throws
  {
    try await TestControl.run(redacts: usual) { test in
      _ = try test.provider().send([0, 0, 32] + Self.token + [0, 2, 0x7B, 0x7D])
      for (query, expected) in [("", usual), ("?redact=true", true), ("?redact=false", false)] {
        let found = try await reads(test, query)
        #expect(found.isRedacted == expected && found.isSecret == expected, "\(query)")
      }
      #expect(try await test.http(.GET, "/api/v1/capture?redact=1").status == 400)
    }
  }
}
