import APNSimHTTP2
import APNSimTestSupport

/// The bytes of a provider's HTTP/2 connection: nothing traps, and neither events nor answers depend on how they were
/// cut.
enum HTTP2Property {
  /// The first byte chooses the cuts, the second the bounds and what comes before; the rest is what a provider sends.
  static func violation(_ input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let (seed, choice) = (input[0], input[1])
    var bytes = choice & 1 == 0 ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) : []
    if choice & 3 == 0 { bytes += [0, 0, 0, 4, 0, 0, 0, 0, 0] }
    bytes += input.dropFirst(2)
    // Answers that take their time end their streams then: their moment is an input. At once, or at the end.
    for answers in [true, false] {
      if let found = violation(bytes, choice, seed, answers: answers) { return found }
    }
    return nil
  }

  private static func violation(_ bytes: [UInt8], _ choice: UInt8, _ seed: UInt8, answers: Bool) -> String? {
    let whole = run(bytes, choice, .whole, answers: answers)
    let cut = run(bytes, choice, .seeded(UInt64(seed)), answers: answers)
    if let found = whole.violation ?? cut.violation { return found }
    guard whole.events == cut.events else {
      let first = zip(whole.events, cut.events).first { $0 != $1 }
      return first.map { "cut by seed \(seed) an event is \($1), whole \($0)" }
        ?? "cut by seed \(seed) there are \(cut.events.count) events, whole \(whole.events.count)"
    }
    return whole.answers == cut.answers ? nil : "cut by seed \(seed) other bytes are sent"
  }

  private struct Outcome {
    var events: [String] = []
    var sent: [UInt8] = []
    var violation: String?

    /// The bytes that were sent but for windows: those are given back when half of one is used, wherever that is.
    var answers: [UInt8] {
      sent.withUnsafeBytes { bytes in
        var answers: [UInt8] = []
        var offset = 0
        while let header = FrameHeader(in: bytes, at: offset) {
          let end = min(offset + FrameHeader.byteCount + header.length, bytes.count)
          if header.type != .windowUpdate { answers += bytes[offset..<end] }
          offset = end
        }
        return answers
      }
    }
  }

  private static func run(_ bytes: [UInt8], _ choice: UInt8, _ cuts: Cuts, answers: Bool) -> Outcome {
    var connection = ServerConnection(
      limits: limits(choice),
      maximumConcurrentStreams: choice & 4 == 0 ? 1000 : 3,
      headerListSize: choice & 8 == 0 ? 8000 : 200
    )
    var outcome = Outcome()
    var names: [[UInt8]: UInt32] = [:]
    var requests: [UInt32] = []
    connection.start()
    for piece in cuts.pieces(of: bytes) {
      Array(piece).withUnsafeBytes { piece in
        var read = piece
        repeat {
          let count = connection.receive(read) { name, value in
            guard name == .authorization else { return 0 }
            let name = names[Array(value)] ?? UInt32(names.count + 1)
            names[Array(value)] = name
            return name
          }
          for event in connection.events {
            outcome.events.append(description(of: event, connection, read))
            guard case .request(let request) = event else { continue }
            requests.append(request.stream)
            if answers { answer(request.stream, &connection) }
          }
          connection.release()
          read = UnsafeRawBufferPointer(rebasing: read.dropFirst(count))
        } while !read.isEmpty
      }
      if connection.openStreams > connection.limits.streams {
        outcome.violation = "too many streams are open"
      }
    }
    if !connection.isOver { for stream in requests { answer(stream, &connection) } }
    outcome.sent = Array(connection.output.bytes)
    outcome.violation = outcome.violation ?? flaw(of: outcome.sent)
    return outcome
  }

  /// Half of the inputs meet bounds after a few frames.
  private static func limits(_ choice: UInt8) -> HTTP2Limits {
    var limits = HTTP2Limits()
    guard choice & 16 != 0 else { return limits }
    limits.headerBlock = 200
    limits.continuations = 3
    limits.refusesExcessStreams = choice & 32 != 0
    limits.streams = 6
    limits.resets = 3
    limits.idleFrames = 8
    limits.acknowledgements = 4
    limits.heldAnswers = 400
    limits.body = 64
    limits.bodies = 100
    return limits
  }

  private static func answer(_ stream: UInt32, _ connection: inout ServerConnection) {
    let body = Array(#"{"reason":"BadDeviceToken"}"#.utf8)
    body.withUnsafeBytes {
      _ = connection.respond(to: stream, status: stream & 2 == 0 ? 200 : 400, apnsID: nil, body: $0)
    }
  }

  private static func description(
    of event: HTTP2Event,
    _ connection: borrowing ServerConnection,
    _ read: UnsafeRawBufferPointer
  ) -> String {
    guard case .request(let request) = event else { return "\(event)" }
    var words = "request \(request.stream), credential \(request.credential)"
    if request.isHeaderListTooLarge { words += ", list too large" }
    for field in connection.headers(of: request) {
      words += ", \(field.nameText)\(field.isNeverIndexed ? " (never indexed)" : ""): \(field.valueText)"
    }
    return words
      + (request.isBodyTooLarge
        ? ", body too large" : connection.body(of: request, in: read) { ", body \(Array($0))" })
  }

  /// The flaw of bytes that are not whole frames of types that a server sends; nil without one.
  private static func flaw(of sent: [UInt8]) -> String? {
    sent.withUnsafeBytes { bytes in
      var offset = 0
      while let header = FrameHeader(in: bytes, at: offset) {
        guard header.length <= 16_384 else { return "a frame of \(header.length) bytes is sent" }
        offset += FrameHeader.byteCount + header.length
      }
      return offset == bytes.count ? nil : "what is sent ends within a frame"
    }
  }
}
