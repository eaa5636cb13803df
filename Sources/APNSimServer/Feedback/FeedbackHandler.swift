internal import APNSimCore
internal import APNSimTLS
internal import NIOCore
internal import NIOTLS

/// One provider's connection to the feedback service: sends the list at once, then closes.
///
/// "Transmission begins immediately; you do not need to send any command. Begin reading the stream … until there is
/// no more data to read" (Local and Push Notification Programming Guide, 2011-08-09, "The Feedback Service"). A
/// TLS record holds whole tuples; a pause stands between the last one and close_notify, since readers that get both
/// at once lose the tuple. What is not written yet stays in the list, so that a reader that goes away early leaves
/// the rest to the next one, and a long list costs no memory.
final class FeedbackHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case handshaking
    case sending
    /// Everything is sent; the pause before the end.
    case pausing
    /// Everything is sent and the connection is held open (quirk `feedbackHoldOpen`).
    case holding
    /// Our side is closed.
    case lingering
    case closed
  }

  /// Bytes a client may write where none are expected.
  private static let unexpectedLimit = 1_048_576
  /// Chunks sent in one go, before other connections of the loop have their turn.
  private static let chunksPerTurn = 32

  private let provider: ProviderChannel
  private var connection: FeedbackConnection?
  private var phase = Phase.handshaking
  private var reason = ClosingReason.failed
  private var isDraining = false
  private var isInputClosed = false
  private var hasProgressed = false
  private var unexpected = 0
  private var timer: Scheduled<Void>?

  init(_ provider: ProviderChannel) { self.provider = provider }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    provider.begin(context.channel)
    context.fireChannelActive()
    if provider.isLate { drain(context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish(context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { finish(context) }

  private func finish(_ context: ChannelHandlerContext) {
    guard phase != .closed else { return }
    phase = .closed
    timer?.cancel()
    timer = nil
    provider.end(context.channel, connection?.id)
    connection?.closed(isDraining && reason == .failed ? .drained : reason, at: WallClock.now())
    connection = nil
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard phase == .handshaking else { return }
    guard let opening = provider.handshakeCompleted(context.channel) else {
      return context.close(promise: nil)
    }
    let connection: FeedbackConnection
    do throws(TurnedAway) {
      connection = try provider.simulator.openFeedback(opening, at: WallClock.now())
    } catch {
      provider.turnedAway(error)
      return context.close(promise: nil)
    }
    phase = .sending
    self.connection = connection
    provider.identify(context.channel, as: connection.id)
    provider.loop.noteInput()
    timer?.cancel()
    watchForStalling(context)
    do {
      try provider.install(connection.plan, context) { self.closeOutput(context) }
      send(context)
    } catch {
      context.close(promise: nil)
    }
  }

  /// Gives up on a reader that takes nothing, or is held open, for as long as an idle connection may live.
  private func watchForStalling(_ context: ChannelHandlerContext) {
    hasProgressed = false
    let limit = TimeAmount(provider.timing.idleTimeout)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
      guard self.phase == .sending || self.phase == .holding else { return }
      if self.hasProgressed { return self.watchForStalling(context) }
      self.reason = .timedOut
      context.close(promise: nil)
    }
  }

  // MARK: Sending

  /// Sends as much as the socket takes; goes on when it takes more.
  private func send(_ context: ChannelHandlerContext) {
    guard phase == .sending, let connection else { return }
    for _ in 0..<Self.chunksPerTurn {
      // A write can fail at once, and what is handed out then is lost.
      guard phase == .sending, context.channel.isActive, context.channel.isWritable,
        provider.load?.isFull != true
      else { return }
      let chunk = connection.nextChunk(at: WallClock.now())
      guard !chunk.isEmpty else { return listEnded(context) }
      hasProgressed = true
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: chunk)), promise: nil)
    }
    context.eventLoop.assumeIsolated().execute { self.send(context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { send(context) }
    context.fireChannelWritabilityChanged()
  }

  private func listEnded(_ context: ChannelHandlerContext) {
    if connection?.holdsOpen == true, !isDraining {
      phase = .holding
      if isInputClosed { closeOutput(context) }
      return
    }
    phase = .pausing
    timer?.cancel()
    // The pause begins when the last byte has left, not when it was queued.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in
      guard self.phase == .pausing else { return }
      let pause = TimeAmount(self.provider.timing.feedbackPause)
      self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.closeOutput(context) }
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
  }

  /// close_notify and half-close; then waits for the client's end, within bounds.
  private func closeOutput(_ context: ChannelHandlerContext) {
    guard phase == .sending || phase == .pausing || phase == .holding else { return }
    phase = .lingering
    reason = .simulatorClosed
    timer?.cancel()
    guard !isInputClosed else { return context.close(promise: nil) }
    // Where a fault holds the output back, the time begins when it has left.
    let isLater = provider.load != nil
    if !isLater { waitForEnd(context) }
    let closed = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: closed)
    closed.futureResult.assumeIsolated().whenComplete { result in
      switch result {
      case .success: if isLater { self.waitForEnd(context) }
      case .failure: context.close(promise: nil)
      }
    }
  }

  private func waitForEnd(_ context: ChannelHandlerContext) {
    guard phase == .lingering else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(provider.timing.linger)) {
      context.close(promise: nil)
    }
  }

  // MARK: Input

  /// A client has nothing to say here.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if unexpected == 0 {
      provider.reportUnexpectedBytes()
    }
    unexpected += unwrapInboundIn(data).readableBytes
    guard unexpected > Self.unexpectedLimit, phase != .lingering, connection?.plan.isBlackHole != true
    else { return }
    closeOutput(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: begin(context)
    case TLSEvent.peerClosedNotify: peerClosed(context)
    case ChannelEvent.inputClosed: inputClosed(context)
    case ConnectionEvent.drain: drain(context)
    case ConnectionEvent.perform(let action): perform(action, context)
    case ConnectionEvent.end(let how): end(context, how)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let ending = provider.report(error)
    if phase != .lingering { reason = ending }
    context.close(promise: nil)
  }

  /// The client closed the TLS session: it does not want the rest (RFC 5246, section 7.2.1).
  private func peerClosed(_ context: ChannelHandlerContext) {
    if phase != .lingering { reason = .peerClosed }
    context.close(promise: nil)
  }

  /// The client closed its sending side, or all: which of the two shows when we write.
  private func inputClosed(_ context: ChannelHandlerContext) {
    isInputClosed = true
    switch phase {
    case .handshaking, .lingering, .closed: context.close(promise: nil)
    case .holding:
      reason = .peerClosed
      context.close(promise: nil)
    case .sending, .pausing: break
    }
  }

  /// What the simulator decided: only ends make sense here.
  private func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    switch action.ending {
    case .none, .stopReading: break
    case .drain: closeOutput(context)
    case .reset: end(context, .reset)
    }
  }

  private func end(_ context: ChannelHandlerContext, _ how: ConnectionEnding) {
    if how == .reset {
      context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
      reason = .reset
      SocketReset.close(context.channel)
    } else {
      closeOutput(context)
    }
  }

  // MARK: Shutdown

  /// The simulator stops: a list that is being read may be read to its end, within the time of the shutdown.
  private func drain(_ context: ChannelHandlerContext) {
    guard !isDraining else { return }
    isDraining = true
    switch phase {
    case .handshaking:
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: ProviderChannel.lateHandshake) {
        if self.phase == .handshaking { context.close(promise: nil) }
      }
    case .holding: closeOutput(context)
    case .sending, .pausing, .lingering, .closed: break
    }
  }
}
