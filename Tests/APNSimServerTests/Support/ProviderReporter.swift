import APNSimTLS
import NIOCore
import NIOTLS

/// Something a test's provider noticed.
enum ProviderReport: Sendable {
  case handshake
  case data([UInt8])
  case closeNotify
  case inputClosed
  case failed(TLSError)
  case broken(String)
  case inactive
}

/// The last handler of a test's provider: tells all it sees.
final class ProviderReporter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let reports: AsyncStream<ProviderReport>.Continuation
  private let isPaused: Bool

  /// - Parameter isPaused: reads nothing more once the handshake is complete.
  init(_ reports: AsyncStream<ProviderReport>.Continuation, isPaused: Bool) {
    self.reports = reports
    self.isPaused = isPaused
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reports.yield(.data(Array(unwrapInboundIn(data).readableBytesView)))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted:
      if isPaused { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
      reports.yield(.handshake)
    case TLSEvent.peerClosedNotify: reports.yield(.closeNotify)
    case ChannelEvent.inputClosed: reports.yield(.inputClosed)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    reports.yield((error as? TLSError).map { .failed($0) } ?? .broken("\(error)"))
  }

  func channelInactive(context: ChannelHandlerContext) {
    reports.yield(.inactive)
    reports.finish()
  }
}
