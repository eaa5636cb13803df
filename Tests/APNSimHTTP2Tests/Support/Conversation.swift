import APNSimHTTP2

/// A connection that a test writes to: what it told, in words, and what it sent.
struct Conversation: ~Copyable {
  var connection: ServerConnection
  /// `request 1 {}`, `refused 3 PROTOCOL`, `failed 1` … in order.
  var told: [String] = []
  var reasons: [String] = []
  /// The names of the headers that streams were refused for.
  var headers: [String] = []
  var lists: [[String]] = []
  var sent: [UInt8] = []
  var named: [String] = []
  /// Answers each request with 200 at once.
  var answers = false

  init(_ limits: HTTP2Limits = HTTP2Limits(), streams: UInt32 = 1000, starts: Bool = false) {
    connection = ServerConnection(limits: limits, maximumConcurrentStreams: streams)
    if starts { connection.start() }
  }

  mutating func receive(_ bytes: [UInt8]) {
    var named = named
    bytes.withUnsafeBytes { bytes in
      var read = bytes
      repeat {
        let count = connection.receive(read) { name, value in
          guard name == .authorization else { return 0 }
          named.append(String(decoding: value, as: UTF8.self))
          return UInt32(named.count)
        }
        for event in connection.events { tell(event, read) }
        connection.release()
        read = UnsafeRawBufferPointer(rebasing: read.dropFirst(count))
      } while !read.isEmpty
    }
    self.named = named
    sent += Array(connection.output.bytes)
    connection.output.removeAll()
  }

  private mutating func tell(_ event: HTTP2Event, _ read: UnsafeRawBufferPointer) {
    switch event {
    case .request(let request):
      let body = connection.body(of: request, in: read) { String(decoding: $0, as: UTF8.self) }
      var words = "request \(request.stream) \(body)"
      if request.credential != 0 { words += " as \(request.credential)" }
      if request.isBodyTooLarge { words = "request \(request.stream) too large" }
      if request.isHeaderListTooLarge { words += " list too large" }
      told.append(words)
      lists.append(connection.headers(of: request).map { "\($0.nameText): \($0.valueText)" })
      if answers { connection.respond(to: request.stream, status: 200, apnsID: nil) }
    case .streamReset(let stream, let code): told.append("reset \(stream) \(code.rawValue)")
    case .streamRefused(let stream, let code, let reason, let header):
      told.append("refused \(stream) \(code.rawValue)")
      headers.append(String(decoding: header, as: UTF8.self))
      reasons.append(reason.description)
    case .streamIgnored(let stream): told.append("ignored \(stream)")
    case .settingsChanged: break
    case .settingsAcknowledged: told.append("acknowledged")
    case .pingAcknowledged(let opaque): told.append("pong \(opaque)")
    case .goAway(let last, let code, let debug):
      told.append("goaway \(last) \(code.rawValue) \(String(decoding: debug, as: UTF8.self))")
    case .bound(let bound): told.append("bound \(bound)")
    case .failed(let error):
      told.append("failed \(error.code.rawValue)")
      reasons.append(error.reason)
    }
  }

  /// The frames that were sent: `HEADERS 1 88`.
  var frames: [FrameHeader] {
    sent.withUnsafeBytes { bytes in
      var frames: [FrameHeader] = []
      var offset = 0
      while let header = FrameHeader(in: bytes, at: offset) {
        frames.append(header)
        offset += FrameHeader.byteCount + header.length
      }
      return frames
    }
  }
}

/// The events that a connection tells of these bytes after the preface and SETTINGS.
func told(_ bytes: [UInt8]..., limits: HTTP2Limits = HTTP2Limits()) -> [String] {
  var conversation = Conversation(limits)
  conversation.receive(opening + bytes.joined())
  return conversation.told
}
