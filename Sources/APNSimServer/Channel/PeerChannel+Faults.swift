internal import APNSimCore
internal import APNSimTLS
internal import NIOCore

/// Brings into a connection's pipeline what its plan asks for; the usual plan asks for nothing.
extension PeerChannel {
  /// - Parameter close: ends the connection in order.
  func install(_ plan: ConnectionPlan, _ context: ChannelHandlerContext, close: @escaping () -> Void) throws {
    guard plan != .usual else { return }
    let timers = services.timers
    var handlers: [any ChannelHandler] = []
    if let bytes = plan.sliceBytes {
      handlers.append(SlicedOutput(bytes: bytes, pause: plan.slicePause, timers, makeLoad()))
    }
    if let latency = plan.latency, latency > .zero { handlers.append(Latency(latency, timers, makeLoad())) }
    if !handlers.isEmpty {
      try context.pipeline.syncOperations.addHandlers(handlers, position: .after(tls))
    }
    // A line that went dead says nothing at all, not even at the TLS session's end.
    if plan.isBlackHole { context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil) }
    if let span = plan.closeAfterHandshake {
      if span <= .zero { return close() }
      closing = timers.schedule(after: span, on: context.eventLoop) { close() }
    }
  }

  /// Forgets what waits for its time.
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
