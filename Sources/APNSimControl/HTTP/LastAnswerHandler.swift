internal import NIOCore
internal import NIOHTTP1

/// Ends a connection behind its last answer: the one that lasts as long as somebody waits for it, one that says
/// `Connection: close`, the one to a request that does, as those of HTTP/1.0 do by themselves, or one that came before
/// the end of its request: nobody knows how much of that is still to come.
///
/// The output ends once the answer has left, however long its reader takes, or with the request that is already
/// answered, and the rest a moment later: closing with unread bytes would make the kernel send a reset that may overtake
/// the answer. What comes meanwhile is discarded, half a minute long at the most. A connection whose other side ends its
/// output while an answer lasts is closed: whoever does so is taken to have gone. One whose other side has ended it behind
/// a request gets all of its answers: with both sides ended the channel would drop what has not left.
final class LastAnswerHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// What the one who answers tells the connection.
  enum Event: Sendable {
    /// The answer, the connection's last, takes as long as somebody waits for it.
    case answerLasts
  }

  /// Requests that have no answer so far.
  private var open = 0
  private var hasLastRequest = false
  /// Whether that is of HTTP/1.0, where an answer of no known length ends with the connection and is not cut in chunks.
  private var isOld = false
  /// Whether more of the latest request is to come.
  private var isReading = false
  /// Whether the last answer came before the end of its request, whose sender may read only behind that.
  private var isEarly = false
  private var hasLastAnswer = false
  /// Whether that has left.
  private var isEnding = false
  private var isDiscarding = false
  private var doesAnswerLast = false
  private var hasInputEnded = false
  /// When all of the latest answer has left.
  private var hasLeft: EventLoopFuture<Void>?

  /// Whether something has come since it was looked at last, though it is discarded.
  private var isHeard = false

  private static let linger = TimeAmount.seconds(2)
  /// Whoever goes on writing has so many of these.
  private static let mostLingers = 15

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDiscarding else {
      isHeard = true
      guard case .end = unwrapInboundIn(data) else { return }
      isReading = false
      if isEnding, isEarly { endOutput(context) }
      return
    }
    switch unwrapInboundIn(data) {
    case .head(let head):
      open += 1
      isReading = true
      isOld = head.version.major == 1 && head.version.minor == 0
      hasLastRequest = isOld || !head.isKeepAlive
    case .body: break
    case .end:
      isReading = false
      isDiscarding = hasLastRequest
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.code >= 200:
      open -= 1
      var isLast = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
      if !isLast, doesAnswerLast || (hasLastRequest || isReading) && open <= 0 {
        isLast = true
        isEarly = isReading && !doesAnswerLast && !hasLastRequest
        head.headers.replaceOrAdd(name: "Connection", value: "close")
      }
      hasLastAnswer = isLast
      if isOld, open <= 0, !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      let left = promise ?? context.eventLoop.makePromise(of: Void.self)
      hasLeft = left.futureResult
      guard hasLastAnswer else { return context.write(data, promise: left) }
      isDiscarding = true
      left.futureResult.assumeIsolated().whenSuccess { self.end(context) }
      context.writeAndFlush(data, promise: left)
    default: context.write(data, promise: promise)
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .output, hasInputEnded, let hasLeft else {
      return context.close(mode: mode, promise: promise)
    }
    hasLeft.assumeIsolated().whenComplete { _ in context.close(promise: promise) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      hasInputEnded = true
      if doesAnswerLast { return context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    guard case Event.answerLasts? = event as? Event else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    doesAnswerLast = true
    if hasInputEnded { context.close(promise: nil) }
    promise?.succeed()
  }

  private func end(_ context: ChannelHandlerContext) {
    isEnding = true
    // The request may have ended while its answer was written.
    if !isEarly || !isReading { endOutput(context) }
    linger(context.channel, Self.mostLingers)
  }

  private func endOutput(_ context: ChannelHandlerContext) {
    isEarly = false
    close(context: context, mode: .output, promise: nil)
  }

  private func linger(_ channel: any Channel, _ times: Int) {
    _ = channel.eventLoop.assumeIsolated().scheduleTask(in: Self.linger) { [self] in
      guard isHeard, times > 1 else { return channel.close(promise: nil) }
      isHeard = false
      linger(channel, times - 1)
    }
  }
}
