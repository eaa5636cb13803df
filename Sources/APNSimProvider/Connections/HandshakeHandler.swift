import APNSimTLS
import NIOCore
import NIOTLS

/// Succeeds once with the TLS version when the handshake is complete, or fails with its error; passes every event on.
final class HandshakeHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let tls: TLSHandler
  private var promise: EventLoopPromise<String>?

  init(tls: TLSHandler, promise: EventLoopPromise<String>) {
    self.tls = tls
    self.promise = promise
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event {
      promise?.succeed(tls.version?.rawValue ?? "?")
      promise = nil
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise?.fail(error)
    promise = nil
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise?.fail(ChannelError.eof)
    promise = nil
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    promise?.fail(ChannelError.ioOnClosedChannel)
    promise = nil
  }
}
