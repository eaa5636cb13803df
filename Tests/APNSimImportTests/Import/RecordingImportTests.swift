import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimImport

@Suite struct `Importing recordings of requests` {
  private static let start = Timestamp(seconds: 1_338_508_800)

  /// A recording of a request that is answered at once, one whose answer comes later, and one without an answer.
  private static func recording(in folder: TemporaryDirectory) throws -> String {
    let rules = """
      version: 1
      name: s
      rules:
        - { when: { nth: 2 }, reply: { status: 503, reason: ServiceUnavailable, delay: 2s } }
        - { when: { nth: 3 }, fault: unanswered }

      """
    var scenario = try ScenarioFile.parse(written: rules, name: "s")
    scenario.clock = .virtual(start: start)
    let simulator = try Simulator(scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let provider = ProviderIdentity(topics: ["com.example.sim"], environment: .production, subject: "")
    let connection = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: provider), at: start)
    let fields = [(":method", "POST"), (":path", "/3/device/" + String(repeating: "ab", count: 32))]
    for stream in [1, 3, 5] as [UInt32] {
      let request = ProviderRequest(
        stream: stream,
        headers: fields.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
        body: Array("{}".utf8),
        authorization: .certificate
      )
      _ = connection.receive([request], at: start)
    }
    try simulator.perform(.advanceClock(.seconds(2)), at: start + .seconds(2))
    connection.closed(.peerClosed, at: start + .seconds(4))
    return try folder.write("a.jsonl", journal.text)
  }

  private static func check(_ summary: ImportSummary) {
    #expect(summary.requestConnections == 1 && summary.gatewayConnections == 0)
    #expect((summary.requests, summary.answers) == (3, 2))
    #expect((summary.requestsWithoutAnswer, summary.answersWithoutRequest) == (1, 0))
  }

  @Test func `a copied one has as many requests and answers as it has`() throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let file = try Self.recording(in: folder)
    var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { _ in })
    var lines = 0
    try capture.copy(file) { _ in lines += 1 }
    #expect(lines > 5)
    Self.check(capture.finish())
  }

  @Test func `an imported recording of requests has them among others too, and a later answer where it left`()
    throws
  {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let file = try Self.recording(in: folder)
    var found: [CaptureEntry] = []
    var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { found.append($0) })
    try capture.read([file])
    Self.check(capture.finish())
    let answers = found.compactMap { entry -> (UInt32, UInt16?, Int64)? in
      guard case .stream(_, .answered(let answer)) = entry.kind else { return nil }
      return (answer.stream, answer.status, (entry.time - Self.start).milliseconds)
    }
    #expect(answers.map(\.0) == [1, 3] && answers.map(\.1) == [200, 503] && answers.map(\.2) == [0, 2000])
  }
}
