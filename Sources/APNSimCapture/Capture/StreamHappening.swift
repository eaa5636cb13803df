package import APNSimCore
import APNSimHTTP2
import APNSimWire

/// An event of a stream of a captured HTTP/2 connection, or of all of its streams.
package enum StreamHappening: Hashable, Sendable {
  /// A request without a verdict, as `RequestEvidence`: of a capture that no simulator recorded.
  case request([UInt8])
  /// An answer that did not leave with the verdict: a delayed one, or one of a capture that no simulator recorded.
  case answered(CapturedAnswer)
  /// A simulator's RST_STREAM for what was no request.
  case malformed(MalformedRequest)
  /// RST_STREAM, with the name of its code.
  case reset(stream: UInt32, code: String, byService: Bool)
  /// GOAWAY of the service.
  case goAway(CapturedGoAway)
}

/// The answer to a request, as a capture shows it.
package struct CapturedAnswer: Hashable, Sendable {
  package var stream: UInt32
  /// Nil where nothing was answered, or where the request's own line says it.
  package var status: UInt16?
  package var reason: String?
  /// `apns-id`, or `apns-request-id` of a request about channels.
  package var id: String?
  /// Of a 410, in milliseconds since 1970.
  package var timestamp: Int64?
  /// True where the line of a request says what was answered later.
  package var isLater = false
  /// True where the line of a request says that it came after GOAWAY, and was not taken.
  package var isDiscarded = false
  /// The notification of a simulator's recording that it answers: `n57` without its letter.
  package var notification: UInt64?

  package init(
    stream: UInt32,
    status: UInt16? = nil,
    reason: String? = nil,
    id: String? = nil,
    timestamp: Int64? = nil
  ) {
    (self.stream, self.status, self.reason) = (stream, status, reason)
    (self.id, self.timestamp) = (id, timestamp)
  }

  /// Status and reason, as `410 Unregistered`; nil where nothing was answered.
  package var text: String? { status.map { "\($0)" + (reason.map { " \($0)" } ?? "") } }
}

/// A service's notice that it takes no further streams.
package struct CapturedGoAway: Hashable, Sendable {
  package var lastStream: UInt32
  /// The name of the code: `NO_ERROR`.
  package var code: String
  /// The debug data as text: `{"reason":"Shutdown"}`.
  package var debug: String

  package init(lastStream: UInt32, code: String, debug: String) {
    (self.lastStream, self.code, self.debug) = (lastStream, code, debug)
  }
}

extension StreamHappening {
  /// The names of the events that are one.
  static let names: Set<String> = ["request", "answered", "streamReset", "goAway"]

  /// Reads a line's members.
  /// - Throws: what was expected, for a line that lacks it.
  init(_ event: String, _ fields: borrowing LineFields) throws(LineFields.Failure) {
    func stream(_ key: StaticString) throws(LineFields.Failure) -> UInt32 {
      guard let number = fields.int(key).flatMap({ UInt32(exactly: $0) }), number < 1 << 31 else {
        throw LineFields.Failure(description: "expected \"\(key)\" with a number below 2^31")
      }
      return number
    }
    switch event {
    case "request":
      var bytes: [UInt8] = []
      guard fields.base64("raw", into: &bytes), bytes.withUnsafeBytes({ RequestEvidence($0) != nil }) else {
        throw LineFields.Failure(description: "expected \"raw\" with a request in Base64")
      }
      self = .request(bytes)
    case "answered":
      var answer = CapturedAnswer(stream: try stream("stream"))
      answer.status = fields.int("status").flatMap { UInt16(exactly: $0) }
      answer.reason = fields.string("reason")
      answer.id = fields.string("apnsId")
      answer.timestamp = fields.int("timestamp").map { Int64($0) }
      answer.notification = fields.number("notification", after: "n")
      self = .answered(answer)
    case "streamReset":
      if fields.equals("by", "service"), let reason = fields.string("reason") {
        let code = fields.string("code").flatMap { HTTP2Code(spelled: $0) } ?? HTTP2Code.protocolError
        let (stream, header) = (try stream("stream"), fields.string("header") ?? "")
        self = .malformed(MalformedRequest(stream: stream, code: code, header: header, reason: reason))
        return
      }
      self = .reset(
        stream: try stream("stream"),
        code: fields.string("code") ?? HTTP2Code.noError.name,
        byService: fields.equals("by", "service")
      )
    default:
      self = .goAway(
        CapturedGoAway(
          lastStream: try stream("lastStream"),
          code: fields.string("code") ?? HTTP2Code.noError.name,
          debug: fields.string("debug") ?? ""
        )
      )
    }
  }

  /// The frame that the members of a fault's line say the service sent, and its connection.
  static func frame(ofFault fields: borrowing LineFields) -> (ConnectionID, StreamHappening)? {
    guard let code = fields.string("code"),
      let id = fields.string("connection").flatMap({ ConnectionID($0) })
    else { return nil }
    if let last = fields.int("lastStream").flatMap({ UInt32(exactly: $0) }) {
      let debug = fields.string("debug") ?? ""
      return (id, .goAway(CapturedGoAway(lastStream: last, code: code, debug: debug)))
    }
    return fields.int("stream").flatMap { UInt32(exactly: $0) }
      .map { (id, .reset(stream: $0, code: code, byService: true)) }
  }

  var isRequest: Bool { if case .request = self { true } else { false } }

  /// The name of its event.
  var name: String {
    switch self {
    case .request: "request"
    case .answered: "answered"
    case .reset, .malformed: "streamReset"
    case .goAway: "goAway"
    }
  }

  /// Writes the members of its line after the connection.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .request(let evidence):
      writer.member("stream", evidence.withUnsafeBytes { RequestEvidence($0)?.stream ?? 0 })
      writer.member("raw", base64: evidence)
    case .answered(let answer):
      writer.member("stream", answer.stream)
      if let notification = answer.notification { writer.member("notification", "n\(notification)") }
      if let status = answer.status { writer.member("status", status) }
      if let reason = answer.reason { writer.member("reason", reason) }
      if let id = answer.id { writer.member("apnsId", id) }
      if let timestamp = answer.timestamp { writer.member("timestamp", timestamp) }
    case .malformed(let malformed):
      malformed.writeMembers(to: &writer)
      writer.member("by", "service")
    case .reset(let stream, let code, let byService):
      writer.member("stream", stream)
      writer.member("code", code)
      writer.member("by", byService ? "service" : "provider")
    case .goAway(let notice):
      writer.member("lastStream", notice.lastStream)
      writer.member("code", notice.code)
      if !notice.debug.isEmpty { writer.member("debug", notice.debug) }
    }
  }
}

extension CaptureReader {
  /// The answer that the line of the last entry has, which is a request's of a simulator's recording.
  package var answer: CapturedAnswer? {
    withLine { fields, _ in
      guard let stream = fields.int("stream").flatMap({ UInt32(exactly: $0) }) else { return nil }
      var answer = CapturedAnswer(
        stream: stream,
        status: fields.int("status").flatMap { UInt16(exactly: $0) },
        reason: fields.string("reason"),
        id: fields.string("apnsId")
      )
      answer.isLater = fields.raw("answerWaits")?.elementsEqual("true".utf8) ?? false
      answer.isDiscarded = fields.equals("outcome", "discarded")
      return answer
    }
  }

  /// The frame that the line of a fault says the service sent: GOAWAY, or RST_STREAM for its stream.
  package var faultFrame: (ConnectionID, StreamHappening)? {
    withLine { fields, _ in StreamHappening.frame(ofFault: fields) }
  }
}
