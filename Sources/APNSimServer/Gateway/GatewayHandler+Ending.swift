import APNSimCore
import NIOCore

/// The endings of a gateway connection.
extension GatewayHandler {
  /// Performs the simulator's answer.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    guard life.phase == .open else { return }
    let records = action.records
    let pause = action.gluesEnding ? .zero : TimeAmount(peer.timing.endingPause)
    let isPaused = action.ending == .drain && !records.isEmpty && pause > .zero
    for (index, record) in records.enumerated() {
      // Each record is one TLS record, in a packet of its own.
      let isLast = index + 1 == records.count
      let sent = isPaused && isLast ? context.eventLoop.makePromise(of: Void.self) : nil
      if let sent { closeOutput(context, after: pause, since: sent.futureResult) }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: record)), promise: sent)
    }
    switch action.ending {
    case .none: break
    case .drain: if !isPaused { closeOutput(context) }
    case .reset: reset(context)
    case .stopReading: stopReading(context)
    }
  }

  func end(_ context: ChannelHandlerContext, _ how: KillMode) {
    if how == .reset { return resetNow(context) }
    guard life.phase == .open, let connection = life.connection else { return }
    switch how {
    case .shutdown: perform(connection.shutdown(at: WallClock.now()), context)
    case .finish, .reset: closeOutput(context)
    }
  }

  /// Ends the connection some time after the error response has left: a client that finds both in one read may see the
  /// end alone. What it writes meanwhile is discarded, as it is afterwards.
  private func closeOutput(
    _ context: ChannelHandlerContext,
    after pause: TimeAmount,
    since sent: EventLoopFuture<Void>
  ) {
    isPausing = true
    life.reason = .simulatorClosed
    sent.assumeIsolated().whenComplete { _ in
      guard self.life.phase == .open else { return }
      self.life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
        self.closeOutput(context)
      }
    }
  }

  /// Leaves the connection open and unread: what the provider goes on writing fills the socket's buffers. Its end
  /// cannot be seen that way, so the idle time bounds it.
  private func stopReading(_ context: ChannelHandlerContext) {
    ignoresInput = true
    peer.coalescer.dropPostponed()
    context.channel.setOption(.autoRead, value: false).assumeIsolated().whenFailure { _ in
      context.close(promise: nil)
    }
  }

  /// Goes on reading from a provider that still writes, so that it finds the response when it reads, for five times
  /// the linger time at most.
  func waitForEnd(_ context: ChannelHandlerContext) {
    waitForEnd(context, peer.linger, until: .now() + peer.linger * 5)
  }

  private func waitForEnd(_ context: ChannelHandlerContext, _ wait: TimeAmount, until end: NIODeadline) {
    hasRead = false
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.life.phase == .lingering else { return }
      guard self.hasRead, .now() < end else { return self.closeNow(context) }
      self.waitForEnd(context, min(wait, end - .now()), until: end)
    }
  }

  // MARK: Shutdown

  /// Judges and answers first what the provider has sent.
  func drainOpen(_ context: ChannelHandlerContext) {
    if !isPausing { waitForQuiet(context, .milliseconds(50)) }
  }

  /// Ends once the socket's buffer has been read, which is when nothing has come for a while. The wait is longer if
  /// something came, since data held back by a full window takes its time on a busy machine. A delayed error response
  /// is sent now.
  private func waitForQuiet(_ context: ChannelHandlerContext, _ wait: TimeAmount) {
    peer.coalescer.turnOff()
    hasRead = false
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.life.phase == .open, !self.isPausing else { return }
      if self.hasRead { return self.waitForQuiet(context, .milliseconds(200)) }
      self.life.reason = .drained
      guard let connection = self.life.connection, connection.hasPendingReply else {
        return context.close(promise: nil)
      }
      self.perform(connection.shutdown(at: WallClock.now()), context)
    }
  }
}
