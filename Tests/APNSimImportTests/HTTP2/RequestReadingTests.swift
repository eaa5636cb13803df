import APNSimCapture
import APNSimCore
import APNSimHTTP2
import APNSimWire
import Testing

@testable import APNSimImport

/// Bytes of a connection as a client and a server write them.
enum HTTP2Bytes {
  static let path = "/3/device/" + String(repeating: "ab", count: 32)
  static let preface = FrameReading.preface + frame(.settings, [])

  static func frame(_ type: FrameType, _ payload: [UInt8], flags: FrameFlags = [], stream: UInt32 = 0)
    -> [UInt8]
  {
    var bytes = GrowingBytes()
    bytes.appendFrame(type, flags: flags, stream: stream, payload: payload)
    return Array(bytes.bytes)
  }

  /// A header block whose fields are added to the table.
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    var bytes = GrowingBytes()
    for (name, value) in fields {
      HPACKEncoder.append(name: Array(name.utf8), value: Array(value.utf8), .incrementalIndexing, to: &bytes)
    }
    return Array(bytes.bytes)
  }

  /// A block of fields that stand in the table, by their places, the newest being 0.
  static func block(known places: [Int]) -> [UInt8] {
    var bytes = GrowingBytes()
    for place in places { HPACKEncoder.append(index: 62 + place, to: &bytes) }
    return Array(bytes.bytes)
  }

  static let fields = [
    (":method", "POST"), (":scheme", "https"), (":path", path), ("authorization", "bearer a.b.c"),
    ("apns-topic", "com.example.app"),
  ]

  /// A request whose fields all go into the table, and one that names them there.
  static let requests =
    preface + frame(.headers, block(fields), flags: .endHeaders, stream: 1)
    + frame(.data, Array("{}".utf8), flags: .endStream, stream: 1)
    + frame(.headers, block(known: [4, 3, 2, 1, 0]), flags: .endHeaders, stream: 3)
    + frame(.data, Array("{\"aps\":{}}".utf8), flags: .endStream, stream: 3)

  static let answers =
    frame(.settings, [])
    + frame(
      .headers,
      block([(":status", "200"), ("apns-id", "A")]),
      flags: [.endHeaders, .endStream],
      stream: 1
    )
    + frame(.headers, block([(":status", "410"), ("apns-id", "B")]), flags: .endHeaders, stream: 3)
    + frame(
      .data,
      Array(#"{"reason":"Unregistered","timestamp":17}"#.utf8),
      flags: .endStream,
      stream: 3
    )
}

private let time = Timestamp(seconds: 1)

@Suite struct `Reading HTTP/2 out of a capture` {
  private static func reading(isPartial: Bool = false) -> RequestReading {
    RequestReading(TokenReading(), hasCertificate: false, isPartial: isPartial)
  }

  private static func requests(_ happenings: [StreamHappening]) -> [CapturedRequest] {
    happenings.compactMap {
      if case .request(let evidence) = $0 { CapturedRequest(evidence: evidence) } else { nil }
    }
  }

  @Test func `the words that an export has in the place of a token count as a good one of the moment`() throws
  {
    let reading = Self.reading()
    let facts = ProviderTokenFacts(number: 9, keyID: "K", teamID: "T", issuedAt: 0, verdict: .good)
    let list = [(":method", "POST"), (":path", HTTP2Bytes.path), ("authorization", "")]
    let evidence = ProviderRequest(
      stream: 1,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: [],
      authorization: .bearer(facts)
    )
    var read: [StreamHappening] = []
    let opening = ExportedRequests.opening.filter { $0.side == .provider }.flatMap(\.bytes)
    let request = try #require(CapturedRequest(evidence: evidence.bytes))
    for bytes in [opening, ExportedRequests.request(request)] {
      read += reading.receive(bytes[...], from: .provider, at: time)
    }
    let token = Self.requests(read).first?.authorization.token
    #expect(token?.verdict == .good && token?.issuedAt == time.seconds)
  }

  @Test(arguments: [1, 7, 4096])
  func `requests and answers come out whole, however the bytes were cut`(size: Int) {
    let reading = Self.reading()
    func read(_ bytes: [UInt8], _ side: RequestReading.StreamSide) -> [StreamHappening] {
      stride(from: 0, to: bytes.count, by: size)
        .flatMap { reading.receive(bytes[$0..<min($0 + size, bytes.count)], from: side, at: time) }
    }
    let requests = Self.requests(read(HTTP2Bytes.requests, .provider))
    #expect(requests.map(\.stream) == [1, 3])
    #expect(requests.map { $0.value(":path") } == [HTTP2Bytes.path, HTTP2Bytes.path])
    #expect(requests.map(\.body) == [Array("{}".utf8), Array("{\"aps\":{}}".utf8)])
    #expect(requests.allSatisfy { $0.authorization.scheme == .bearer && $0.value("authorization") == "" })
    let answers = read(HTTP2Bytes.answers, .service)
    #expect(
      answers == [
        .answered(CapturedAnswer(stream: 1, status: 200, id: "A")),
        .answered(CapturedAnswer(stream: 3, status: 410, reason: "Unregistered", id: "B", timestamp: 17)),
      ]
    )
    #expect(reading.loss(of: .provider) == nil && reading.loss(of: .service) == nil)
  }

  @Test func `no evidence has a provider token`() {
    let happenings = Self.reading().receive(HTTP2Bytes.requests[...], from: .provider, at: time)
    for case .request(let evidence) in happenings {
      #expect(evidence.firstRange(of: Array("a.b.c".utf8)) == nil)
    }
    #expect(happenings.count == 2)
  }

  @Test func `a connection that was joined in the middle is not guessed at`() {
    let reading = Self.reading(isPartial: true)
    #expect(reading.receive(HTTP2Bytes.requests.dropFirst(50), from: .provider, at: time).isEmpty)
    #expect(reading.receive(HTTP2Bytes.answers[...], from: .service, at: time).isEmpty)
    #expect(reading.loss(of: .provider) == .joined && reading.loss(of: .service) == .joined)
  }

  @Test func `after a gap nothing more of that side is read, and the other goes on`() {
    let reading = Self.reading()
    let cut = HTTP2Bytes.requests.count - 15
    #expect(Self.requests(reading.receive(HTTP2Bytes.requests[..<cut], from: .provider, at: time)).count == 1)
    reading.miss(.provider)
    #expect(reading.receive(HTTP2Bytes.requests[cut...], from: .provider, at: time).isEmpty)
    #expect(reading.loss(of: .provider) == .gap && reading.unfinishedRequests == 1)
    #expect(reading.receive(HTTP2Bytes.answers[...], from: .service, at: time).count == 2)
  }

  @Test func `a request that came in pieces says how long it took`() {
    let reading = Self.reading()
    let cut = HTTP2Bytes.requests.count - 15
    _ = reading.receive(HTTP2Bytes.requests[..<cut], from: .provider, at: time)
    let rest = reading.receive(HTTP2Bytes.requests[cut...], from: .provider, at: time + .milliseconds(250))
    guard case .request(let evidence)? = rest.first else {
      Issue.record("no request")
      return
    }
    #expect(evidence.withUnsafeBytes { RequestEvidence($0)?.openFor } == 250)
    #expect(CapturedRequest(evidence: evidence)?.value(":path") == HTTP2Bytes.path)
  }

  @Test func `what ends streams and connections is read, and header blocks in pieces are`() {
    let reading = Self.reading()
    let block = HTTP2Bytes.block(HTTP2Bytes.fields)
    let bytes =
      HTTP2Bytes.preface + HTTP2Bytes.frame(.headers, Array(block[..<9]), flags: .endStream, stream: 5)
      + HTTP2Bytes.frame(.continuation, Array(block[9...]), flags: .endHeaders, stream: 5)
      + HTTP2Bytes.frame(.resetStream, [0, 0, 0, 8], stream: 7)
    let happenings = reading.receive(bytes[...], from: .provider, at: time)
    #expect(Self.requests(happenings).map(\.stream) == [5])
    #expect(happenings.last == .reset(stream: 7, code: "CANCEL", byService: false))
    let debug = Array(#"{"reason":"Shutdown"}"#.utf8)
    let notice = HTTP2Bytes.frame(.goAway, [0, 0, 0, 5, 0, 0, 0, 0] + debug)
    #expect(
      reading.receive(notice[...], from: .service, at: time) == [
        .goAway(CapturedGoAway(lastStream: 5, code: "NO_ERROR", debug: #"{"reason":"Shutdown"}"#))
      ]
    )
  }

  @Test func `damage ends the side it is in and is said`() {
    let reading = Self.reading()
    let bad =
      HTTP2Bytes.preface
      + HTTP2Bytes.frame(.headers, [0xFF, 0xFF, 0xFF, 0xFF], flags: .endHeaders, stream: 1)
    #expect(reading.receive(bad[...], from: .provider, at: time).isEmpty)
    #expect(reading.loss(of: .provider) == .damaged("its header compression cannot be followed"))
    let other = Self.reading()
    #expect(other.receive(Array("GET / HTTP/1.1\r\n".utf8)[...], from: .provider, at: time).isEmpty)
    #expect(other.loss(of: .provider) == .damaged("it does not begin as HTTP/2 does"))
  }
}
