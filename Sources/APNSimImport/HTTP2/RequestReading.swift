package import APNSimCapture
package import APNSimCore
import APNSimHTTP2
import APNSimWire

/// Reads a captured HTTP/2 connection: requests from the bytes of its provider, answers from those of the service.
///
/// Header compression has a table in either direction that begins with the connection. Where a direction was joined in the
/// middle, or has a gap, nothing more of it is read: its names and values could only be guessed.
package final class RequestReading {
  /// A stream of one direction that has not ended.
  private struct Message {
    var headers: ReadHeaders
    /// When its header list was whole.
    var begin: Timestamp
    var body: [UInt8] = []
    var bodyCount = 0
  }

  /// One direction.
  private struct Direction {
    var frames: FrameReading
    let headers: HeaderReading
    var messages: [UInt32: Message] = [:]
    /// A header block that CONTINUATION goes on with.
    var block: (stream: UInt32, type: FrameType, endsStream: Bool, bytes: [UInt8])?
    /// The sizes of the table that its sender has announced for the other direction, until they are acknowledged.
    var announced: [Int?] = []

    init(_ side: StreamSide) {
      frames = FrameReading(isProvider: side == .provider)
      headers = HeaderReading(side == .provider ? .request : .response)
    }
  }

  /// The side that wrote.
  package enum StreamSide { case provider, service }

  private var provider = Direction(.provider)
  private var service = Direction(.service)
  private let tokens: TokenReading
  private let hasCertificate: Bool
  private var happenings: [StreamHappening] = []
  private var time = Timestamp(rawValue: 0)
  /// Requests that were read, and those whose end the capture does not have.
  private(set) var requests = 0

  /// More bytes of a body are only counted: no body that is taken, and no answer, is longer.
  private static let mostBody = 16 * 1024
  private static let mostBlock = 1 << 20
  private static let mostMessages = 10_000
  private static let mostAnnounced = 1_000

  /// - Parameters:
  ///   - hasCertificate: the provider has shown a certificate, with which a token counts for nothing.
  ///   - isPartial: the capture begins inside the connection.
  package init(_ tokens: TokenReading, hasCertificate: Bool, isPartial: Bool) {
    (self.tokens, self.hasCertificate) = (tokens, hasCertificate)
    guard isPartial else { return }
    provider.frames.lose(.joined)
    service.frames.lose(.joined)
  }

  /// The reason why a direction is not read any more.
  func loss(of side: StreamSide) -> FrameReading.Loss? {
    side == .provider ? provider.frames.loss : service.frames.loss
  }

  /// Requests that had begun and not ended when the capture's bytes did.
  var unfinishedRequests: Int { provider.messages.count }

  /// Takes bytes of one side and returns what they bring to its end.
  package func receive(_ bytes: ArraySlice<UInt8>, from side: StreamSide, at time: Timestamp)
    -> [StreamHappening]
  {
    happenings = []
    self.time = time
    read(bytes, from: side)
    return happenings
  }

  /// Bytes of one side are missing.
  func miss(_ side: StreamSide) {
    change(side) { direction in
      direction.frames.miss()
      direction.block = nil
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>, from side: StreamSide) {
    change(side) { $0.frames.append(bytes) }
    while let frame = side == .provider ? provider.frames.next() : service.frames.next() {
      take(frame, from: side)
    }
  }

  private func change(_ side: StreamSide, _ body: (inout Direction) -> Void) {
    if side == .provider { body(&provider) } else { body(&service) }
  }

  private func take(_ frame: FrameReading.Frame, from side: StreamSide) {
    let stream = frame.header.stream
    guard let content = frame.content else {
      return change(side) {
        $0.frames.lose(.damaged("a frame of stream \(stream) has more padding than bytes"))
      }
    }
    switch frame.header.type {
    case .headers, .pushPromise:
      change(side) {
        $0.block = (stream, frame.header.type, frame.header.flags.contains(.endStream), Array(content))
      }
      if frame.header.flags.contains(.endHeaders) { endBlock(side) }
    case .continuation:
      change(side) { $0.block?.bytes += content }
      if frame.header.flags.contains(.endHeaders) { endBlock(side) } else { bound(side) }
    case .data:
      add(content, to: stream, side)
      if frame.header.flags.contains(.endStream) { end(stream, side) }
    case .resetStream:
      change(side) { $0.messages[stream] = nil }
      let code = HTTP2Code(rawValue: frame.number(at: 0) ?? 0).name
      happenings.append(.reset(stream: stream, code: code, byService: side == .service))
    case .goAway where side == .service: goAway(frame)
    case .settings: note(settings: frame, from: side)
    default: break
    }
  }

  private func bound(_ side: StreamSide) {
    change(side) { direction in
      guard let block = direction.block, block.bytes.count > Self.mostBlock else { return }
      direction.frames.lose(.damaged("a header block of more than 1 MiB"))
      direction.block = nil
    }
  }

  // MARK: Messages

  private func endBlock(_ side: StreamSide) {
    var begun: (stream: UInt32, endsStream: Bool)?
    change(side) { direction in
      guard let block = direction.block else { return }
      direction.block = nil
      guard let headers = direction.headers.decode(block.bytes) else {
        return direction.frames.lose(.damaged("its header compression cannot be followed"))
      }
      // A promised request is nobody's.
      guard block.type == .headers else { return }
      begun = (block.stream, block.endsStream)
      if headers.value(":status")?.hasPrefix("1") == true { begun = nil }
      // Trailers say nothing here.
      if begun != nil, direction.messages[block.stream] == nil, direction.messages.count < Self.mostMessages {
        direction.messages[block.stream] = Message(headers: headers, begin: time)
      }
    }
    if let begun, begun.endsStream { end(begun.stream, side) }
  }

  private func add(_ bytes: ArraySlice<UInt8>, to stream: UInt32, _ side: StreamSide) {
    change(side) { direction in
      guard var message = direction.messages.removeValue(forKey: stream) else { return }
      message.bodyCount += bytes.count
      message.body += bytes.prefix(Self.mostBody - message.body.count)
      direction.messages[stream] = message
    }
  }

  private func end(_ stream: UInt32, _ side: StreamSide) {
    var ended: Message?
    change(side) { ended = $0.messages.removeValue(forKey: stream) }
    guard let message = ended else { return }
    happenings.append(side == .provider ? request(message, stream) : answer(message, stream))
  }

  private func request(_ message: Message, _ stream: UInt32) -> StreamHappening {
    requests += 1
    var request = ProviderRequest(
      stream: stream,
      headers: message.headers.fields,
      body: message.body,
      bodyByteCount: message.bodyCount,
      authorization: hasCertificate
        ? .certificate : tokens.authorization(message.headers.authorization, at: time),
      openFor: UInt32(clamping: (time - message.begin).milliseconds)
    )
    request.noteOpening()
    return .request(request.bytes)
  }

  private func answer(_ message: Message, _ stream: UInt32) -> StreamHappening {
    .answered(
      CapturedAnswer(
        stream: stream,
        status: message.headers.value(":status").flatMap { UInt16($0) },
        id: message.headers.value("apns-id") ?? message.headers.value("apns-request-id"),
        body: message.body
      )
    )
  }

  // MARK: The connection

  private func goAway(_ frame: FrameReading.Frame) {
    guard let last = frame.number(at: 0), let code = frame.number(at: 4) else { return }
    happenings.append(
      .goAway(
        CapturedGoAway(
          lastStream: last & 0x7FFF_FFFF,
          code: HTTP2Code(rawValue: code).name,
          debug: String(decoding: frame.payload.dropFirst(8).prefix(1024), as: UTF8.self)
        )
      )
    )
  }

  /// A side's SETTINGS_HEADER_TABLE_SIZE binds the other side's compression: a larger one at once, a smaller one from the
  /// acknowledgement on.
  private func note(settings frame: FrameReading.Frame, from side: StreamSide) {
    let other: StreamSide = side == .provider ? .service : .provider
    if frame.header.flags.contains(.acknowledgement) {
      change(other) { direction in
        guard !direction.announced.isEmpty else { return }
        let size = direction.announced.removeFirst()
        if let size { (side == .provider ? self.provider : self.service).headers.announce(tableSize: size) }
      }
      return
    }
    var size: Int?
    var rest = frame.payload
    while rest.count >= 6 {
      let setting = rest.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if setting >> 32 == 1 { size = Int(min(setting & 0xFFFF_FFFF, 1 << 20)) }
      rest = rest.dropFirst(6)
    }
    change(side) { if $0.announced.count < Self.mostAnnounced { $0.announced.append(size) } }
    if let size, size > 4096 { change(other) { $0.headers.announce(tableSize: size) } }
  }
}

extension CapturedAnswer {
  /// An answer whose body is `{"reason":"…"}` or empty.
  init(stream: UInt32, status: UInt16?, id: String?, body: [UInt8]) {
    self.init(stream: stream, status: status, id: id)
    guard case .object(let members)? = try? JSONValue.parse(body) else { return }
    for member in members {
      switch (member.key, member.value) {
      case ("reason", .string(let reason)): self.reason = reason
      case ("timestamp", let value): timestamp = Int64(value.description)
      default: break
      }
    }
  }
}
