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

  @Test(arguments: [false, true])
  func `a capture of the control API is redacted as recordings are, or as is asked`(usual: Bool)
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

  @Test
  func `a capture of the control API begins with the event that is asked for, and its first line says so`()
    async throws
  {
    try await TestControl.run { test in
      let provider = try test.provider()
      for byte in UInt8(1)...3 {
        _ = provider.send([0, 0, 32] + Self.token.dropLast() + [byte] + [0, 2, 0x7B, 0x7D])
      }
      func lines(from first: String) async throws -> [String] {
        try await test.http(.GET, "/api/v1/capture" + first).text.split(separator: "\n").map(String.init)
      }
      let all = try await lines(from: "")
      let last = try #require(all.last)
      let seq = try #require(try JSONValue.parse(last).member("seq")?.intValue)
      let found = try await lines(from: "?from=\(seq)")
      #expect(found.count == 2 && found.last == last)
      #expect(found[0].contains(#""completeFrom":\#(seq)"#))
      #expect(try await lines(from: "?from=0").count == all.count)
      #expect(try await lines(from: "?from=18446744073709551615").count == 1)
      #expect(try await test.http(.GET, "/api/v1/capture?from=now").status == 400)
    }
  }
}
