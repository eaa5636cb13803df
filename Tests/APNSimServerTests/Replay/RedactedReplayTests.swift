import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `Replays of redacted journals` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let topic = "com.example.app"
  private static let opening = ConnectionOpening(
    peer: "",
    provider: ProviderIdentity(topics: [topic], environment: .production, subject: "UID=\(topic)")
  )

  private static func frame(_ number: UInt8, _ payload: String, _ token: [UInt8]) -> [UInt8] {
    let payload = Array(payload.utf8)
    return [1, 0, 0, 0, number, 0x7F, 0, 0, 0, 0, 32] + token + [0, UInt8(payload.count)] + payload
  }

  private static func alert(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

  /// A provider writes on one connection and leaves.
  private static func provide(_ simulator: Simulator, _ frames: [[UInt8]]) throws {
    let connection = try simulator.openGateway(opening, at: start)
    for frame in frames { _ = frame.withUnsafeBytes { connection.receive($0, at: start) } }
    connection.closed(.peerClosed, at: start)
  }

  /// Redacts what was recorded, once or again, and replays it: nothing differs.
  private static func expectSame(_ journal: MemoryJournal, without secrets: [String]) throws {
    var text = Array(journal.text.utf8)
    for _ in 1...2 {
      var redactor = CaptureRedactor(Redaction.pseudonyms)
      var output: [UInt8] = []
      for line in text.split(separator: 0x0A) {
        Array(line).withUnsafeBytes { redactor.redact($0, into: &output) }
      }
      redactor.finish(into: &output)
      let result = try Replay(CaptureReader(name: "x", bytes: output)).run(observe: { _ in })
      #expect(result.comparesJournal && result.isSame, "\(String(describing: result.firstDifference))")
      for secret in secrets {
        #expect(!shown(output).contains(secret), "\(secret)")
      }
      text = output
    }
  }

  /// The lines with the bytes in them as text.
  private static func shown(_ journal: [UInt8]) -> String {
    journal.split(separator: 0x0A).map { line in
      let value = try? JSONValue.parse(line)
      let bytes = ["raw", "bytes"].compactMap { value?.member($0)?.stringValue }.compactMap {
        Base64.decode($0)
      }
      return String(decoding: line, as: UTF8.self) + String(decoding: bytes.joined(), as: UTF8.self)
    }
    .joined(separator: "\n")
  }

  @Test(arguments: [("1234", false), ("4711", true)])
  func `what was sent again is told from what only looks alike`(code: String, isResent: Bool) throws {
    let simulator = try Simulator(scenario: Scenario(), seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    let token = [UInt8](repeating: 5, count: 32)
    let bad = MagicToken(kind: .refuse, code: 8).token()
    try Self.provide(
      simulator,
      [Self.frame(1, Self.alert("bad"), bad) + Self.frame(2, Self.alert("Your code is 4711"), token)]
    )
    try Self.provide(simulator, [Self.frame(3, Self.alert("Your code is \(code)"), token)])
    #expect(journal.text.contains(#""event":"resent""#) == isResent)
    try Self.expectSame(journal, without: ["Your code"])
  }

  @Test func `rules that compare strings of payloads decide as before`() throws {
    var scenario = Scenario()
    func refuse(_ path: String, _ matcher: Matcher, _ status: StatusCode) {
      var when = RuleMatch()
      when.listener = .gateway
      when.payload = [RuleMatch.PathMatch(path: path, matcher: matcher)]
      scenario.rules.append(Rule(when: when, action: .reply(Reply(status: status))))
    }
    refuse("aps.alert", .contains("Order"), .processingError)
    refuse("aps.alert", .contains("Hello"), .missingPayload)
    refuse("aps.alert", .contains("Hello, Ann"), .missingTopic)
    refuse("aps.alert", .startsWith("Hi, you"), .invalidToken)
    refuse("acme.kind", .equals(.string("grün/1")), .missingTopic)
    refuse("acme.id", .equals(.number("12345678")), .invalidTopicSize)
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    let token = [UInt8](repeating: 5, count: 32)
    let payloads = [
      Self.alert("Your Order is here"), Self.alert("Your Ardor is here"), Self.alert("Say Hello, Ann"),
      Self.alert("Hi, you all"),
      Self.alert("Say Hi, you"), #"{"aps":{},"acme":{"kind":"gr\u00fcn/1"}}"#,
      #"{"aps":{},"acme":{"kind":"grau/1"}}"#, #"{"aps":{},"acme":{"id":12345678}}"#,
      #"{"aps":{},"acme":{"id":12345679}}"#,
    ]
    for (number, payload) in payloads.enumerated() {
      try Self.provide(simulator, [Self.frame(UInt8(number), payload, token)])
    }
    #expect(journal.text.split(separator: #""outcome":"rejected""#).count == 6)
    try Self.expectSame(journal, without: ["Order", "Ardor", "Hi, ", "acme", "12345678"])
  }

  @Test(
    arguments: [
      #"{"apps": ["com.example.app"]}"#,
      #"{ "apps" : [ { "topic": "com.example.app", "token": null } ], "languages": ["fr"] }"#,
      #"{"apps": ["com.example.app"], "note": "TopSecret"}"#, #"{"apps": "TopSecret"}"#, #"TopSecret"#,
      #"{"apps": [{"topic": "com.example.app", "token": "TopSecret"}]}"#,
      #"{"apps":[{"topic":"TopSecretTopic","#,
      #"{"install": "com.example.app"}"#,
      #"{"apps": [{"environment": "TopSecret", "topic": "com.example.app"}]}"#,
      #"{"apps": [1234567890123]}"#, #"["TopSecret"]"#,
    ]
  )
  func `a device's line stands for what it stood for, without what is not of its protocol`(line: String)
    throws
  {
    let simulator = try Simulator(scenario: Scenario(), seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    let opening = DeviceOpening(
      peer: "",
      device: "bob",
      subject: "CN=bob",
      environment: .production,
      tlsVersion: "1.2",
      cipher: ""
    )
    let device = simulator.openDevice(opening, at: Self.start)
    Array("\(line)\n".utf8).withUnsafeBytes { device.receive($0, at: Self.start) }
    while !device.nextLines(at: Self.start).bytes.isEmpty {}
    device.closed(.peerClosed, at: Self.start)
    try Self.expectSame(journal, without: ["TopSecret\"", "1234567890123"])
  }
}
