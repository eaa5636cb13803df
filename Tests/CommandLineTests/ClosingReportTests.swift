import APNSimCore
import APNSimWire
import Testing

@testable import apnsim

@Suite struct `The report at the end of a run` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  private static func request(
    _ stream: UInt32,
    _ payload: String,
    topic: String = "com.example.app",
    hasType: Bool = true
  ) -> ProviderRequest {
    let list =
      [
        (":method", "POST"), (":path", "/3/device/\(String(repeating: "ab", count: 32))"),
        ("authorization", "bearer secret"), ("apns-topic", topic),
      ] + (hasType ? [("apns-push-type", "alert")] : [])
    let facts = ProviderTokenFacts(
      number: 1,
      keyID: "APNSIMKEY1",
      teamID: "APNSIMTEAM",
      issuedAt: start.seconds,
      verdict: .good
    )
    return ProviderRequest(
      stream: stream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array(payload.utf8),
      authorization: .bearer(facts)
    )
  }

  @Test func `the report at the end of a run says what lost answers cost`() throws {
    var match = RuleMatch()
    match.listener = .http2
    match.connection = .equals(.number("1"))
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    scenario.rules = [Rule(when: match, action: .answer(ScriptedAnswer(status: 200, delay: .hours(1))))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let provider = ProviderIdentity(topics: [], environment: .production, subject: "")
    func open() throws -> RequestConnection {
      try simulator.openRequests(ConnectionOpening(peer: "test", provider: provider), at: Self.start)
    }
    let hi = #"{"aps":{"alert":"hi"}}"#
    let first = try open()
    _ = first.receive([Self.request(1, hi), Self.request(3, #"{"aps":{"badge":1}}"#)], at: Self.start)
    first.closed(.reset, at: Self.start)
    _ = try open().receive([Self.request(1, hi)], at: Self.start)
    let lines = ClosingReport(simulator).lines
    #expect(
      lines.first
        == "lost on c1 (provider tokens): a reset left 2 without an answer, 1 was sent again, 1 was not: n2, "
        + "1 of them had been accepted, 1 was delivered twice: n1"
    )
    #expect(lines.count == 2 && lines.last?.contains("1 request was accepted, lost the answer") == true)
  }

  @Test func `advice for very many providers is counted at the end of a run, not printed`() throws {
    let simulator = try Simulator(scenario: Scenario(), seed: 1, start: Self.start)
    let provider = ProviderIdentity(topics: [], environment: .production, subject: "")
    let connection = try simulator.openRequests(
      ConnectionOpening(peer: "test", provider: provider),
      at: Self.start
    )
    let pushes = (0..<60).map { number in
      Self.request(
        UInt32(2 * number + 1),
        #"{"aps":{"alert":"hi"}}"#,
        topic: "com.example.app\(number)",
        hasType: false
      )
    }
    _ = connection.receive(pushes, at: Self.start)
    #expect(simulator.advice(atEnd: true).count > 50)
    let lines = ClosingReport(simulator).lines
    #expect(lines.count == 51 && lines.last?.hasPrefix("advice on ") == true, "\(lines.suffix(2))")
  }
}
