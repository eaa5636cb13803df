import NIOCore

/// Records the events of a provider's connection.
final class TrafficClientHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let log: TrafficClientLog

  init(_ log: TrafficClientLog) { self.log = log }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Array(unwrapInboundIn(data).readableBytesView)
    log.note { $0.received += bytes }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if !log.note(event: event) { context.fireUserInboundEventTriggered(event) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    log.note(error: error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    log.noteEnd()
    context.fireChannelInactive()
  }
}
