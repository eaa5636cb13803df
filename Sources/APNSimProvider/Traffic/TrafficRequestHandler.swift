import APNSimScenario
import APNSimTLS
import APNSimWire
import NIOCore
import NIOHTTP2

/// Pushes a script's requests over one HTTP/2 connection, as many at once as the peer allows, and records the answers in
/// the order in which they come. It comes after the HTTP/2 handler, where SETTINGS and GOAWAY arrive.
final class TrafficRequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private let log: TrafficClientLog
  private let authority: String
  private let loop: any EventLoop
  private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
  private var waiting: ArraySlice<PushRequest> = []
  /// The numbers of the requests that are under way.
  private var open: Set<Int> = []
  private var opened = 0
  /// Nil until the first SETTINGS have come.
  private var streamLimit: Int?
  private var isOver = false
  /// The resets of streams that were noted since the connection was read last: those above the last stream of a GOAWAY are
  /// its doing, which is read after them.
  private var resets: [(stream: HTTP2StreamID, place: Int)] = []
  /// The last stream of a GOAWAY that was read.
  private var lastStream: HTTP2StreamID?

  private init(_ log: TrafficClientLog, authority: String, on loop: any EventLoop) {
    (self.log, self.authority, self.loop) = (log, authority, loop)
  }

  /// Adds HTTP/2 and what pushes over it.
  static func add(
    to channel: any Channel,
    _ log: TrafficClientLog,
    authority: String
  ) throws -> TrafficRequestHandler {
    let pipeline = channel.pipeline.syncOperations
    let handler = TrafficRequestHandler(log, authority: authority, on: channel.eventLoop)
    handler.multiplexer = try pipeline.addUnjudgedHTTP2()
    try pipeline.addHandler(handler)
    return handler
  }

  /// Sends requests, after those that wait for room.
  func push(_ requests: [PushRequest]) {
    guard !isOver else { return log.note { $0.unanswered -= requests.count } }
    waiting += requests
    advance()
  }

  private func advance() {
    guard let streamLimit, let multiplexer else { return }
    while !isOver, open.count < streamLimit, let request = waiting.popFirst() {
      opened += 1
      open.insert(opened)
      start(request, opened, on: multiplexer)
    }
  }

  private func start(
    _ request: PushRequest,
    _ number: Int,
    on multiplexer: NIOHTTP2Handler.StreamMultiplexer
  ) {
    RequestStreamHandler.open(request, authority: authority, on: multiplexer, loop) {
      self.note($0, of: number)
    }
  }

  private func note(_ ending: RequestStreamHandler.Ending, of number: Int) {
    guard open.remove(number) != nil else { return }
    log.note { state in
      state.unanswered -= 1
      switch ending {
      case .answered(let answer): state.answers.append(answer.line)
      case .reset(let stream, _) where self.lastStream.map({ stream > $0 }) ?? false: break
      case .reset(let stream, let code):
        self.resets.append((stream, state.answers.count))
        state.answers.append(SeenFrame.reset(HTTP2Code(rawValue: UInt32(clamping: code.networkCode))))
      case .lost: break
      }
    }
    if resets.count == 1 { loop.assumeIsolated().execute { self.resets = [] } }
    // Not within the stream's own reading.
    if !waiting.isEmpty { loop.assumeIsolated().execute { self.advance() } }
  }

  // MARK: The connection

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data).payload {
    case .settings(.settings(let settings)):
      if streamLimit != nil, let last = settings.last(where: { $0.parameter == .maxConcurrentStreams }) {
        log.note { $0.answers.append(SeenFrame.maxStreams(last.value)) }
      }
      streamLimit = RequestStreamHandler.streamLimit(settings, before: streamLimit)
      advance()
    case .goAway(let lastStream, let code, let debug):
      note(lastStream, HTTP2Code(rawValue: UInt32(clamping: code.networkCode)), debug)
      stop()
    default: break
    }
  }

  private func note(_ lastStream: HTTP2StreamID, _ code: HTTP2Code, _ debug: ByteBuffer?) {
    let places = resets.filter { $0.stream > lastStream }.map(\.place)
    resets = []
    self.lastStream = lastStream
    log.note { state in
      for place in places.reversed() { state.answers.remove(at: place) }
      state.answers.append(
        SeenFrame.goAway(
          UInt32(clamping: Int(lastStream)),
          code,
          debug.map { Array($0.readableBytesView.prefix(1024)) } ?? []
        )
      )
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    log.note(event: event)
    if case ChannelEvent.inputClosed = event {
      stop()
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A stream that comes too late for GOAWAY is an error of the library, and no end of the connection.
    if error is IOError || error is TLSError { log.note(error: error) }
    stop()
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    log.noteEnd()
    stop()
    context.fireChannelInactive()
  }

  /// Sends nothing more: what waits is never answered.
  private func stop() {
    isOver = true
    let count = waiting.count
    waiting = []
    log.note { $0.unanswered -= count }
  }
}

extension PushAnswer {
  /// `200`, `410 Unregistered`.
  fileprivate var line: String { "\(status)" + (reason.map { " \($0)" } ?? "") }
}
