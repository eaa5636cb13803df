import APNSimCore
import Testing

@testable import APNSimScenario

/// Captures that nobody wrote with good intentions: what they say of numbers costs neither time nor memory.
@Suite(.timeLimit(.minutes(5)))
struct `A capture with numbers beyond belief` {
  private static let start = #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"#

  private func reader(_ listener: Listener, _ lines: [String]) throws -> CaptureReader {
    let opened =
      #""connectionOpened","connection":"c1","listener":"\#(listener.rawValue)","#
      + #""provider":{"topic":"com.example.app"},"device":"bob"}"#
    let text =
      ([#"{"apnsim":"journal","version":1}"#] + ([opened] + lines).map { Self.start + $0 })
      .joined(separator: "\n") + "\n"
    return try CaptureReader(name: "x", bytes: Array(text.utf8))
  }

  private func replay(_ listener: Listener, _ lines: [String]) throws -> ReplayResult {
    try Replay(reader(listener, lines)).run()
  }

  @Test func `counts bytes that no frame can be made of`() throws {
    let result = try replay(.gateway, [#""bytesIn","connection":"c1","bytes":"/wAA","count":1099511627776}"#])
    #expect(result.damage == nil && result.missingBytes == 0)
  }

  @Test func `does not wait for a frame of which the rest is only counted`() throws {
    // The header of a frame of command 1, whose token and payload are nothing but a number.
    let result = try replay(
      .gateway,
      [#""bytesIn","connection":"c1","bytes":"AQAAAAE=","count":1099511627776}"#]
    )
    #expect(result.damage == nil)
  }

  @Test func `takes an endless line of a device for what is too long`() throws {
    let result = try replay(.device, [#""bytesIn","connection":"c1","bytes":"e30=","count":1099511627776}"#])
    #expect(result.damage == nil)
  }

  @Test func `adds up what is missing`() throws {
    let line = #""bytesMissing","connection":"c1","direction":"in","count":1099511627776}"#
    #expect(try replay(.gateway, [line, line, line]).missingBytes == 3 << 40)
  }

  @Test(arguments: ["1099511627777", "9223372036854775807", "-1", "1e9", "\"7\""])
  func `is damaged where no connection has as many bytes`(count: String) throws {
    for line in [
      #""bytesMissing","connection":"c1","direction":"in","count":\#(count)}"#,
      #""bytesIn","connection":"c1","bytes":"AAAA","count":\#(count)}"#,
    ] {
      let reason = try replay(.gateway, [line]).damage?.reason
      #expect(reason?.contains(#"expected "count" with a number from 0 to 2^40"#) == true)
    }
  }
}
