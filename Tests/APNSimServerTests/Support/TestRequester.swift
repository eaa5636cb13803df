import APNSimHTTP2
import APNSimServer
import APNSimTLS
import Testing

/// A provider of requests in a test: HTTP/2 by hand over one TLS connection.
final class TestRequester {
  /// The answer on one stream.
  struct Answer: Equatable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""
    /// The code of RST_STREAM.
    var reset: UInt32?
    var isComplete = false

    /// `200`, `403 {"reason":"MissingProviderToken"}`.
    var text: String { body.isEmpty ? "\(status)" : "\(status) \(body)" }
  }

  struct GoAway: Equatable {
    var lastStream: UInt32
    var code: UInt32
    var debug: String
  }

  /// A request as a test writes it.
  struct Request {
    var method = "POST"
    var path = "/3/device/96385da767191121a851963983fdac9bbdf74dcf6219ae14ed8d082288aaebaf"
    var authorization: String?
    var headers: [(String, String)] = [("apns-topic", TestServer.topic)]
    var body = Array(#"{"aps":{"alert":"hi"}}"#.utf8)
  }

  let provider: TestProvider
  private(set) var answers: [UInt32: Answer] = [:]
  private(set) var goAways: [GoAway] = []
  /// SETTINGS in the order in which they came, acknowledgements left out.
  private(set) var settings: [[UInt16: UInt32]] = []
  /// The frames that came, in order: `HEADERS 1`, `DATA 1`, `RST_STREAM 3 7`, `GOAWAY 1`, `SETTINGS`, `PING`.
  private(set) var frames: [String] = []
  /// Our SETTINGS that were acknowledged.
  private(set) var acknowledged = 0
  private(set) var windowUpdates = 0
  private var received: [UInt8] = []
  private var lastStream: UInt32 = 0

  init(_ provider: TestProvider) { self.provider = provider }

  /// Connects and sends the preface.
  static func connect(
    _ test: TestServer,
    port: Int? = nil,
    as identity: TLSIdentity? = nil,
    isPaused: Bool = false,
    tls: (inout TLSClientOptions) -> Void = { $0.maximum = .v1_3 }
  ) async throws -> TestRequester {
    let port = try port ?? #require(test.endpoints.http2Port)
    let provider = try await TestProvider.connect(port, as: identity, isPaused: isPaused, tls: tls)
    let requester = TestRequester(provider)
    try await provider.send(Self.opening)
    return requester
  }

  static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + bytes { $0.appendSettings([]) }

  static func bytes(_ write: (inout GrowingBytes) -> Void) -> [UInt8] {
    var buffer = GrowingBytes()
    write(&buffer)
    return Array(buffer.bytes)
  }

  func takeStream() -> UInt32 {
    lastStream = lastStream == 0 ? 1 : lastStream + 2
    return lastStream
  }

  static func headers(_ request: Request, on stream: UInt32) -> [UInt8] {
    var fields = [(":method", request.method), (":scheme", "https"), (":path", request.path)]
    fields.append((":authority", "localhost"))
    if let authorization = request.authorization { fields.append(("authorization", authorization)) }
    let block = bytes { block in
      for (name, value) in fields + request.headers {
        HPACKEncoder.append(name: Array(name.utf8), value: Array(value.utf8), to: &block)
      }
    }
    let flags: FrameFlags = request.body.isEmpty ? [.endHeaders, .endStream] : .endHeaders
    return bytes { $0.appendFrame(.headers, flags: flags, stream: stream, payload: block) }
  }

  static func data(_ body: some Collection<UInt8>, on stream: UInt32, isLast: Bool = true) -> [UInt8] {
    bytes { $0.appendFrame(.data, flags: isLast ? .endStream : [], stream: stream, payload: Array(body)) }
  }

  /// The frames of a request on the next stream.
  func frames(_ request: Request) -> (stream: UInt32, bytes: [UInt8]) {
    let stream = takeStream()
    let body = request.body.isEmpty ? [] : Self.data(request.body, on: stream)
    return (stream, Self.headers(request, on: stream) + body)
  }

  /// Sends a request and returns its answer.
  func push(_ request: Request) async throws -> Answer {
    let (stream, bytes) = frames(request)
    try await provider.send(bytes)
    return await answer(stream)
  }

  /// Waits for the answer on a stream; what has come of it where the connection ends before.
  func answer(_ stream: UInt32) async -> Answer {
    while answers[stream]?.isComplete != true { guard await readMore() else { break } }
    return answers[stream] ?? Answer()
  }

  func answers(_ streams: [UInt32]) async -> [Answer] {
    var all: [Answer] = []
    for stream in streams { all.append(await answer(stream)) }
    return all
  }

  /// Waits for so many SETTINGS.
  func settings(_ count: Int) async -> [[UInt16: UInt32]] {
    while settings.count < count { guard await readMore() else { break } }
    return settings
  }

  /// Reads to the server's end of output.
  func readToEnd() async { while await readMore() {} }

  private func readMore() async -> Bool {
    let more = await provider.read(1)
    received += more
    takeFrames()
    return !more.isEmpty
  }

  private func takeFrames() {
    let used = received.withUnsafeBytes { bytes in
      var offset = 0
      while let header = FrameHeader(in: bytes, at: offset) {
        let end = offset + FrameHeader.byteCount + header.length
        guard end <= bytes.count else { break }
        take(header, UnsafeRawBufferPointer(rebasing: bytes[(end - header.length)..<end]))
        offset = end
      }
      return offset
    }
    received.removeFirst(used)
  }

  private func take(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    let isLast = header.flags.contains(.endStream)
    note(header, payload)
    switch header.type {
    case .headers:
      var answer = answers[header.stream] ?? Answer()
      for (name, value) in Self.decode(payload) {
        if name == ":status" { answer.status = Int(value) ?? 0 } else { answer.headers[name] = value }
      }
      answer.isComplete = isLast
      answers[header.stream] = answer
    case .data:
      answers[header.stream, default: Answer()].body += String(decoding: payload, as: UTF8.self)
      if isLast { answers[header.stream]?.isComplete = true }
    case .resetStream:
      answers[header.stream, default: Answer()].reset = payload.bigEndian(UInt32.self, at: 0)
      answers[header.stream]?.isComplete = true
    case .settings where !header.flags.contains(.acknowledgement):
      var values: [UInt16: UInt32] = [:]
      for place in stride(from: 0, to: payload.count, by: 6) {
        values[payload.bigEndian(UInt16.self, at: place)] = payload.bigEndian(UInt32.self, at: place + 2)
      }
      settings.append(values)
    case .goAway:
      goAways.append(
        GoAway(
          lastStream: payload.bigEndian(UInt32.self, at: 0),
          code: payload.bigEndian(UInt32.self, at: 4),
          debug: String(decoding: payload.dropFirst(8), as: UTF8.self)
        )
      )
    default: break
    }
  }

  private func note(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    let isAcknowledgement = header.flags.contains(.acknowledgement)
    switch header.type {
    case .headers: frames.append("HEADERS \(header.stream)")
    case .data: frames.append("DATA \(header.stream)")
    case .resetStream: frames.append("RST_STREAM \(header.stream) \(payload.bigEndian(UInt32.self, at: 0))")
    case .goAway: frames.append("GOAWAY \(payload.bigEndian(UInt32.self, at: 0))")
    case .settings where isAcknowledgement: acknowledged += 1
    case .settings: frames.append("SETTINGS")
    case .ping: frames.append(isAcknowledgement ? "PING acknowledged" : "PING")
    case .windowUpdate: windowUpdates += 1
    default: break
    }
  }

  /// Reads until something has come.
  func wait(until isThere: (TestRequester) -> Bool) async {
    while !isThere(self) { guard await readMore() else { break } }
  }

  private static func decode(_ block: UnsafeRawBufferPointer) -> [(String, String)] {
    var decoder = HPACKDecoder()
    var lists = HeaderLists()
    var facts = HeaderFacts(.response)
    guard decoder.decode(block, into: &lists, &facts, finding: { _, _ in 1 }) == nil else { return [] }
    return lists.latest.map { ($0.nameText, $0.valueText) }
  }
}
