internal import NIOCore
internal import NIOHTTP1

/// Ends a connection behind its last answer: the one that lasts as long as somebody waits for it, one that says
/// `Connection: close`, the one to a request that does, as those of HTTP/1.0 do by themselves, or one that does not wait
/// for the end of its request: nobody knows how much of that is still to come.
///
/// The output ends at once, the rest a moment later: closing with unread bytes would make the kernel send a reset that
/// may overtake the answer. What comes meanwhile is discarded. A connection whose other side ends its output while an
/// answer lasts is closed: whoever does so is taken to have gone.
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
  /// Whether more of the latest request is to come.
  private var isReading = false
  private var hasLastAnswer = false
  private var isDiscarding = false
  private var doesAnswerLast = false
  private var hasInputEnded = false

  private static let linger = TimeAmount.seconds(2)

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDiscarding else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      open += 1
      isReading = true
      hasLastRequest = !head.isKeepAlive
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
      if doesAnswerLast || (hasLastRequest || isReading) && open <= 0 {
        head.headers.replaceOrAdd(name: "Connection", value: "close")
      }
      hasLastAnswer = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where hasLastAnswer:
      context.writeAndFlush(data, promise: promise)
      end(context)
    default: context.write(data, promise: promise)
    }
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
    isDiscarding = true
    context.close(mode: .output, promise: nil)
    let channel = context.channel
    channel.eventLoop.scheduleTask(in: Self.linger) { channel.close(promise: nil) }
  }
}
