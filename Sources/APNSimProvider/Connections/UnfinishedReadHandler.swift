import NIOCore

/// Completes the read during which a connection ends.
///
/// The HTTP/2 handler after it lists the streams for which frames have come until the read is complete. Where it never is,
/// because the peer's close_notify came in the same read or the socket failed, the listed streams and their connection
/// would hold each other for good.
final class UnfinishedReadHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var isReading = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = true
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isReading {
      isReading = false
      context.fireChannelReadComplete()
    }
    context.fireChannelInactive()
  }
}
