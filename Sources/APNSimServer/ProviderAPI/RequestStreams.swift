import APNSimCore
import APNSimHTTP2
import APNSimWire
import NIOCore

/// The HTTP/2 side of a connection of requests: reads in and requests out, answers in and bytes out.
///
/// It knows no channel; whoever has it sends ``takeOutput()``.
struct RequestStreams: ~Copyable {
  /// The requests of one read, or as many of them as are taken before the first answers.
  struct Arrivals: ~Copyable {
    /// The streams that the provider gave up, ahead of all requests.
    var givenUp: [(stream: UInt32, code: HTTP2Code)] = []
    /// The requests that it brought to their end, in that order.
    var requests = RequestBatch()
    /// The malformed ones, each with the number of requests before it.
    var malformed: [(before: Int, MalformedRequest)] = []
    /// The number of bytes that were read. The others are taken after the answers.
    var read = 0
    /// Lines for the log.
    var notes: [String] = []
  }

  /// The settings that bear on it.
  struct Settings {
    /// SETTINGS_MAX_CONCURRENT_STREAMS.
    var streams: Int
    /// The same until the first good provider token; nil from the beginning.
    var firstTokenStreams: Int?
    var hasCertificate: Bool
    /// White space at the ends of values of `authorization` and `apns-…` does not count; otherwise it is malformed.
    var takesWhiteSpace = true
  }

  private var connection: ServerConnection
  private let authorizations: RequestAuthorizations
  private let settings: Settings
  private var waitsForToken: Bool
  /// The stream of a request after those that were handed over, whose header list is too large.
  private var tooLarge: UInt32?
  /// The fields of one request, in room that is used again.
  private var fields: [RequestField] = []
  /// The authorization of the last request, by its number.
  private var latest: (number: UInt32, authorization: RequestAuthorization)?

  init(_ settings: Settings, _ tokens: ProviderTokenVerifier) {
    self.settings = settings
    waitsForToken = settings.firstTokenStreams != nil && !settings.hasCertificate
    let first = waitsForToken ? settings.firstTokenStreams ?? settings.streams : settings.streams
    var limits = HTTP2Limits()
    limits.refusesExcessStreams = false
    limits.streams = max(limits.streams, settings.streams)
    connection = ServerConnection(limits: limits, maximumConcurrentStreams: UInt32(clamping: first))
    connection.takesWhiteSpace = settings.takesWhiteSpace
    authorizations = RequestAuthorizations(
      tokens,
      hasCertificate: settings.hasCertificate,
      most: min(max(settings.streams, 256), 4096)
    )
  }

  /// The connection is over, by an error of the peer's.
  var isOver: Bool { connection.isOver }

  /// Begins with SETTINGS and the connection's window, as far as the plan of its faults has them.
  mutating func start(_ plan: ConnectionPlan = .usual) {
    connection.answersPings = !plan.ignoresPings
    connection.acknowledgesSettings = !plan.ignoresSettings
    connection.start(givesWindow: !plan.isZeroWindow)
  }

  // MARK: Input

  /// The most that one read has said of it in the log.
  private static let mostNotes = 16

  /// Takes one read's worth of decrypted bytes.
  /// - Parameter now: in milliseconds, from anywhere: a request tells how long it took to be whole.
  mutating func receive(_ read: UnsafeRawBufferPointer, at now: UInt32) -> Arrivals {
    connection.mark = now
    let authorizations = authorizations
    var arrivals = Arrivals()
    arrivals.read = connection.receive(read) { authorizations.finding(about: $1, of: $0) }
    tooLarge = nil
    let count = connection.events.count
    if count > 0 {
      let byteCount = connection.headerBytes + read.count + count * RequestBatch.usualByteCount
      arrivals.requests = RequestBatch(requests: count, byteCount: byteCount)
    }
    for place in 0..<count {
      switch connection.events[place] {
      case .request(let request):
        if request.isHeaderListTooLarge {
          tooLarge = request.stream
        } else {
          decode(request, read, into: &arrivals.requests)
        }
      case .bound(let bound): arrivals.notes.append("a bound was met: \(bound.meaning)")
      case .failed(let error):
        let reason = ProviderToken.blotted(error.reason)
        arrivals.notes.append("\(reason) (GOAWAY, code \(error.code.rawValue))")
      case .goAway(_, let code, let debug) where code != .noError:
        let words = ProviderToken.blotted(String(decoding: debug.prefix(256), as: UTF8.self))
        let why = words.isEmpty ? "" : ": \(words)"
        arrivals.notes.append(
          "the provider ends with GOAWAY \(HTTP2Code(rawValue: code.rawValue).name)\(why)"
        )
      case .streamRefused(let stream, let code, let reason, let header):
        let refused = MalformedRequest(
          stream: stream,
          code: HTTP2Code(rawValue: code.rawValue),
          header: header,
          reason: "\(reason)"
        )
        if code == .protocolError { arrivals.malformed.append((arrivals.requests.count, refused)) }
        guard arrivals.notes.count < Self.mostNotes else { break }
        arrivals.notes.append(
          "stream \(stream) was refused: \(refused.words) (RST_STREAM, code \(code.rawValue))"
        )
      case .streamReset(let stream, let code):
        arrivals.givenUp.append((stream, HTTP2Code(rawValue: code.rawValue)))
      case .goAway, .streamIgnored, .settingsChanged, .settingsAcknowledged,
        .pingAcknowledged:
        break
      }
    }
    return arrivals
  }

  /// Sends what follows the answers to what was read: the answer to a header list that is too large, and what an error has
  /// to say.
  mutating func sendRest() {
    // RFC 6585 section 5: the request has no fields to be judged by.
    if let tooLarge { connection.respond(to: tooLarge, status: 431, apnsID: nil) }
    tooLarge = nil
    connection.release()
  }

  /// Hands a request over as what was found about its fields.
  private mutating func decode(
    _ request: HTTP2Request,
    _ read: UnsafeRawBufferPointer,
    into batch: inout RequestBatch
  ) {
    if request.whiteSpace.contains(.apns) { batch.noteWhiteSpace() }
    let list = connection.headersInPlace(of: request)
    let (count, isPlain) = note(list)
    if let body = request.body(in: read) { return add(request, list, count, isPlain, body, to: &batch) }
    let body = connection.body(of: request, in: read) { Array($0) }
    body.withUnsafeBytes { add(request, list, count, isPlain, $0, to: &batch) }
  }

  private mutating func add(
    _ request: HTTP2Request,
    _ list: HeaderList,
    _ count: Int,
    _ isPlain: Bool,
    _ body: UnsafeRawBufferPointer,
    to batch: inout RequestBatch
  ) {
    var authorization = authorization(request.credential)
    if request.whiteSpace.contains(.authorization) { authorization.isSurrounded = true }
    let openFor = connection.mark &- request.mark
    fields.withUnsafeBufferPointer {
      batch.append(
        stream: request.stream,
        headers: list.text,
        fields: UnsafeBufferPointer(rebasing: $0[..<count]),
        isPlain: isPlain,
        body: body,
        authorization: authorization,
        openFor: openFor
      )
    }
  }

  /// Notes those fields of a list that mean something.
  /// - Returns: their number, and false where some field has what may be a provider token.
  private mutating func note(_ list: HeaderList) -> (count: Int, isPlain: Bool) {
    if fields.count < list.rows.count {
      fields = Array(repeating: RequestField(.path, .absent), count: list.rows.count)
    }
    var (count, findings) = (0, 0 as UInt32)
    fields.withUnsafeMutableBufferPointer { fields in
      for row in list.rows {
        guard let header = RequestHeader(row.name) else {
          findings |= row.finding
          continue
        }
        var finding = row.finding
        if case .authorization = header { finding = 0 }
        findings |= finding
        fields[count] = RequestField(header, ByteRange(start: row.start, count: row.count), finding: finding)
        count &+= 1
      }
    }
    return (count, findings & RequestAuthorizations.token == 0)
  }

  private mutating func authorization(_ number: UInt32) -> RequestAuthorization {
    if let latest, latest.number == number { return latest.authorization }
    let found = authorizations.authorization(number)
    latest = (number, found)
    return found
  }

  /// The bytes of requests that are not finished, and of answers that wait for a window.
  var heldBytes: Int { connection.unfinishedBytes &+ connection.heldAnswerBytes }

  /// True while a request is begun and not finished.
  var hasUnfinished: Bool { connection.unfinishedBytes > 0 }

  /// Resets the streams of requests that were begun so long ago and are not finished.
  mutating func refuseUnfinished(after patience: Duration, at now: Timestamp) -> [MalformedRequest] {
    connection.mark = UInt32(truncatingIfNeeded: now.rawValue)
    let age = UInt32(clamping: Int64(patience / .milliseconds(1)))
    return connection.refuseUnfinished(since: age).map {
      MalformedRequest(stream: $0, code: .cancel, header: "", reason: "it was begun and not finished in time")
    }
  }

  /// Ends the connection: there is no room for what its provider makes the server hold.
  mutating func endForWantOfRoom() { connection.endForWantOfRoom() }

  // MARK: Output

  /// The bytes that are to be sent.
  var outputBytes: Int { connection.output.count }

  /// Answers requests, in order.
  mutating func answer(_ answers: [RequestAnswer]) {
    answers.withUnsafeBufferPointer { answers in
      for place in answers.indices { answer(answers[place]) }
    }
  }

  /// Answers a request, if its stream is still there.
  mutating func answer(_ answer: borrowing RequestAnswer) {
    if waitsForToken, answer.isAuthorized { openStreams() }
    let stream = answer.stream
    if answer.isPlain { return sendHeaders(of: answer, endsStream: true) }
    let body = answer.body
    switch answer.part {
    case .headers: return sendHeaders(of: answer, endsStream: false)
    case .whole:
      sendHeaders(of: answer, endsStream: body.isEmpty)
      if body.isEmpty { return }
    case .body: break
    }
    body.withUnsafeBytes { _ = connection.sendBody(on: stream, $0, endsStream: true) }
  }

  private mutating func sendHeaders(of answer: borrowing RequestAnswer, endsStream: Bool) {
    connection.sendHeaders(on: answer.stream, endsStream: endsStream) { output in
      HPACKEncoder.append(status: Int(answer.status), to: &output)
      answer.withHeaders { HPACKEncoder.append(name: $0, value: $1, to: &output) }
      if answer.isPlain { return }
      for header in answer.addedHeaders {
        Array(header.name.utf8).withUnsafeBytes { name in
          Array(header.value.utf8).withUnsafeBytes { HPACKEncoder.append(name: name, value: $0, to: &output) }
        }
      }
    }
  }

  /// Sends a frame of a fault. What comes is heard as before: what becomes of it is not decided here.
  mutating func send(_ frame: RequestFrame) {
    switch frame {
    case .goAway(let lastStream, let code, let debug):
      connection.output.appendGoAway(lastStream: lastStream, ErrorCode(rawValue: code.rawValue), debug: debug)
    case .resetStream(let stream, let code):
      guard connection.canAnswer(stream) else { break }
      connection.reset(stream, ErrorCode(rawValue: code.rawValue), counts: false)
    case .maxStreams(let count):
      waitsForToken = false
      connection.send(settings: [.maximumConcurrentStreams(count ?? UInt32(clamping: settings.streams))])
    }
  }

  /// A good token has come: as many streams as there are otherwise may be open from now on.
  private mutating func openStreams() {
    waitsForToken = false
    connection.send(settings: [.maximumConcurrentStreams(UInt32(clamping: settings.streams))])
  }

  /// Sends GOAWAY NO_ERROR with the service's word for why.
  /// - Parameter isRefused: nothing of what the provider sent is answered: the last stream is 0.
  mutating func goAway(_ reason: String, isRefused: Bool = false) {
    connection.sendGoAway(
      lastStream: isRefused ? 0 : connection.highestRequest,
      .noError,
      debug: Array(#"{"reason":"\#(reason)"}"#.utf8)
    )
  }

  /// Drops what was to be sent.
  mutating func dropOutput() { connection.output.removeAll() }

  /// Takes what is to be sent; nil where there is nothing.
  mutating func takeOutput() -> ByteBuffer? {
    guard !connection.output.isEmpty else { return nil }
    defer { connection.output.removeAll() }
    return ByteBuffer(bytes: connection.output.bytes)
  }

  /// Notes that everything sent before has left, or is about to.
  mutating func noteFlushed() { connection.noteFlushed() }

  /// Some time has passed: floods are counted anew.
  mutating func renewBudgets() { connection.renewBudgets() }
}

extension RequestAnswer {
  /// Its request got past the check of its provider token.
  fileprivate var isAuthorized: Bool { reason == nil || ![403, 404, 405, 429].contains(status) }

  /// Its request was refused for its authorization, or a rule says so.
  var isRefusedAuthorization: Bool {
    if case .tooManyProviderTokenUpdates? = reason { true } else { status == 403 }
  }
}

extension Bound {
  fileprivate var meaning: String {
    switch self {
    case .headerBlock: "a header block of more than 32 KiB"
    case .continuations: "a header block in more than 16 CONTINUATION frames"
    case .headerList: "a header list larger than SETTINGS_MAX_HEADER_LIST_SIZE"
    case .concurrentStreams: "more streams than SETTINGS_MAX_CONCURRENT_STREAMS"
    case .resets: "more than 10,000 streams reset ahead of those answered"
    case .idleFrames: "more than 10,000 frames that do nothing"
    case .acknowledgements: "more than 1,000 acknowledgements that are not read"
    case .heldAnswers: "more than 1 MiB of answers wait for a window that does not open"
    case .body: "a body of more than 16 KiB"
    case .bodies: "more than 8 MiB of unfinished bodies"
    }
  }
}
