import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `A redacted request` {
  private typealias Fields = [(String, String)]

  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let digits = String(repeating: "deadbeef", count: 8)
  private static let path = "/3/device/\(digits)"
  private static let text = "SECRETtext"
  /// Header, claims and signature, as `apnsim certs jwt` writes them.
  private static let token =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoifQ.eyJpc3MiOiJBQkNERUZHSElKIiwiaWF0IjoxMzM4NTA4ODAwfQ."
    + String(repeating: "kQ3v_Zt-", count: 10) + "kQ3vZt"
  private static let secrets = [
    "deadbeef", "DEADBEEF", "3q2+796t", "%64%65", "secret", "kQ3v_Zt", "eyJhbGciOiJFUzI1NiIsImtp",
  ]

  private static let paths: [String] = [
    "/3/device/\(digits)d", "/3/device/\(digits.uppercased())", "/3/device/\(digits)\(digits)\(digits)",
    "/3/device/<\(String(repeating: "deadbeef ", count: 8))>", "/3/device/%64%65%61%64%62%65%65%66",
    "/3/device/3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=", "/3//device/\(digits)", "/3/Device/\(digits)",
    "/3/device\(digits)", "/v3/device/\(digits)", "https://localhost/3/device/\(digits)",
    "\(path)?alert=\(text)",
    "/4/broadcasts/apps/com.example.sim?\(text)", "/1/apps/\(text)/x/channels", "/3/device?jwt=\(token)",
    "/3/device/\(token)", "/1/apps/com.example sim\(text)/channels", "", "*", "/",
  ]

  private static let fields: [Fields] = [
    [("apns-collapse-id", digits)], [("apns-collapse-id", "\(text) \(digits)")],
    [("apns-collapse-id", token)],
    [("apns-token", digits), ("apns-alert", text), ("apns-auth", token)],
    [("user-agent", "\(digits) \(text) \(token)")],
    [("x-\(digits)", text), ("x-secret", "1"), ("x-\(token)", "1")], [("apns-priority", text)],
    [("apns-priority", "7")],
    [("apns-expiration", text)], [("apns-expiration", "99999999999999999999")], [("apns-push-type", text)],
    [("content-type", text)], [("apns-id", token)], [("apns-id", digits)],
    [("apns-topic", "com.example/\(text).voip")],
    [("apns-topic", digits)], [("apns-topic", token)],
    [("apns-channel-id", "3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=")],
    [("host", digits)], [("te", text)], [("cookie", "t=\(token)")], [("apns-id", text), ("apns-id", digits)],
    [(":\(text)", text)], [("", "")],
  ]

  private static func request(
    _ stream: UInt32,
    _ path: String,
    _ fields: Fields,
    method: String = "POST",
    body: String
  )
    -> ProviderRequest
  {
    let topic = fields.contains { $0.0 == "apns-topic" } ? [] : [("apns-topic", "com.example.sim")]
    let list =
      [(":method", method), (":path", path)] + topic + [("authorization", "bearer \(token)")] + fields
    return ProviderRequest(
      stream: stream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array(body.utf8),
      authorization: .bearer(
        ProviderTokenFacts(number: 1, keyID: digits, teamID: "TEAM", issuedAt: start.seconds, verdict: .good)
      )
    )
  }

  /// A journal of one request for each odd path and header.
  private static func journal() throws -> [String] {
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    var configuration = Configuration()
    configuration.storedPerApp = .collapseId
    let simulator = try Simulator(configuration: configuration, scenario: scenario, seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let provider = ProviderIdentity(topics: [], environment: .production, subject: "")
    let connection = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: provider), at: start)
    let body = #"{"aps":{"alert":"\#(text)"}}"#
    var requests: [ProviderRequest] = []
    func add(_ path: String, _ fields: Fields, method: String = "POST") {
      requests.append(request(UInt32(2 * requests.count + 1), path, fields, method: method, body: body))
    }
    for path in paths { add(path, []) }
    for fields in fields { add(path, fields) }
    add(path, [], method: text)
    for request in requests { _ = connection.receive([request], at: start + .seconds(1)) }
    connection.closed(.peerClosed, at: start + .seconds(2))
    return journal.text.split(separator: "\n").map(String.init)
  }

  private static func redacted(_ lines: [String]) -> [String] {
    let pseudonyms = TokenPseudonyms { bytes in
      var state = SeededGenerator(seed: bytes.reduce(7) { ($0 &* 31) ^ UInt64($1) })
      return (0..<32).map { _ in UInt8.random(in: 0...255, using: &state) }
    }
    var redactor = CaptureRedactor(pseudonyms)
    var output: [UInt8] = []
    for line in lines { Array(line.utf8).withUnsafeBytes { redactor.redact($0, into: &output) } }
    redactor.finish(into: &output)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A line and the bytes in it.
  private static func everything(in line: String) throws -> String {
    let raw = try JSONValue.parse(Array(line.utf8)).member("raw")?.stringValue
    return line + String(decoding: raw.flatMap { Base64.decode($0) } ?? [], as: UTF8.self)
  }

  @Test func `nothing of its token, text and provider token is left in a redacted request`() throws {
    let lines = try Self.journal()
    for (line, before) in zip(Self.redacted(lines), lines) {
      let found = try Self.everything(in: line)
      for secret in Self.secrets { #expect(!found.contains(secret) && !found.contains("SECRET"), "\(found)") }
      guard line.contains(#""raw":"#) else { continue }
      #expect(line.utf8.count == before.utf8.count, "\(line)\n\(before)")
    }
  }

  @Test func `a redacted request is replayed to its own journal, with the verdicts of before`() throws {
    let recorded = try Self.journal()
    let lines = Self.redacted(recorded)
    let replay = try Replay(NativeCapture.reader(lines))
    let journal = ReplayedJournal(replay)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.damage == nil && result.notifications == UInt64(Self.paths.count + Self.fields.count + 1))
    #expect(journal.lines.dropFirst() == lines.dropFirst())
    func verdicts(_ lines: [String]) throws -> [String] {
      try lines.map { line in
        let value = try JSONValue.parse(Array(line.utf8))
        return ["event", "outcome", "status", "reason", "check"].map { "\(value.member($0) ?? .null)" }
          .joined(separator: " ")
      }
    }
    #expect(try verdicts(lines) == verdicts(recorded))
  }

  /// A topic that looks like a device token gets a pseudonym as one does, and topics pair notifications.
  @Test func `only a topic that is a device token tells a redacted request from the one before`() throws {
    let lines = try Self.journal()
    let (one, other) = (try NativeCapture.reader(lines), try NativeCapture.reader(Self.redacted(lines)))
    let diff = CaptureDiff(
      CaptureDigest(one, isFilled: true),
      CaptureDigest(other, isFilled: true),
      comparesTimes: true,
      comparesConnections: true
    )
    let field = try #require(Self.fields.firstIndex { $0[0] == ("apns-topic", Self.digits) })
    let place = Self.paths.count + field
    #expect(diff.differences.map(\.a) == [place, nil], "\(diff)")
    #expect(diff.differences.map(\.b) == [nil, place])
  }

  @Test func `a redacted request has another collapse identifier of the same length for each one`() {
    let pseudonyms = TokenPseudonyms { bytes in
      [UInt8](repeating: UInt8(truncatingIfNeeded: bytes.reduce(3) { $0 &* 31 &+ Int($1) }), count: 32)
    }
    let texts = RequestTexts(pseudonyms)
    let identifiers = (0..<1000).map { "order-\($0)" } + (0..<10).map { "\($0)" }
    let filled = identifiers.map { texts.text($0, of: "apns-collapse-id") }
    #expect(Set(filled).count == identifiers.count)
    #expect(zip(filled, identifiers).allSatisfy { $0.utf8.count == $1.utf8.count })
    #expect(filled[0] != "order-0" && filled[0].contains("-"))
  }

  @Test func `redaction keeps a provider token out of any recording, and judges it as before`() throws {
    for line in try Self.journal() {
      let found = try Self.everything(in: line)
      #expect(!found.contains("kQ3v_Zt") && !found.contains("eyJpc3MiOiJB"), "\(found)")
    }
    for text in ["com.example.eyJohnson.app", "eyJ", "eyJhbGciOiJFUzI1NiJ9.x", "x.y.z", ""] {
      var bytes = Array(text.utf8)
      bytes.withUnsafeMutableBytes { ProviderToken.blot(in: $0) }
      #expect(bytes == Array(text.utf8))
    }
  }
}
