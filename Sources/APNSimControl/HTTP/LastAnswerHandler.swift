import NIOCore
import NIOHTTP1

/// Ends a connection after its last answer. That is an answer that lasts as long as its client waits, one with
/// `Connection: close`, one to a request with that header or of HTTP/1.0, or one that was sent before the end of its
/// request, of which an unknown part is still to come.
///
/// The output is closed once the answer has left, however slowly it is read, or at the end of the request that is
/// already answered, and the connection a moment later: closing with unread bytes would make the kernel send a reset
/// that may overtake the answer. Input is discarded meanwhile, for half a minute at most. If the client closes its
/// output while an answer lasts, the connection is closed, since the client counts as gone. If it has closed its
/// output after a request, it gets all of its answers first: with both sides closed the channel would drop output
/// that has not left. When the server is to stop, the connection is closed with the last answer to what has come.
final class LastAnswerHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The events that the answering route sends to the connection.
  enum Event: Sendable {
    /// The answer lasts as long as its client waits, and is the connection's last.
    case answerLasts
  }

  /// The number of requests without an answer so far.
  private var open = 0
  private var hasLastRequest = false
  /// True for HTTP/1.0, where an answer of unknown length ends with the connection and is not chunked.
  private var isOld = false
  /// True until the end of the latest request has come.
  private var isReading = false
  /// True if the last answer was sent before the end of its request, whose sender may read only after that.
  private var isEarly = false
  private var hasLastAnswer = false
  /// True once the last answer has left.
  private var isEnding = false
  private var isDiscarding = false
  private var doesAnswerLast = false
  private var hasInputEnded = false
  /// True from the head of an answer to its end.
  private var isAnswering = false
  /// True once the server is to stop.
  private var isStopping = false
  /// Completed when all of the latest answer has left.
  private var hasLeft: EventLoopFuture<Void>?

  /// True if input, though discarded, has come since the last check.
  private var isHeard = false

  private static let linger = TimeAmount.seconds(2)
  /// The maximum number of linger times for a client that goes on writing.
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
      isAnswering = true
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
      isAnswering = false
      if isStopping, open <= 0 {
        context.writeAndFlush(data, promise: left)
        return context.close(promise: nil)
      }
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
    switch event {
    case ChannelEvent.inputClosed:
      hasInputEnded = true
      if doesAnswerLast { return context.close(promise: nil) }
    case is ChannelShouldQuiesceEvent:
      isStopping = true
      if open <= 0, !isAnswering { return context.close(promise: nil) }
    default: break
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
    // The end of the request may have come while its answer was written.
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
