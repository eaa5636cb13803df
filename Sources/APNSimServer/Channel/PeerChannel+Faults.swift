import APNSimCore
import APNSimTLS
import NIOCore

/// Adds the handlers of a plan's faults to a connection's pipeline; the usual plan has none.
extension PeerChannel {
  /// - Parameter close: ends the connection in order.
  func install(_ plan: ConnectionPlan, _ context: ChannelHandlerContext, close: @escaping () -> Void) throws {
    guard plan != .usual else { return }
    let timers = services.timers
    var handlers: [any ChannelHandler] = []
    let output = OutputSchedule(plan)
    if let size = output.pieceSize {
      handlers.append(SlicedOutput(pieceSize: size, pause: output.pause, timers, makeLoad()))
    }
    if output.isDelayed { handlers.append(Latency(output, timers, makeLoad())) }
    if !handlers.isEmpty {
      try context.pipeline.syncOperations.addHandlers(handlers, position: .after(tls))
    }
    // A dead line is silent, even at the TLS session's end.
    if plan.isBlackHole { context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil) }
    if let span = plan.closeAfterHandshake {
      if span <= .zero { return close() }
      closing = timers.schedule(after: span, on: context.eventLoop) { close() }
    }
  }

  /// Cancels the end that a fault has scheduled.
  func cancelFaults() {
    if let closing { services.timers.cancel(closing) }
    closing = nil
  }

  private func makeLoad() -> OutputLoad {
    let load = load ?? OutputLoad()
    self.load = load
    return load
  }
}
