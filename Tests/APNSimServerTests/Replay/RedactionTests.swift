import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimCapture

@Suite struct Redaction {
  static let pseudonyms = TokenPseudonyms { token in
    // Any function of the bytes will do for a test; what the program uses is keyed.
    var state = SeededGenerator(seed: token.reduce(7) { ($0 &* 31) ^ UInt64($1) })
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &state) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `redaction fills any payload without changing what is thought of it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let payload = RandomPayload.make(&generator)
      let filled = PayloadFiller.fill(payload, with: Self.strings)
      #expect(filled.count == payload.count)
      #expect(PayloadFiller.fill(payload, with: Self.strings) == filled)
      #expect(PayloadFiller.fill(filled) == PayloadFiller.fill(payload))
      let before = payload.withUnsafeBytes { PayloadJudge.judge($0) }
      let after = filled.withUnsafeBytes { PayloadJudge.judge($0) }
      #expect(
        Self.means(after) == Self.means(before),
        "\(String(decoding: payload, as: UTF8.self)) → \(String(decoding: filled, as: UTF8.self))"
      )
      #expect(!String(decoding: filled, as: UTF8.self).contains("SECRET"))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `redaction leaves nothing after the mistake of a payload that is no JSON, and the same verdict`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      var payload = RandomPayload.make(&generator)
      // A provider that counts wrong: the next frame is taken for the payload's end, or for all of it.
      let next = Redaction.stream(Array("SECRETSECRETSECRETSECRETSECRET!!".utf8), &generator)
      if Bool.random(using: &generator) { payload = Array((payload + next).prefix(2000)) }
      if Int.random(in: 0..<4, using: &generator) == 0 { payload = next }
      let redacted = PayloadFiller.redact(payload, with: Self.strings)
      #expect(redacted.count == payload.count)
      #expect(PayloadFiller.redact(redacted) == PayloadFiller.redact(payload), "\(payload)")
      let before = payload.withUnsafeBytes { PayloadJudge.judge($0) }
      let after = redacted.withUnsafeBytes { PayloadJudge.judge($0) }
      #expect(Self.means(after) == Self.means(before), "\(payload) → \(redacted)")
      guard !before.problem.isJSON, before.problem != .byteOrderMark else {
        #expect(redacted == PayloadFiller.fill(payload, with: Self.strings))
        continue
      }
      let rest = redacted.dropFirst(after.offset + 4)
      let blots = [0] + Array("!#$%&'()*;<=>?@^".utf8)
      #expect(rest.allSatisfy { blots.contains($0) }, "\(payload) → \(redacted)")
    }
  }

  @Test func `redaction leaves the error responses of any gateway, and no capture unreadable`() throws {
    let opened =
      #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"connectionOpened","connection":"c1","ordinal":1,"listener":"gateway","peer":"","provider":{"topic":"com.example.app","topics":["com.example.app"],"environment":"production","subject":""}}"#
    let answers: [UInt8] = [8, 8, 0, 0, 0, 2, 8, 10, 0, 0, 0, 1, 0x41, 8, 8, 8]
    let said = #""event":"bytesOut","connection":"c1","bytes":"\#(Base64.encode(answers))"}"#
    var device = Array(
      #"{"seq":3,"time":"2012-06-01T00:00:00.000Z","event":"deviceAdded","device":"Jos?","online":true}"#.utf8
    )
    device.replace(Array("?".utf8), with: [0xE9])
    var redactor = CaptureRedactor(Self.pseudonyms)
    var output: [UInt8] = []
    let lines = [
      Array(opened.utf8), Array((#"{"seq":2,"time":"2012-06-01T00:00:00.000Z","# + said).utf8), device,
    ]
    for line in lines { line.withUnsafeBytes { redactor.redact($0, into: &output) } }
    redactor.finish(into: &output)
    let redacted = String(decoding: output, as: UTF8.self).split(separator: "\n")
    let left = answers.prefix(12) + [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(redacted.count == 3 && redacted[1].contains(Base64.encode(left)), "\(redacted)")
    #expect(redacted.last?.contains(#""event":"deviceAdded""#) == true, "\(redacted)")
  }

  @Test func `redaction has pseudonyms for digits of any length that a line can have`() {
    let token = [UInt8](repeating: 0xAB, count: 8 + 65_537 * 32)
    let keyed = TokenPseudonyms { [UInt8](repeating: UInt8(truncatingIfNeeded: $0.count), count: 32) }
    let end = keyed.of(token, length: token.count, from: token.count - 64)
    // A block's number has two bytes, and four where these are not enough.
    #expect(end == [UInt8](repeating: 0xAB ^ 11, count: 32) + [UInt8](repeating: 0xAB ^ 13, count: 32))
  }

  private static var strings: StringFilling { StringFilling(pseudonyms) }

  private static func filled(_ payload: String) -> String {
    String(decoding: PayloadFiller.fill(Array(payload.utf8), with: strings), as: UTF8.self)
  }

  @Test func `different strings of one length stay different, equal ones equal`() {
    let codes = (1000..<2000).map { Self.filled(#"{"aps":{"alert":"Your code is \#($0)"}}"#) }
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.hasPrefix(#"{"aps":{"alert":""#) && !$0.contains("code") })
    let numbers = (1_000_000..<1_001_000).map { Self.filled(#"{"aps":{},"id":\#($0 * 7 + 1111111)}"#) }
    #expect(Set(numbers).count > 900)
    #expect(Self.filled(#"{"aps":{"alert":"Hello","sound":"Hello"}}"#).contains(#""Hello""#) == false)
    let pair = Self.strings.filled("Hello")
    #expect(Self.filled(#"["Hello","Hello"]"#) == #"["\#(pair)","\#(pair)"]"#)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `texts that are sought are found and share no character`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func word(_ lengths: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: lengths, using: &generator)).map { _ in
          "ab".randomElement(using: &generator) ?? "a"
        }
      )
    }
    let strings = Self.strings
    let texts = (0..<4).map { _ in word(1...5) }
    for text in texts { strings.seek(text) }
    let string = Array(word(0...30).unicodeScalars.map(\.value))
    let found = strings.sought(in: WrittenText(string[...], isUTF8: true))
    // The shortest of the texts that stand there.
    var deciding: [Int: Int] = [:]
    for text in texts.map({ $0.unicodeScalars.map(\.value) }) {
      for start in string.indices where string[start...].starts(with: text) {
        for place in start..<start + text.count { deciding[place] = min(deciding[place] ?? .max, text.count) }
      }
    }
    let places = found.flatMap { Array($0.places) }
    #expect(places.count == Set(places).count && Set(places) == Set(deciding.keys))
    for part in found {
      for place in part.places {
        let text = string[part.start...].prefix(deciding[place] ?? 0)
        #expect(
          text.indices.contains(place)
            && texts.contains { $0.unicodeScalars.map(\.value).elementsEqual(text) }
        )
      }
    }
  }

  @Test func `long texts are looked for in time that grows with their lengths`() {
    let strings = Self.strings
    strings.seek(String(repeating: "a", count: 20_000))
    strings.seek(String(repeating: "a", count: 15_000) + "b")
    let filled = strings.filled(String(repeating: "a", count: 60_000))
    let part = strings.filled(String(repeating: "a", count: 20_000))
    #expect(filled.hasSuffix(part) && filled.utf8.count == 60_000)
  }

  @Test func `a text becomes the same however it is written`() throws {
    let text = "Grüße, 漢字 😀 \"now\"\n/x"
    let expected = Self.strings.filled(text)
    #expect(expected.unicodeScalars.count == text.unicodeScalars.count)
    #expect(expected.utf8.count == text.utf8.count)
    let ways = [
      #"["Grüße, 漢字 😀 \"now\"\n/x"]"#,
      #"["Gr\u00fc\u00DFe, \u6f22\u5b57 \ud83d\ude00 \u0022now\"\u000a\u002fx"]"#,
    ]
    for way in ways {
      for bytes in [Array(way.utf8), way.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }] {
        let filled = PayloadFiller.fill(bytes, with: Self.strings)
        #expect(try JSONValue.parse(filled).arrayValue?.first?.stringValue == expected)
      }
    }
  }

  @Test func `one key fills alike, another one differently`() {
    let other = StringFilling(TokenPseudonyms { Self.pseudonyms.pad(of: [1] + $0) })
    let payload = Array(#"{"aps":{"alert":"Hello, World"}}"#.utf8)
    let filled = PayloadFiller.fill(payload, with: Self.strings)
    #expect(PayloadFiller.fill(payload, with: StringFilling(Self.pseudonyms)) == filled)
    #expect(PayloadFiller.fill(payload, with: other) != filled)
  }

  @Test func `an escape that breaks off is not made whole`() {
    let strings = StringFilling(TokenPseudonyms { _ in [UInt8](repeating: 0, count: 32) })
    for text in [#"["\u12G4"]"#, #"["\u1"]"#, #"["\uBCDG"]"#, #"["\u12\u0041"]"#] {
      let filled = PayloadFiller.fill(Array(text.utf8), with: strings)
      #expect((try? JSONValue.parse(filled)) == nil, "\(text) → \(String(decoding: filled, as: UTF8.self))")
    }
  }

  /// The properties of a payload that matter to the gateway and a device: its validity, and the facts of a valid one.
  /// A name that no device knows is a stranger's, and filled, however like a known one it is.
  private static func means(_ verdict: PayloadVerdict) -> String {
    var known = verdict.facts
    known.hasMisplacedKey = false
    let facts = verdict.problem == .none ? "\(known)" : ""
    return
      "\(verdict.problem == .none) \(verdict.problem.isJSON) \(verdict.problem.category == .keyType) \(facts)"
  }

  @Test(arguments: [
    (#""raw":"RAW","raw":"RAW""#), (#""raw":"RAW","to":"TOKEN""#), (#""why":{"token":"TOKEN"},"raw":"RAW""#),
    (#""raw":"RAW","subject":"CN=SECRET""#),
  ])
  func `a notification's line has no member that is passed over`(rest: String) throws {
    let secret = Array("SECRETSECRETSECRETSECRETSECRET!!".utf8)
    let raw = Base64.encode([0, 0, 32] + secret + [0, 2] + Array("{}".utf8))
    let line =
      #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"notification","id":"n1","connection":"c1","#
      + #""topic":"a.b","command":0,"outcome":"delivered","#
      + rest.replacing("RAW", with: raw).replacing("TOKEN", with: Hex.encode(secret)) + "}"
    var redactor = CaptureRedactor(Self.pseudonyms)
    var output: [UInt8] = []
    Array(line.utf8).withUnsafeBytes { redactor.redact($0, into: &output) }
    redactor.finish(into: &output)
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.hasPrefix(#"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"notification","id":"n1""#))
    for found in [raw, Hex.encode(secret), "SECRET"] { #expect(!text.contains(found), "\(text)") }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `redaction of a journal leaves every verdict and answer as it was, and no secret`(seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    let app = AppKey(topic: "com.example.app", environment: .production)
    let secret = Array("SECRETSECRETSECRETSECRETSECRET!!".utf8)
    var scenario = Scenario()
    scenario.clock = .virtual(start: Timestamp(seconds: 1_338_508_800))
    scenario.devices = [
      DeviceSpecification(name: "bob", isOnline: false, apps: [AppSpecification(app: app, token: secret)])
    ]
    scenario.feedback = [
      FeedbackSpecification(subject: .token(secret), app: app, moment: .at(Timestamp(seconds: 1)))
    ]
    let simulator = try Simulator(scenario: scenario, seed: seed, start: Timestamp(seconds: 1_338_508_800))
    let journal = MemoryJournal(simulator)
    let now = Timestamp(seconds: 1_338_508_800)
    let provider = ProviderIdentity(
      topics: [app.topic],
      environment: .production,
      subject: "CN=SECRET,UID=\(app.topic)"
    )
    for round in 0..<40 {
      let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
      if round % 10 == 0 {
        let reader = try simulator.openFeedback(opening, at: now)
        while !reader.nextChunk(at: now).isEmpty {}
        reader.closed(.simulatorClosed, at: now)
      }
      let connection = try simulator.openGateway(opening, at: now)
      for piece in Cuts.everyByte.pieces(of: Self.stream(secret, &generator)) {
        _ = piece.withUnsafeBytes { connection.receive($0, at: now) }
      }
      connection.closed(.peerClosed, at: now)
    }
    var redactor = CaptureRedactor(Self.pseudonyms)
    var text: [UInt8] = []
    for line in journal.text.split(separator: "\n") {
      Array(line.utf8).withUnsafeBytes { redactor.redact($0, into: &text) }
    }
    #expect(text.count { $0 == 0x0A } == journal.text.split(separator: "\n").count)
    let shown = String(decoding: text, as: UTF8.self)
    for line in shown.split(separator: "\n") {
      for name in ["raw", "bytes"] {
        guard let part = line.split(separator: "\"\(name)\":\"").dropFirst().first else { continue }
        let bytes = Base64.decode(part.prefix { $0 != "\"" }) ?? []
        #expect(!String(decoding: bytes, as: UTF8.self).contains("SECRET"))
      }
    }
    #expect(!shown.contains("SECRET") && !shown.contains(Hex.encode(secret)))
    let path = NSTemporaryDirectory() + "apnsim-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text).write(to: URL(fileURLWithPath: path))
    var seen = 0
    let replay = try Replay(CaptureReader(path: path))
    let result = replay.run(observe: { _ in seen += 1 })
    let first = result.firstDifference.map {
      "\($0.kind) \($0.notification ?? "") \($0.recorded) \($0.replayed)"
    }
    #expect(first == nil && result.damage == nil)
    #expect(seen > 60)
  }

  /// Frames and what is none, with secrets in them.
  static func stream(_ secret: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<UInt8.random(in: 1...6, using: &generator) {
      let payload = RandomPayload.make(&generator)
      let token =
        [
          secret, Array("SECRET".utf8) + [UInt8](repeating: number, count: 26),
          MagicToken(kind: .refuse, code: 8).token(), [],
        ].randomElement(using: &generator) ?? []
      func length(_ count: Int) -> [UInt8] { [UInt8(count >> 8 & 255), UInt8(count & 255)] }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bytes += [0] + length(token.count) + token + length(payload.count) + payload
      case 1:
        let items = [1] + length(token.count) + token + [2] + length(payload.count) + payload + [5, 0, 1, 10]
        bytes += [2, 0, 0] + length(items.count) + items
      case 2: bytes += Array("GET /SECRET HTTP/1.1".utf8)
      case 3: bytes += [2, 0, 0, 0, 12, 9, 0, 9] + Array("SECRET...".utf8)
      default:
        bytes +=
          [1, 0, 0, 0, number, 0x7F, 0, 0, 0] + length(token.count) + token + length(payload.count) + payload
      }
    }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<40, using: &generator)))
    }
    return bytes
  }
}

/// Payloads of every kind, most of them nearly right.
enum RandomPayload {
  private static let pieces = [
    #""aps""#, #""alert""#, #""badge""#, #""sound""#, #""SECRET""#, #""a\u0062\n\"SECRET""#,
    #""\ud83d\ude00é漢""#,
    #""\q""#, #""\ud83d""#, "{", "}", "[", "]", ":", ",", " ", "\n", "1", "-0", "012", "123456789", "1.5e3",
    "true",
    "false", "null", "SECRET", "\"", "\\", "é", "\u{1}",
  ]
  private static let whole = [
    #"{"aps":{"alert":"SECRET"}}"#,
    #"{"aps":{"alert":{"body":"SECRET","loc-args":["SECRET",""]},"badge":3}}"#,
    #"{"aps":{"content-available":1}}"#, #"{"aps":{},"SECRET":{"SECRET":[1,2,"SECRET"]}}"#,
    #"{"aps":"","mdm":"SECRET"}"#,
    #"{"aps":{"badge":"SECRET"}}"#, #"{"a\u0070s":{"sound":"SECRET"}}"#, #"{"aps":{},"aps":{}}"#, "SECRET",
    "",
  ]

  static func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var text = whole.randomElement(using: &generator) ?? ""
    if Int.random(in: 0..<3, using: &generator) == 0 {
      text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      .joined()
    }
    var bytes: [UInt8]
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    case 1: bytes = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case 2:
      bytes = text.unicodeScalars.flatMap {
        [0, UInt8($0.value >> 16), UInt8($0.value >> 8 & 255), UInt8($0.value & 255)]
      }
    default: bytes = Array(text.utf8)
    }
    if Int.random(in: 0..<4, using: &generator) == 0, !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
        in: 0x20...255,
        using: &generator
      )
    }
    return bytes
  }
}
