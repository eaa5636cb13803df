import NIOCore

/// The failing of TLS: alert, report, drain, close.
extension TLSHandler {
  func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
    guard state == .open || state == .handshaking else { return }
    state = .draining
    timer?.cancel()
    timer = nil
    if let alert = connection.takeOutput() {
      context.writeAndFlush(wrapOutboundOut(alert), promise: nil)
    }
    writes.fail(error)
    context.fireErrorCaught(error)
    drain(context)
  }

  /// Closes our side, then reads and discards input: closing with unread bytes would make the kernel send a reset,
  /// which the peer might see instead of the alert.
  private func drain(_ context: ChannelHandlerContext) {
    guard state == .draining else { return }
    let linger = connection.context.linger
    guard linger > .zero else { return context.close(promise: nil) }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: linger) {
      context.close(promise: nil)
    }
    let half = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: half)
    half.futureResult.assumeIsolated().whenFailure { _ in
      if self.state == .draining { context.close(promise: nil) }
    }
  }

  func handshakeTimedOut(_ context: ChannelHandlerContext, _ limit: TimeAmount) {
    guard state == .handshaking else { return }
    let seconds = Double(limit.nanoseconds) / 1e9
    var found = "the peer sent nothing"
    if handshakeBytes > 0 {
      found = "the peer stopped after \(handshakeBytes) bytes"
      if let finding = FirstBytes.judge(firstBytes) { found += " (\(finding.text))" }
    }
    let reason = "expected a complete handshake within \(seconds) s, \(found)"
    fail(context, TLSError(.handshakeTimeout, reason, duringHandshake: true))
  }

  /// Reports a connection that ended during the handshake. No alert is sent, since the peer has gone.
  func reportLost(_ context: ChannelHandlerContext, _ what: String) {
    let kind: TLSError.Kind = handshakeBytes == 0 ? .closedBeforeHandshake : .closedDuringHandshake
    var reason = "\(what) after \(handshakeBytes) bytes, before the handshake was complete"
    if let finding = FirstBytes.judge(firstBytes) { reason += " (\(finding.text))" }
    var error = TLSError(kind, reason, duringHandshake: true)
    error.peer = connection.peer
    state = .closed
    timer?.cancel()
    timer = nil
    writes.fail(error)
    context.fireErrorCaught(error)
  }
}
