package import APNSimCore

/// Journals of a simulator to which providers wrote, a connection each.
package enum NativeCapture {
  package static let topic = "com.example.other"
  private static let start = Timestamp(seconds: 1_338_508_800)

  /// The lines of a journal from its beginning.
  package static func lines(
    _ streams: [[UInt8]],
    rules: [Rule] = [],
    configuration: Configuration = Configuration()
  ) throws -> [String] {
    var scenario = Scenario()
    scenario.rules = rules
    scenario.clock = .virtual(start: start)
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 1,
      start: start
    )
    let journal = MemoryJournal(simulator)
    let provider = ProviderIdentity(topics: [topic], environment: .production, subject: "CN=x")
    for stream in streams {
      let connection = try simulator.openGateway(
        ConnectionOpening(peer: "127.0.0.1:1", provider: provider),
        at: start
      )
      _ = stream.withUnsafeBytes { connection.receive($0, at: start) }
      connection.closed(.peerClosed, at: start)
    }
    return journal.text.split(separator: "\n").map(String.init)
  }

  /// The lines of a recording that began after so many of them.
  package static func within(_ lines: [String], after count: Int = 1) -> [String] {
    let begin = #""completeFrom":\#(count + 1),"edition""#
    let header = lines[0].replacing(#""edition""#, with: begin, maxReplacements: 1)
    return [header] + lines.dropFirst(count + 1)
  }

  package static func bytes(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A frame of command 1 that the gateway takes, or answers with status 5 where the token is no token.
  package static func frame(_ identifier: UInt8, to token: [UInt8] = [UInt8](repeating: 7, count: 32))
    -> [UInt8]
  {
    let payload = Array(#"{"aps":{}}"#.utf8)
    return [1, 0, 0, 0, identifier, 0x7F, 0xFF, 0xFF, 0xFF, 0, UInt8(token.count)] + token
      + [0, UInt8(payload.count)] + payload
  }
}
