import NIOCore
import NIOHTTP2

/// The HTTP/2 side of a replayed connection: opens streams in the order of the capture, as many at once as the peer allows,
/// and reports what becomes of each by the capture's number.
final class ReplayRequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  /// A report of the handler.
  enum Report: Sendable {
    /// A request, or its header list, was written.
    case sent(UInt32)
    case ended(UInt32, PushFate)
    /// A request cannot be sent, for a reason.
    case unsendable(UInt32, String)
    case goAway(RequestReport.GoAway)
    /// The connection ended, with the error, where one ended it.
    case closed(String?)
  }

  private let loop: any EventLoop
  private let authority: String
  private let report: (Report) -> Void
  private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
  /// Nil until the first SETTINGS have come.
  private var streamLimit: Int?
  /// Requests that wait for room, in order.
  private var waiting: [Pending] = []
  private var firstWaiting = 0
  /// The streams that are open, by the capture's numbers.
  private var open: [UInt32: RequestStreamHandler] = [:]
  private var lastStream: HTTP2StreamID?
  private var failure: String?
  private var isOver = false

  private struct Pending {
    let stream: UInt32
    let request: PushRequest
    /// True where only its header list is to be sent: the body follows.
    var holdsBody: Bool
  }

  private init(_ loop: any EventLoop, authority: String, report: @escaping (Report) -> Void) {
    (self.loop, self.authority, self.report) = (loop, authority, report)
  }

  /// Adds HTTP/2 and this to a client's channel.
  static func add(
    to channel: any Channel,
    authority: String,
    report: @escaping (Report) -> Void
  ) throws -> ReplayRequestHandler {
    let handler = ReplayRequestHandler(channel.eventLoop, authority: authority, report: report)
    let pipeline = channel.pipeline.syncOperations
    handler.multiplexer = try pipeline.addUnjudgedHTTP2()
    try pipeline.addHandler(handler)
    return handler
  }

  // MARK: Requests

  /// Sends a request, after those that wait for room.
  func send(_ request: PushRequest, as stream: UInt32, holdsBody: Bool) {
    guard !isOver else { return giveUp(stream) }
    waiting.append(Pending(stream: stream, request: request, holdsBody: holdsBody))
    advance()
  }

  /// Sends the body of a request whose header list was sent, or is to be.
  func sendBody(of stream: UInt32) {
    if let place = waiting[firstWaiting...].firstIndex(where: { $0.stream == stream }) {
      waiting[place].holdsBody = false
    } else {
      open[stream]?.sendBody()
    }
  }

  /// A request cannot be sent any more. After GOAWAY the service would not take it.
  private func giveUp(_ stream: UInt32) {
    if lastStream == nil {
      report(.unsendable(stream, failure ?? "the service ended the connection"))
    } else {
      report(.ended(stream, .goneAway))
    }
  }

  private func advance() {
    while !isOver, let streamLimit, let multiplexer, open.count < streamLimit, firstWaiting < waiting.count {
      let pending = waiting[firstWaiting]
      firstWaiting += 1
      if firstWaiting == waiting.count { (waiting, firstWaiting) = ([], 0) }
      start(pending, on: multiplexer)
    }
  }

  private func start(_ pending: Pending, on multiplexer: NIOHTTP2Handler.StreamMultiplexer) {
    let stream = pending.stream
    if let defect = pending.request.defect(authority) { return report(.unsendable(stream, defect)) }
    let handler = RequestStreamHandler(
      pending.request,
      authority: authority,
      holdsBody: pending.holdsBody
    ) { self.note($0, of: stream) }
    open[stream] = handler
    RequestStreamHandler.open(handler, on: multiplexer, loop)
    report(.sent(stream))
  }

  private func note(_ ending: RequestStreamHandler.Ending, of stream: UInt32) {
    guard open.removeValue(forKey: stream) != nil else { return }
    // GOAWAY closes the streams above its last one before it is read here, and a stream does not end within its own
    // reading.
    loop.assumeIsolated().execute {
      self.report(.ended(stream, self.outcome(ending)))
      self.advance()
    }
  }

  private func outcome(_ ending: RequestStreamHandler.Ending) -> PushFate {
    switch ending {
    case .answered(let answer): .answered(answer)
    case .reset(let stream, _) where lastStream.map { stream > $0 } ?? false: .goneAway
    case .reset(_, let code): .reset(RequestConnectionHandler.name(code))
    case .lost: .unanswered
    }
  }

  // MARK: The connection

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data).payload {
    case .settings(.settings(let settings)):
      streamLimit = RequestStreamHandler.streamLimit(settings, before: streamLimit)
      advance()
    case .goAway(let last, let code, let data):
      lastStream = last
      let debug = data.map { String(decoding: $0.readableBytesView.prefix(1024), as: UTF8.self) } ?? ""
      report(
        .goAway(.init(lastStream: Int(last), code: RequestConnectionHandler.name(code), debug: debug))
      )
      stop()
    default: break
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      stop()
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // RST_STREAM after GOAWAY, for a stream that GOAWAY has closed, is an error to the library and none of the service.
    if !ProviderFailure.isAfterGoAway(error) || lastStream == nil {
      failure = failure ?? ProviderFailure.words(error)
    }
    stop()
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    // The streams' last words come before.
    loop.assumeIsolated().execute {
      self.loop.assumeIsolated().execute { self.report(.closed(self.failure)) }
    }
    context.fireChannelInactive()
  }

  /// Sends nothing more.
  private func stop() {
    isOver = true
    for pending in waiting[firstWaiting...] { giveUp(pending.stream) }
    (waiting, firstWaiting) = ([], 0)
  }
}
