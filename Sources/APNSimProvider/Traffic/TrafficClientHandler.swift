import APNSimScenario
import APNSimTLS
import NIOCore
import NIOPosix
import NIOTLS

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
    switch event {
    case TLSUserEvent.handshakeCompleted: log.note { $0.isConnected = true }
    case ChannelEvent.inputClosed: end()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    log.note { state in
      guard state.ending == .open else { return }
      if let error = error as? TLSError {
        if error.duringHandshake { state.alert = error.alertReceived?.rawValue }
        state.ending = state.isConnected ? .close : .refused
      } else {
        state.ending = state.isConnected ? .reset : .refused
      }
    }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    log.note { state in
      if state.ending == .open { state.ending = state.isConnected ? .close : .refused }
    }
  }
}
