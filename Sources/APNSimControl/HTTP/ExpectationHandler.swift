import NIOCore
import NIOHTTP1

/// Answers `Expect: 100-continue` (RFC 9110, 10.1.1): with 100 once the body is to be read, else with the final
/// answer, after which the connection ends, since it is unknown whether the body follows.
final class ExpectationHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The events that the answering route sends to the connection.
  enum Event: Sendable {
    case bodyIsRead
  }

  /// True if the client waits to be asked for its body.
  private var isExpected = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isExpected =
        head.version != .http1_0
        && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    case .body, .end: isExpected = false
    }
    context.fireChannelRead(data)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    guard case Event.bodyIsRead? = event as? Event else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    if isExpected {
      isExpected = false
      let head = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }
    promise?.succeed()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isExpected, case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
