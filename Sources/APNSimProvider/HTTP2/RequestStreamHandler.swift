import APNSimWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Writes one push to its stream and says once what became of it.
final class RequestStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// The end of a stream.
  enum Ending {
    case answered(PushAnswer)
    case reset(HTTP2StreamID, HTTP2ErrorCode)
    /// It ended with its connection.
    case lost
  }

  private let authority: String
  private let request: PushRequest
  /// True until the body is to be sent.
  private var holdsBody: Bool
  private var context: ChannelHandlerContext?
  private var done: ((Ending) -> Void)?
  private var head: HPACKHeaders?
  private var body: [UInt8] = []

  /// Answers of Apple's service have less than 100 bytes.
  private static let bodyLimit = 65_536

  /// - Parameter holdsBody: true for a request whose body follows with ``sendBody()``.
  init(
    _ request: PushRequest,
    authority: String,
    holdsBody: Bool = false,
    done: @escaping (Ending) -> Void
  ) {
    (self.request, self.authority, self.done) = (request, authority, done)
    self.holdsBody = holdsBody
  }

  func channelActive(context: ChannelHandlerContext) {
    let headers = request.headers(authority)
    let isWhole = request.body.isEmpty && !holdsBody
    context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: isWhole))), promise: nil)
    if holdsBody {
      self.context = context
    } else if !isWhole {
      writeBody(context)
    }
    context.flush()
    context.fireChannelActive()
  }

  /// Sends the body that was held, which ends the request.
  func sendBody() {
    holdsBody = false
    guard let context else { return }
    self.context = nil
    writeBody(context)
    context.flush()
  }

  private func writeBody(_ context: ChannelHandlerContext) {
    let data = IOData.byteBuffer(ByteBuffer(bytes: request.body))
    context.write(wrapOutboundOut(.data(.init(data: data, endStream: true))), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let part):
      if head == nil, part.headers.first(name: ":status")?.first != "1" { head = part.headers }
      if part.endStream { finish() }
    case .data(let part):
      if case .byteBuffer(let buffer) = part.data, body.count < Self.bodyLimit {
        body += buffer.readableBytesView.prefix(Self.bodyLimit - body.count)
      }
      if part.endStream { finish() }
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? NIOHTTP2Errors.StreamClosed {
      finish(.reset(error.streamID, error.errorCode))
    } else {
      finish(.lost)
    }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish(.lost)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    finish(.lost)
  }

  private func finish() {
    guard let head, let status = head.first(name: ":status").flatMap({ Int($0) }) else {
      return finish(.lost)
    }
    var answer = PushAnswer(
      status: status,
      id: head.first(name: "apns-id") ?? head.first(name: "apns-request-id")
    )
    if case .object(let members)? = try? JSONValue.parse(body) {
      for member in members {
        switch (member.key, member.value) {
        case ("reason", .string(let reason)): answer.reason = reason
        case ("timestamp", let value): answer.timestamp = Int64(value.description)
        default: break
        }
      }
    }
    finish(.answered(answer))
  }

  private func finish(_ ending: Ending) {
    let done = done
    self.done = nil
    done?(ending)
  }
}

extension RequestStreamHandler {
  /// The most streams at once; a peer that sets no limit gets this many, which is what Apple's service allows.
  static let usualStreams = 1000

  /// The number of streams that a peer's SETTINGS allow at once.
  /// - Parameters:
  ///   - before: the number so far; nil before the first.
  ///   - most: never more than so many.
  static func streamLimit(_ settings: HTTP2Settings, before: Int?, most: Int = usualStreams) -> Int {
    let limit = settings.last { $0.parameter == .maxConcurrentStreams }?.value
    return min(limit ?? before ?? usualStreams, most)
  }

  /// Opens a stream for a request.
  /// - Parameter ended: called on the loop with what came of it; `lost` where no stream could be had.
  static func open(
    _ request: PushRequest,
    authority: String,
    on multiplexer: NIOHTTP2Handler.StreamMultiplexer,
    _ loop: any EventLoop,
    _ ended: @escaping (Ending) -> Void
  ) {
    open(RequestStreamHandler(request, authority: authority, done: ended), on: multiplexer, loop)
  }

  /// Opens a stream for what a handler has to send.
  static func open(
    _ handler: RequestStreamHandler,
    on multiplexer: NIOHTTP2Handler.StreamMultiplexer,
    _ loop: any EventLoop
  ) {
    let bound = NIOLoopBound(handler, eventLoop: loop)
    let opened = loop.makePromise(of: (any Channel).self)
    multiplexer.createStreamChannel(promise: opened) { stream in
      stream.eventLoop.makeCompletedFuture { try stream.pipeline.syncOperations.addHandler(bound.value) }
    }
    opened.futureResult.whenComplete { result in
      switch result {
      case .success(let stream):
        // A stream made after the end of its connection is never active, and would never end: it and the connection would
        // hold each other.
        if stream.parent?.isActive != true { stream.close(promise: nil) }
      case .failure: bound.value.finish(.lost)
      }
    }
  }
}

extension PushRequest {
  /// The header list, pseudo-headers first.
  fileprivate func headers(_ authority: String) -> HPACKHeaders {
    var headers = HPACKHeaders([
      (":method", method), (":scheme", "https"), (":path", path), (":authority", authority),
    ])
    for (name, value) in fields {
      // A token stays the same for an hour, and no table of a proxy should have it.
      headers.add(name: name, value: value, indexing: name == "authorization" ? .neverIndexed : .indexable)
    }
    return headers
  }

  /// The reason why it cannot be sent, which would end its connection; nil where it can.
  func defect(_ authority: String) -> String? {
    if fields.contains(where: { $0.name.isEmpty }) { return "a header has no name" }
    let headers = headers(authority)
    let count = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 }
    // No byte takes more than thirty bits of Huffman code (RFC 7541, Appendix B).
    guard 4 * count > Self.frame, count > Self.mostHeaders || encodedCount(headers) > Self.frame else {
      return nil
    }
    return "its header list has \(Number.counted(count, "byte")), which do not fit into a frame of "
      + Number.grouped(Self.frame)
  }

  /// The bytes of a header block that begins a connection.
  private func encodedCount(_ headers: HPACKHeaders) -> Int {
    var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    var block = ByteBuffer()
    do { try encoder.encode(headers: headers, to: &block) } catch { return .max }
    return block.readableBytes
  }

  /// A header list of more bytes than this is not even encoded.
  private static let mostHeaders = 1 << 18
  /// The most bytes of a frame as long as nobody says otherwise (RFC 9113, section 6.5.2).
  private static let frame = 16_384
}
