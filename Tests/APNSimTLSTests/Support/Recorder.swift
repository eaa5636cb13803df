import APNSimTLS
import NIOCore
import NIOTLS

/// Records the events on the application side of a channel.
enum Observation: Sendable {
  case handshake(version: TLSVersion?, cipher: String?, peer: PeerCertificate?)
  case data([UInt8])
  case peerClosedNotify
  case inputClosed
  case failed(TLSError)
  case otherError(String)
  case inactive
}

/// The last handler of a channel: reports everything, and echoes if asked to.
final class Recorder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let tls: TLSHandler?
  private let echoes: Bool
  private let report: AsyncStream<Observation>.Continuation

  init(tls: TLSHandler?, echoes: Bool, report: AsyncStream<Observation>.Continuation) {
    self.tls = tls
    self.echoes = echoes
    self.report = report
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    report.yield(.data(bytes.withUnsafeReadableBytes { Array($0) }))
    if echoes { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted:
      report.yield(.handshake(version: tls?.version, cipher: tls?.cipher, peer: tls?.peer))
    case TLSEvent.peerClosedNotify: report.yield(.peerClosedNotify)
    case ChannelEvent.inputClosed: report.yield(.inputClosed)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? TLSError {
      report.yield(.failed(error))
    } else {
      report.yield(.otherError("\(error)"))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    report.yield(.inactive)
    report.finish()
  }
}
