import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimCapture
@testable import APNSimImport

@Suite struct `Importing HTTP archives` {
  private static let device =
    "https://api.sandbox.push.apple.com/3/device/" + String(repeating: "ab", count: 32)

  private static func entry(
    _ time: String,
    url: String = device,
    status: Int = 200,
    body: String = #"{\"aps\":{}}"#,
    headers: String = #"{"name":"Authorization","value":"bearer a.b.c"},{"name":"apns-topic","value":"t"}"#,
    answer: String = "",
    more: String = ""
  ) -> String {
    #"{"startedDateTime":"\#(time)","time":12.5,\#(more)"request":{"method":"POST","url":"\#(url)","#
      + #""httpVersion":"HTTP/2.0","headers":[{"name":":path","value":"/x"},\#(headers)],"#
      + #""postData":{"mimeType":"","text":"\#(body)"},"bodySize":10},"#
      + #""response":{"status":\#(status),"headers":[{"name":"Apns-Id","value":"A"}],"#
      + #""content":{"size":1,"mimeType":"","text":"\#(answer)"}}}"#
  }

  private static func read(
    _ entries: [String]
  ) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "a.har",
      #" {"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#
    )
    var found: [CaptureEntry] = []
    var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { found.append($0) })
    try capture.read([file])
    return (found, capture.finish())
  }

  @Test func `a request and its answer stand at their times, with the names of HTTP/2`() throws {
    let (entries, summary) = try Self.read([
      Self.entry(
        "2026-06-01T00:00:00.250+02:00",
        status: 410,
        answer: #"{\"reason\":\"Unregistered\",\"timestamp\":5}"#
      )
    ])
    #expect(entries.map(\.kind.name) == ["connectionOpened", "request", "answered", "captureEnded"])
    #expect(entries[1].time.description == "2026-05-31T22:00:00.250Z")
    #expect(
      entries[2].time - entries[1].time == .milliseconds(13)
        || entries[2].time - entries[1].time == .milliseconds(12)
    )
    guard case .stream(_, .request(let evidence)) = entries[1].kind,
      let request = CapturedRequest(evidence: evidence)
    else {
      Issue.record("no request")
      return
    }
    #expect(
      request.fields.map(\.name) == [
        ":method", ":scheme", ":authority", ":path", "authorization", "apns-topic",
      ]
    )
    #expect(
      request.value(":path")?.hasPrefix("/3/device/abab") == true && request.value("authorization") == ""
    )
    #expect(request.body == Array(#"{"aps":{}}"#.utf8) && request.authorization.scheme == .bearer)
    #expect(evidence.firstRange(of: Array("a.b.c".utf8)) == nil)
    guard case .stream(_, .answered(let answer)) = entries[2].kind else { return }
    #expect(answer == CapturedAnswer(stream: 1, status: 410, reason: "Unregistered", id: "A", timestamp: 5))
    #expect(summary.requests == 1 && summary.answers == 1 && summary.requestsWithoutAnswer == 0)
    guard case .connectionOpened(let connection) = entries[0].kind else { return }
    #expect(connection.listener == .http2 && connection.provider.environment == .sandbox)
  }

  @Test func `a request without an answer is said, and others' requests are left out`() throws {
    let (entries, summary) = try Self.read([
      Self.entry("2026-06-01T00:00:01Z", status: 0),
      Self.entry("2026-06-01T00:00:00Z", url: "https://example.com/"),
      Self.entry("yesterday"),
      Self.entry("2026-06-01T00:00:00Z"),
    ])
    #expect(summary.notes.contains { $0.contains("entry 3 left out: startedDateTime") })
    #expect(summary.requests == 2 && summary.answers == 1 && summary.requestsWithoutAnswer == 1)
    #expect(summary.notes.contains { $0.contains("1 request to other services left out (example.com)") })
    let streams = entries.compactMap { entry -> UInt32? in
      if case .stream(_, .request(let evidence)) = entry.kind {
        CapturedRequest.stream(of: evidence)
      } else {
        nil
      }
    }
    #expect(streams == [1, 3])
  }

  @Test func `connections are told apart where the archive names them`() throws {
    let (entries, summary) = try Self.read([
      Self.entry("2026-06-01T00:00:00Z", more: #""connection":"17","#),
      Self.entry("2026-06-01T00:00:01Z", more: #""connection":"18","#),
    ])
    #expect(summary.requestConnections == 2 && !summary.notes.contains { $0.contains("not named") })
    #expect(entries.count { $0.kind.name == "connectionOpened" } == 2)
  }

  @Test func `an archive without a provider's headers or bodies says so`() throws {
    let (_, summary) = try Self.read([
      Self.entry("2026-06-01T00:00:00Z", body: "", headers: #"{"name":"apns-topic","value":"t"}"#)
    ])
    #expect(summary.notes.contains { $0.contains("1 request without a provider token") })
    #expect(summary.notes.contains { $0.contains("1 request without the whole body") })
  }

  @Test func `a header list that no line has room for is left out and said`() throws {
    let long = #"{"name":"x","value":"\#(String(repeating: "y", count: 60_000))"}"#
    let headers = [String](repeating: long, count: 18).joined(separator: ",")
    let (entries, summary) = try Self.read([
      Self.entry("2026-06-01T00:00:00Z", headers: headers), Self.entry("2026-06-01T00:00:00Z"),
    ])
    #expect(summary.requests == 1 && entries.count { $0.kind.name == "request" } == 1)
    #expect(
      summary.notes.contains { $0.contains("entry 1 left out: a header list of at most 1 MiB was expected") },
      "\(summary.notes)"
    )
  }

  @Test(arguments: [
    #"{"log":{"entries":[]}}"#, #"{"log":{}}"#, #"{"log":"#, #"{"log":{"entries":[{"request":{}}]}}"#,
  ])
  func `what is no archive of APNs is refused`(text: String) throws {
    let file = try TemporaryDirectory().write("a.har", text)
    var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { _ in })
    #expect(throws: ImportError.self) { try capture.read([file]) }
  }

  private static func request(_ entry: String) throws -> CapturedRequest {
    let (entries, _) = try read([entry])
    let evidence: [UInt8]? =
      if case .stream(_, .request(let bytes))? = entries.dropFirst().first?.kind { bytes } else { nil }
    return try #require(CapturedRequest(evidence: evidence ?? []))
  }

  @Test func `a body that was cut into the parts of a form is put together`() throws {
    let entry = Self.entry("2026-06-01T00:00:00Z").replacing(
      #""text":"{\"aps\":{}}""#,
      with: #""params":[{"name":"%7B%22a%22:1","value":"2 %"},{"name":"b%7D","value":""}]"#
    )
    #expect(try Self.request(entry).body == Array(#"{"a":1=2 %&b}"#.utf8))
  }

  @Test(arguments: ["+0200", "+02:00"])
  func `an offset from UTC has a colon or none`(offset: String) throws {
    let (entries, _) = try Self.read([Self.entry("2026-06-01T00:00:00.250\(offset)")])
    #expect(entries[1].time.description == "2026-05-31T22:00:00.250Z")
  }

  @Test(arguments: [":authority", "Host"])
  func `the environment is that of the host that the request names, where the URL has an address`(
    header: String
  ) throws {
    let name = #"{"name":"\#(header)","value":"api.sandbox.push.apple.com"}"#
    let (entries, _) = try Self.read([
      Self.entry("2026-06-01T00:00:00Z", url: "https://192.0.2.20/3/device/ab", headers: name)
    ])
    guard case .connectionOpened(let connection)? = entries.first?.kind else {
      Issue.record("no connection")
      return
    }
    #expect(connection.provider.environment == .sandbox)
  }

  @Test(arguments: [
    "", #"{"name":"authorization","value":"[redacted]"},"#,
    #"{"name":"authorization","value":"Bearer ***"},"#,
  ])
  func `a provider token that an archive leaves out is taken as the answer says`(header: String) throws {
    for (status, reason) in [
      (200, nil), (410, "Unregistered"), (403, "MissingProviderToken"), (403, "ExpiredProviderToken"),
    ] as [(Int, String?)] {
      let token = reason == "Unregistered" ? "41504e53494dfb00" + String(repeating: "0", count: 48) : nil
      let entry = Self.entry(
        "2026-06-01T00:00:00Z",
        url: token.map { "https://api.push.apple.com/3/device/\($0)" } ?? Self.device,
        status: status,
        headers: header + #"{"name":"apns-topic","value":"t"},{"name":"apns-push-type","value":"alert"}"#,
        answer: reason.map { #"{\"reason\":\"\#($0)\"}"# } ?? ""
      )
      // Something in the place of a token is one.
      guard header.isEmpty || reason != "MissingProviderToken" else { continue }
      #expect(try Self.replayed([entry]).isSame, "\(status)")
    }
  }

  private static func replayed(_ texts: [String]) throws -> ReplayResult {
    let (entries, _) = try read(texts)
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "har", name: "x")
    var writer = CaptureWriter(header)
    for entry in entries { writer.write(entry) }
    return try Replay(CaptureReader(name: "x", bytes: writer.takeLines())).run()
  }

  @Test func `archives that were reported are read as they were sent`() throws {
    func read(_ name: String) throws -> ([CaptureEntry], ImportSummary) {
      var found: [CaptureEntry] = []
      var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { found.append($0) })
      try capture.read([Fixtures.root.appendingPathComponent("reports/\(name)").path])
      return (found, capture.finish())
    }
    #expect(try read("sanitized.har").1.notes.contains { $0.contains("3 requests without a provider token") })
    guard case .stream(_, .request(let evidence)) = try read("params-only.har").0[1].kind,
      case .connectionOpened(let connection) = try read("address-in-url.har").0[0].kind
    else {
      Issue.record("no request")
      return
    }
    #expect(CapturedRequest(evidence: evidence)?.body == Array(#"{"aps":{"alert":"Zeitung 1"}}"#.utf8))
    #expect(connection.provider.environment == .sandbox)
  }

  @Test func `an import is replayed without a network, and its answers are compared`() throws {
    func replay(_ status: Int, _ answer: String) throws -> ReplayResult {
      try Self.replayed([Self.entry("2026-06-01T00:00:00Z", status: status, answer: answer)])
    }
    let malformed = #"{\"reason\":\"InvalidProviderToken\"}"#
    #expect(try replay(403, malformed).isSame)
    let other = try replay(200, "")
    #expect(other.differences == 1 && other.firstDifference?.kind == .request)
    #expect(other.notifications == 1)
  }
}

extension CaptureEntry.Kind {
  /// The name of the event, for entries of imports.
  fileprivate var name: String {
    switch self {
    case .connectionOpened: "connectionOpened"
    case .stream(_, let happening): happening.name
    case .captureEnded: "captureEnded"
    default: "other"
    }
  }
}
