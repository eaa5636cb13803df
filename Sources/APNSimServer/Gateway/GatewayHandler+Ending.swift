internal import APNSimCore
internal import APNSimTLS
internal import APNSimWire
internal import NIOCore

/// The ways a gateway connection ends.
extension GatewayHandler {
  /// Does what the simulator answered.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    for record in action.records {
      // Each one TLS record, in a packet of its own.
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: record)), promise: nil)
    }
    switch action.ending {
    case .none: break
    case .drain: closeOutput(context)
    case .reset: reset(context)
    case .stopReading: stopReading(context)
    }
  }

  /// Leaves the connection open and unread: what the provider goes on writing fills the pipe. Its end cannot be
  /// seen that way, so the time of an idle connection bounds it.
  private func stopReading(_ context: ChannelHandlerContext) {
    isDeaf = true
    provider.coalescer.dropPostponed()
    context.channel.setOption(.autoRead, value: false).assumeIsolated().whenFailure { _ in
      context.close(promise: nil)
    }
  }

  /// close_notify and half-close behind what was written; then discards until the end or the linger time.
  func closeOutput(_ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    phase = .lingering
    reason = .simulatorClosed
    timer?.cancel()
    provider.coalescer.turnOff()
    let linger = TimeAmount(provider.timing.linger)
    // Where a fault holds the output back, the time begins when it has left.
    let isLater = provider.load != nil
    if !isLater { waitForEnd(context, linger, until: .now() + linger * 5) }
    let closed = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: closed)
    closed.futureResult.assumeIsolated().whenComplete { result in
      switch result {
      case .success: if isLater { self.waitForEnd(context, linger, until: .now() + linger * 5) }
      // The provider is gone already.
      case .failure: context.close(promise: nil)
      }
    }
  }

  /// A provider that still writes is read on, so that it finds the response when it looks; but not for ever.
  private func waitForEnd(_ context: ChannelHandlerContext, _ wait: TimeAmount, until end: NIODeadline) {
    guard phase == .lingering else { return }
    hasRead = false
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.phase == .lingering else { return }
      guard self.hasRead, .now() < end else { return context.close(promise: nil) }
      self.waitForEnd(context, min(wait, end - .now()), until: end)
    }
  }

  /// A reset right behind what was written: the provider may or may not see it.
  func reset(_ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    phase = .lingering
    reason = .reset
    timer?.cancel()
    context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
    SocketReset.close(context.channel)
  }

  // MARK: Shutdown

  /// The simulator stops: what this provider sent is to be judged and answered first.
  func drain(_ context: ChannelHandlerContext) {
    guard !isDraining else { return }
    isDraining = true
    switch phase {
    case .handshaking:
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: ProviderChannel.lateHandshake) {
        if self.phase == .handshaking { context.close(promise: nil) }
      }
    case .open: waitForQuiet(context)
    case .lingering, .closed: break
    }
  }

  /// Closes once everything that lay in the socket's buffer has been read, which is when nothing came for a while.
  func waitForQuiet(_ context: ChannelHandlerContext) {
    provider.coalescer.turnOff()
    timer?.cancel()
    hasRead = false
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) {
      guard self.phase == .open else { return }
      if self.hasRead { return self.waitForQuiet(context) }
      self.reason = .drained
      context.close(promise: nil)
    }
  }
}
