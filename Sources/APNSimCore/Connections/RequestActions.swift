package import APNSimWire

/// The service's answer to one request, on its stream.
package struct RequestAnswer: Hashable, Sendable {
  package var stream: UInt32
  /// The number of the notification it answers; 0 for a request that is none.
  package var notification: UInt64
  package var answer: Answer
  private var supplied: IdentifierText
  private var special: Special?
  /// The part of it that leaves.
  package var part = Part.whole
  /// The way in which it leaves.
  package var cut = AnswerCut.none

  package enum Part: UInt8, Hashable, Sendable {
    case whole
    /// Its headers; the end of the stream is still to come.
    case headers
    /// Its body, which may be empty, and the end of the stream.
    case body
  }

  /// The parts that few answers have.
  struct Additions: Hashable, Sendable {
    var headers: [AnswerHeader] = []
    var body: [UInt8]?
    var channels = ChannelAnswer()
  }

  /// A piece of memory of their own: an answer is copied on its way.
  private final class Special: Hashable, Sendable {
    let additions: Additions

    init(_ additions: Additions) { self.additions = additions }

    static func == (left: Special, right: Special) -> Bool { left.additions == right.additions }

    func hash(into hasher: inout Hasher) { hasher.combine(additions) }
  }

  package init(
    stream: UInt32,
    notification: UInt64,
    answer: Answer,
    suppliedId: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    self.stream = stream
    self.notification = notification
    self.answer = answer
    supplied = IdentifierText(suppliedId)
    self.answer.supplied =
      suppliedId.isEmpty ? .absent : ByteRange(start: 0, count: UInt32(clamping: suppliedId.count))
  }

  package var status: UInt16 { answer.status }
  package var reason: Reason? { answer.reason }

  /// The `apns-id` that the provider chose, as it wrote it; empty where it chose none.
  package var suppliedId: [UInt8] { supplied.withBytes { Array($0) } }

  private(set) var additions: Additions {
    get { special?.additions ?? Additions() }
    set { special = newValue == Additions() ? nil : Special(newValue) }
  }

  /// Headers that a rule adds, in lower case, after those of ``withHeaders(_:)``.
  package var addedHeaders: [AnswerHeader] { special?.additions.headers ?? [] }

  /// The answer's word on channels: the identifier of a new one, or what was asked for.
  package var channels: ChannelAnswer {
    get { additions.channels }
    set { additions.channels = newValue }
  }

  /// Calls `body` with each header after `:status`, in order. The bytes are good during the call only.
  package func withHeaders(_ body: (StaticString, UnsafeRawBufferPointer) -> Void) {
    supplied.withBytes { bytes in
      guard let additions = special?.additions else { return answer.withHeaders(in: bytes, body) }
      additions.channels.id.withUnsafeBytes { channel in
        answer.withHeaders(in: bytes, channel: channel) { name, value in
          if !additions.headers.contains(where: { $0.name == "\(name)" }) { body(name, value) }
        }
      }
    }
  }

  /// The value of a header of the answer; nil where it has none of that name.
  package func header(_ name: String) -> String? {
    var found: String?
    withHeaders { if "\($0)" == name { found = String(decoding: $1, as: UTF8.self) } }
    return found ?? addedHeaders.first { $0.name == name }?.value
  }

  /// It leaves as a whole, without a body and without headers that a rule adds.
  package var isPlain: Bool {
    if case .whole = part { special == nil && answer.reason == nil } else { false }
  }

  /// The body: empty for a request that passed, unless it asked for something.
  package var body: [UInt8] {
    if let scripted = special?.additions.body { return scripted }
    var bytes = special?.additions.channels.body ?? []
    answer.appendBody(to: &bytes)
    return bytes
  }

  /// Says what a rule has it say instead.
  /// - Parameter body: nil for the one that the reason makes.
  mutating func say(_ status: UInt16, _ reason: Reason?, body: String?, headers: [AnswerHeader]) {
    (answer.status, answer.reason) = (status, reason)
    (additions.headers, additions.body) = (headers, body.map { Array($0.utf8) })
  }
}

extension RequestAnswer {
  /// Leaves the body out, as an answer to HEAD has none (RFC 9110, section 9.3.2).
  mutating func omitBody() { additions.body = [] }
}

/// The text of an identifier that a provider chose, where it lies in an answer.
struct IdentifierText: BitwiseCopyable, Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt32) = (0, 0, 0, 0, 0)
  private var count: UInt8 = 0

  /// Takes as much of a text as an identifier has.
  init(_ text: UnsafeRawBufferPointer) {
    let kept = UnsafeRawBufferPointer(rebasing: text.prefix(Identifier.textCount))
    count = UInt8(truncatingIfNeeded: kept.count)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: kept) }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words) { body(UnsafeRawBufferPointer(rebasing: $0[..<Int(count)])) }
  }

  static func == (left: IdentifierText, right: IdentifierText) -> Bool {
    left.count == right.count && left.words == right.words
  }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}

/// A header of an answer that a rule adds.
package struct AnswerHeader: Hashable, Sendable {
  /// In lower case, as HTTP/2 has it (RFC 9113, 8.2).
  package var name: String
  package var value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

/// The part of an answer that is about channels.
package struct ChannelAnswer: Hashable, Sendable {
  /// The identifier of a channel that was created, in Base64.
  package var id: [UInt8] = []
  /// A channel, or the list of them.
  package var body: [UInt8] = []
}

/// A frame that a fault sends, besides answers.
package enum RequestFrame: Hashable, Sendable {
  /// GOAWAY as it is, whatever was named before; the listener goes on hearing what comes.
  case goAway(lastStream: UInt32, HTTP2Code, debug: [UInt8])
  case resetStream(UInt32, HTTP2Code)
  /// SETTINGS with the number of streams that may be open at once; nil for the listener's own.
  case maxStreams(UInt32?)

  var byteCount: Int { if case .goAway(_, _, let debug) = self { debug.count } else { 0 } }

  /// `"lastStream":3,"code":"NO_ERROR","debug":"…"`, in an object that the caller has begun.
  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .goAway(let lastStream, let code, let debug):
      writer.member("lastStream", lastStream)
      writer.member("code", code.name)
      if !debug.isEmpty { writer.member("debug", String(decoding: debug, as: UTF8.self)) }
    case .resetStream(_, let code): writer.member("code", code.name)
    case .maxStreams(let count): if let count { writer.member("maxStreams", count) }
    }
  }
}

/// Actions for the listener to perform on a connection of requests after it handed some in.
package struct RequestActions: Sendable {
  /// The answers that leave now, in order. A request without one is answered later, or never.
  package var answers: [RequestAnswer] = []
  /// The frames of faults, each with the number of answers that leave before it.
  package private(set) var frames: [(after: Int, frame: RequestFrame)] = []
  package var ending = ConnectionEnding.none

  package init() {}

  package static let none = RequestActions()

  package var isEmpty: Bool { answers.isEmpty && frames.isEmpty && ending == .none }

  /// Nothing but answers, each of which leaves as it is.
  package var isPlain: Bool {
    guard frames.isEmpty else { return false }
    return answers.withUnsafeBufferPointer { answers in
      answers.indices.allSatisfy { answers[$0].cut == .none }
    }
  }

  mutating func append(_ frame: RequestFrame) { frames.append((answers.count, frame)) }

  /// Calls `answer` and `frame` with what leaves, in order.
  @inline(__always)
  package func perform(answer: (RequestAnswer) -> Void, frame: (RequestFrame) -> Void) {
    var next = frames.startIndex
    for (place, answered) in answers.enumerated() {
      while next < frames.endIndex, frames[next].after <= place {
        frame(frames[next].frame)
        next += 1
      }
      answer(answered)
    }
    for scripted in frames[next...] { frame(scripted.frame) }
  }
}

extension RequestAnswer: KeptByMembers {
  static let members = Members(
    { (stream, notification, answer, suppliedId: [UInt8], additions, leaving: Leaving) in
      var kept = suppliedId.withUnsafeBytes {
        Self(stream: stream, notification: notification, answer: answer, suppliedId: $0)
      }
      kept.answer = answer
      kept.additions = additions
      (kept.part, kept.cut) = (leaving.part, leaving.cut)
      return kept
    },
    \.stream,
    \.notification,
    \.answer,
    \.suppliedId,
    \.additions,
    \.leaving
  )

  /// The part that leaves, and its cut, in one byte: an answer that is not cut is written as it always was.
  private var leaving: Leaving { Leaving(part: part, cut: cut) }

  struct Leaving: Hashable {
    let part: Part
    let cut: AnswerCut
  }
}

extension RequestAnswer.Leaving: Kept {
  func write(to state: inout StateWriter) { state.write(raw: part.rawValue | cut.rawValue << 4) }

  init(reading state: inout StateReader) throws(StateError) {
    let byte = try state.raw(UInt8.self)
    guard let part = RequestAnswer.Part(rawValue: byte & 0x0F), let cut = AnswerCut(rawValue: byte >> 4)
    else {
      throw state.error("a part of an answer was expected, and \(byte) found")
    }
    self.init(part: part, cut: cut)
  }
}

extension RequestAnswer.Additions: KeptByMembers {
  static let members = Members(Self.init, \.headers, \.body, \.channels)
}

extension AnswerHeader: KeptByMembers {
  static let members = Members(Self.init, \.name, \.value)
}

extension ChannelAnswer: KeptByMembers {
  static let members = Members(Self.init, \.id, \.body)
}

extension RequestFrame: KeptByCases {
  enum Tag: UInt8, CaseIterable { case goAway, resetStream, maxStreams }

  func write(to state: inout StateWriter) {
    switch self {
    case .goAway(let lastStream, let code, let debug): state.write(Tag.goAway, lastStream, code, debug)
    case .resetStream(let stream, let code): state.write(Tag.resetStream, stream, code)
    case .maxStreams(let count): state.write(Tag.maxStreams, count)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .goAway: try state.read(Self.goAway)
      case .resetStream: try state.read(Self.resetStream)
      case .maxStreams: try state.read(Self.maxStreams)
      }
  }
}
