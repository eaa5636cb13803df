import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture
@testable import APNSimScenario

@Suite struct `Redaction of what scenarios ask` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let topic = "com.example.app"
  private static let token = [UInt8](repeating: 0xAB, count: 32)

  /// A simulator with a scenario, under a clock that only moves when it is told to.
  private static func simulator(_ text: String) throws -> Simulator {
    var scenario = try ScenarioFile.parse("version: 1\n" + text, name: "test.yaml")
    scenario.clock = .virtual(start: start)
    return try Simulator(scenario: scenario, seed: 1, start: start)
  }

  private static func send(_ payload: String, to simulator: Simulator, token: [UInt8] = token) throws {
    let provider = ProviderIdentity(topics: [topic], environment: .production, subject: "UID=\(topic)")
    let opening = ConnectionOpening(peer: "", provider: provider)
    let connection = try simulator.openGateway(opening, at: start)
    let payload = Array(payload.utf8)
    let header: [UInt8] = [1, 0, 0, 0, 1, 0x7F, 0, 0, 0, 0, 32]
    let frame = header + token + [0, UInt8(payload.count)] + payload
    _ = frame.withUnsafeBytes { connection.receive($0, at: start) }
    connection.closed(.peerClosed, at: start)
  }

  /// Redacts lines and replays what comes of it without a difference, and so again what is redacted already. Shows it
  /// with the bytes in it as text.
  private static func replayed(_ journal: String) throws -> String {
    var text = Array(journal.utf8)
    var all = ""
    for _ in 1...2 {
      var redactor = CaptureRedactor(Redaction.pseudonyms)
      var output: [UInt8] = []
      for line in text.split(separator: 0x0A) {
        Array(line).withUnsafeBytes { redactor.redact($0, into: &output) }
      }
      redactor.finish(into: &output)
      let result = try Replay(CaptureReader(name: "x", bytes: output)).run(observe: { _ in })
      #expect(result.comparesJournal && result.isSame, "\(String(describing: result.firstDifference))")
      if all.isEmpty { all = shown(output) }
      text = output
    }
    return all
  }

  private static func shown(_ journal: [UInt8]) -> String {
    journal.split(separator: 0x0A).map { line -> String in
      let raw = (try? JSONValue.parse(line))?.member("raw")?.stringValue
      let bytes = raw.flatMap { Base64.decode($0) } ?? []
      return String(decoding: line, as: UTF8.self) + String(decoding: bytes, as: UTF8.self)
    }
    .joined(separator: "\n")
  }

  /// The text up to the first quote.
  private static func names(_ journal: String) -> [String] {
    journal.split(separator: "\n").compactMap {
      $0.split(separator: #""expects":""#).dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
    }
  }

  @Test func `the name that an expectation is given by itself says nothing of a payload or a token`() throws {
    let text = """
      timeline:
        - { at: 1m, expect: { where: { payload: { aps.alert: TopSecret4711 } } } }
        - { at: 2m, expect: { where: { token: \(Hex.encode(Self.token)) }, count: 1 } }
        - { at: 3m, expect: { where: { payload.acme.id: { not: 7654321 } }, count: 1 } }
        - { at: 4m, expect: { where: { alert: { contains: Secret } }, name: the greeting arrives } }
      expect:
        - { where: { payload: { aps.alert: { startsWith: TopSecret } } } }
      """
    let simulator = try Self.simulator(text)
    let journal = MemoryJournal(simulator)
    try Self.send(#"{"aps":{"alert":"TopSecret4711"},"acme":{"id":7654322}}"#, to: simulator)
    // The terms of a later rule change how strings are filled, and no name.
    var when = RuleMatch()
    when.listener = .gateway
    when.payload = [RuleMatch.PathMatch(path: "x", matcher: .contains("cret"))]
    try simulator.perform(.addRule(Rule(when: when, action: .proceed)), at: Self.start)
    try simulator.perform(.advanceClock(.hours(1)), at: Self.start)
    #expect(journal.text.split(separator: #""ok":true"#).count == 5)
    #expect(journal.text.contains(#"payload.aps.alert \"TopSecret4711\""#))
    let shown = try Self.replayed(journal.text)
    for secret in ["Secret", "4711", "acme", "765432", "cret", Hex.encode(Self.token)] {
      #expect(!shown.contains(secret), "\(secret)")
    }
    let names = Self.names(shown)
    #expect(names.count == 4 && names.last == "the greeting arrives")
    #expect(names.dropLast().allSatisfy { $0.hasPrefix("line ") && $0.contains(": notifications with ") })
    #expect(Set(names).count == 4)
    #expect(names.allSatisfy { name in shown.split(separator: name).count >= 3 })
  }

  @Test func `an expectation of an inbox has a name that keeps its device and no more`() throws {
    let name = #"line 7: inbox of bob with alert starts with "TopSecret""#
    let values = ValueRedactor(
      Redaction.pseudonyms,
      StringFilling(Redaction.pseudonyms),
      RequestTexts(Redaction.pseudonyms)
    )
    let redacted = values.redacted(name: name)
    #expect(redacted.hasPrefix("line 7: inbox of bob with ") && redacted.utf8.count == name.utf8.count)
    #expect(!redacted.contains("TopSecret") && !redacted.contains("alert"))
    for kept in ["line 7: stored for bob", "line 7: error responses of status 8", "with love", "line: 3"] {
      #expect(values.redacted(name: kept) == kept)
    }
  }

  @Test func `numbers stay on their sides of what rules compare them with`() throws {
    let simulator = try Self.simulator(
      """
      rules:
        - { when: { payload: { amount: { gt: 900000 } } }, reply: { status: 1 } }
        - { when: { payload: { amount: { lt: -123456.5 } } }, reply: { status: 2 } }
        - { when: { payload: { ratio: { gt: 0.123456, lt: 0.123458 } } }, reply: { status: 3 } }
      """
    )
    let journal = MemoryJournal(simulator)
    let amounts = [
      "999999", "900001", "900000", "900000.5", "899999", "1e6", "5000000", "-123456", "-123457",
    ]
    for amount in amounts {
      try Self.send(#"{"aps":{},"amount":\#(amount)}"#, to: simulator)
    }
    for ratio in ["0.123456", "0.123457", "0.123458", "12.3457e-2"] {
      try Self.send(#"{"aps":{},"ratio":\#(ratio)}"#, to: simulator)
    }
    // A bound that is named later holds for what comes after it.
    var when = RuleMatch()
    when.listener = .gateway
    when.payload = [RuleMatch.PathMatch(path: "size", matcher: .greaterThan(7_000_000))]
    let rule = Rule(when: when, action: .reply(Reply(status: .invalidToken)))
    try simulator.perform(.addRule(rule), at: Self.start)
    for size in ["6999999", "7000001"] { try Self.send(#"{"aps":{},"size":\#(size)}"#, to: simulator) }
    #expect(journal.text.split(separator: #""outcome":"rejected""#).count == 10)
    let shown = try Self.replayed(journal.text)
    for secret in ["999999", "5000000", "6999999"] { #expect(!shown.contains(secret), "\(secret)") }
  }

  @Test func `numbers that are equal stay so however they are written, and others stay others`() throws {
    let simulator = try Self.simulator(
      """
      rules:
        - { when: { payload: { id: 1234567 } }, reply: { status: 1 } }
        - { when: { payload: { id: 12345 } }, reply: { status: 2 } }
        - { when: { payload: { round: 200000 } }, reply: { status: 3 } }
        - { when: { payload: { other: { exists: true, not: 7654321 } } }, reply: { status: 4 } }
        - { when: { payload: { all: { equals: { like: [7654321, { not: abcdef }] } } } }, reply: { status: 5 } }
      """
    )
    let journal = MemoryJournal(simulator)
    let ids = [
      "1234567", "1234567.0", "1.234567e6", "12345670E-1", "1234568", "12345", "12345.00", "1.2345e4",
    ]
    for id in ids {
      try Self.send(#"{"aps":{},"id":\#(id)}"#, to: simulator)
    }
    for round in (1...9).map({ $0 * 100_000 }) {
      try Self.send(#"{"aps":{},"round":\#(round)}"#, to: simulator)
    }
    try Self.send(#"{"aps":{},"other":7654321}"#, to: simulator)
    try Self.send(#"{"aps":{},"other":7654320}"#, to: simulator)
    try Self.send(#"{"aps":{},"all":{"like":[7654321.0,{"not":"abcdef"}]}}"#, to: simulator)
    #expect(journal.text.split(separator: #""outcome":"rejected""#).count == 11)
    let shown = try Self.replayed(journal.text)
    for secret in ["1234567", "765432", "abcdef"] { #expect(!shown.contains(secret), "\(secret)") }
  }

  @Test func `badges stay, and so does what is expected of them`() throws {
    let simulator = try Self.simulator(
      """
      devices: { bob: { apps: [{ topic: com.example.app, environment: production, token: \(Hex.encode(Self.token)) }] } }
      rules:
        - { when: { payload: { aps.badge: 7654321 } }, reply: { status: 1 } }
      timeline:
        - { at: 1m, expect: { device: bob, badge: 1234567 } }
      """
    )
    let journal = MemoryJournal(simulator)
    try Self.send(#"{"aps":{"badge":1234567}}"#, to: simulator)
    try Self.send(#"{"aps":{"badge":7654321}}"#, to: simulator)
    try simulator.perform(.advanceClock(.hours(1)), at: Self.start)
    #expect(journal.text.contains(#""found":1234567"#))
    #expect(journal.text.contains(#""outcome":"rejected""#))
    _ = try Self.replayed(journal.text)
  }

  @Test func `a path means the same place, in an array or by a key of digits`() throws {
    let simulator = try Self.simulator(
      """
      rules:
        - { when: { payload: { list.1: second } }, reply: { status: 1 } }
        - { when: { payload: { table.1: { exists: true } } }, reply: { status: 2 } }
        - { when: { payload: { users.4712345678: { exists: true } } }, reply: { status: 3 } }
      """
    )
    let journal = MemoryJournal(simulator)
    let members = [
      #""list":["first","second"]"#, #""table":{"1":"x"}"#, #""users":{"4712345678":1}"#,
    ]
    for member in members {
      try Self.send(#"{"aps":{},\#(member)}"#, to: simulator)
    }
    #expect(journal.text.split(separator: #""outcome":"rejected""#).count == 4)
    #expect(try !Self.replayed(journal.text).contains("4712345678"))
  }

  @Test func `tests of how a token begins find its pseudonym, and say nothing of it`() throws {
    let token = Array("SECRETSECRETSECRETSECRETSECRET!!".utf8)
    let beginning = String(Hex.encode(token).prefix(19))
    let simulator = try Self.simulator(
      """
      rules:
        - { when: { token: { startsWith: "\(beginning)" } }, reply: { status: 1 } }
        - { when: { token: { not: "\(Hex.encode(Self.token))" } }, reply: { status: 2 } }
      """
    )
    let journal = MemoryJournal(simulator)
    try Self.send(#"{"aps":{}}"#, to: simulator, token: token)
    try Self.send(#"{"aps":{}}"#, to: simulator)
    try Self.send(#"{"aps":{}}"#, to: simulator, token: token.reversed())
    #expect(journal.text.split(separator: #""outcome":"rejected""#).count == 3)
    #expect(try !Self.replayed(journal.text).contains(beginning))
  }
}
