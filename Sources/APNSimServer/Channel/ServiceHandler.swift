import APNSimCore
import APNSimTLS
import NIOCore
import NIOTLS

/// The last handler of a connection: it passes input to the simulator and performs its answers.
///
/// The protocol implements the life of a connection, which the services have in common: the handshake, opening
/// and closing in the simulator, the half-close with input that may still follow, the shutdown. Each service's own
/// handler sends its output and knows when that is complete.
protocol ServiceHandler: ChannelInboundHandler, RemovableChannelHandler
where InboundIn == ByteBuffer, OutboundOut == ByteBuffer {
  associatedtype Connection: ServiceConnection

  var peer: PeerChannel { get }
  var life: ConnectionLife<Connection> { get set }

  /// Opens the connection in the simulator after the handshake; nil refuses it.
  func openConnection(at now: Timestamp) -> Connection?
  /// The connection was opened in the simulator.
  func opened(_ context: ChannelHandlerContext, at now: Timestamp)
  /// The peer will send nothing more.
  func inputClosed(_ context: ChannelHandlerContext)
  /// Performs an action that the simulator decided as time passed.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext)
  /// Ends the connection in the way an operator asked for.
  func end(_ context: ChannelHandlerContext, _ how: KillMode)
  /// The simulator stops while the connection is open.
  func drainOpen(_ context: ChannelHandlerContext)
  /// True if a silent connection can make way for others.
  var canMakeWay: Bool { get }
  /// True if the peer's linger time begins only when all output has left.
  var lingersAfterOutput: Bool { get }
  /// Bounds the time that the peer may take to close its side after ours.
  func waitForEnd(_ context: ChannelHandlerContext)
}

// MARK: Life

extension ServiceHandler {
  func channelActive(context: ChannelHandlerContext) {
    peer.begin(context.channel)
    context.fireChannelActive()
    if peer.isLate { drain(context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish(context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { finish(context) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let ending = peer.report(error)
    if life.phase == .open { life.reason = ending }
    closeNow(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { handle(event, context) }

  /// Handles the events of a connection of any service.
  func handle(_ event: Any, _ context: ChannelHandlerContext) {
    switch event {
    case TLSUserEvent.handshakeCompleted:
      if let successor = peer.takeSuccessor() {
        handOver(context, to: successor, event)
      } else {
        begin(context)
      }
    case ChannelEvent.inputClosed: inputClosed(context)
    case ConnectionEvent.drain: drain(context)
    case ConnectionEvent.perform(let action): perform(action, context)
    case ConnectionEvent.end(let how): end(context, how)
    case ConnectionEvent.makeWay(let request): makeWay(context, request)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard life.phase == .handshaking else { return }
    peer.endHandshake(context.channel)
    let now = WallClock.now()
    guard let connection = openConnection(at: now) else { return context.close(promise: nil) }
    peer.tls.forgetPeer()
    life.open(connection, at: now)
    peer.identify(context.channel, as: connection.id)
    peer.loop.noteInput()
    do {
      try peer.install(connection.plan, context) { self.closeOutput(context) }
    } catch {
      return context.close(promise: nil)
    }
    if life.phase == .open { opened(context, at: now) }
  }

  /// Leaves the connection to the service that its client has asked for in the handshake.
  private func handOver(
    _ context: ChannelHandlerContext,
    to successor: PeerChannel.Successor,
    _ event: Any
  ) {
    do {
      let handler = try successor(peer, context.channel, life.isDraining)
      try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
    } catch {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard life.phase != .closed else { return }
    let connection = life.close()
    peer.end(context.channel, connection?.id)
    if let connection, let frame = connection.unfinished { peer.reportUnfinished(frame, of: connection.id) }
    connection?.closed(life.reason, at: WallClock.now())
  }
}

// MARK: Silence

extension ServiceHandler {
  var canMakeWay: Bool { true }

  private var silence: TimeAmount {
    .milliseconds((WallClock.now() - life.lastActivity).milliseconds)
  }

  /// Answers a request to make way: a peer that has been silent for a while does, and so does one whose end is held
  /// back.
  private func makeWay(_ context: ChannelHandlerContext, _ request: RoomRequest) {
    let isThere = life.phase == .open || life.phase == .lingering && lingersAfterOutput
    let isSilent =
      isThere && !life.isDraining && canMakeWay && silence >= TimeAmount(peer.timing.silence)
    guard request.answer(canMakeWay: isSilent) else { return }
    context.channel.closeFuture.assumeIsolated().whenComplete { _ in self.peer.madeWay() }
    if life.phase == .open { life.reason = .timedOut }
    closeNow(context)
  }

  /// Closes an open connection after the idle time without activity.
  func watchForIdleness(_ context: ChannelHandlerContext) {
    let limit = TimeAmount(peer.timing.idleTimeout)
    watchForIdleness(context, limit, after: limit)
  }

  private func watchForIdleness(_ context: ChannelHandlerContext, _ limit: TimeAmount, after wait: TimeAmount)
  {
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.life.phase == .open else { return }
      let silence = self.silence
      guard silence >= limit else { return self.watchForIdleness(context, limit, after: limit - silence) }
      self.life.reason = .timedOut
      self.closeNow(context)
    }
  }
}

// MARK: Endings

extension ServiceHandler {
  /// With a fault that holds output back, the linger time begins when the output has left.
  var lingersAfterOutput: Bool { peer.load != nil }

  /// Closes the connection without waiting for output that was written or that a fault holds back.
  func closeNow(_ context: ChannelHandlerContext) {
    peer.load?.isDropped = true
    context.close(promise: nil)
  }

  /// Sends close_notify after the output and half-closes; then discards input until the peer closes or the linger
  /// time ends.
  func closeOutput(_ context: ChannelHandlerContext, as reason: ClosingReason = .simulatorClosed) {
    guard life.phase == .open else { return }
    life.linger(reason)
    peer.coalescer.turnOff()
    let isLater = lingersAfterOutput
    if isLater { waitForOutput(context) } else { waitForEnd(context) }
    let closed = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: closed)
    closed.futureResult.assumeIsolated().whenComplete { result in
      switch result {
      case .success: if isLater, self.life.phase == .lingering { self.waitForEnd(context) }
      // The peer has closed already.
      case .failure: context.close(promise: nil)
      }
    }
  }

  func waitForEnd(_ context: ChannelHandlerContext) { closeAfterLinger(context) }

  func closeAfterLinger(_ context: ChannelHandlerContext) { closeUnlessOver(context, in: peer.linger) }

  /// Bounds the time in which the output may leave by that of an idle connection.
  private func waitForOutput(_ context: ChannelHandlerContext) {
    closeUnlessOver(context, in: TimeAmount(peer.timing.idleTimeout))
  }

  /// Resets the connection right after the output, which the peer may or may not see.
  func reset(_ context: ChannelHandlerContext) {
    guard life.phase != .closed else { return }
    life.linger(.reset)
    if lingersAfterOutput { waitForOutput(context) }
    context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
    context.channel.closeByReset()
  }

  /// Resets the connection at once, as an operator asked for.
  func resetNow(_ context: ChannelHandlerContext) {
    peer.load?.isDropped = true
    reset(context)
  }

  /// Shuts the connection down: a handshake has a moment left, an open connection the time its service needs.
  func drain(_ context: ChannelHandlerContext) {
    guard !life.isDraining else { return }
    life.isDraining = true
    switch life.phase {
    case .handshaking: closeUnlessOver(context, in: TimeAmount(peer.timing.lateHandshake))
    case .open: drainOpen(context)
    case .lingering, .closed: break
    }
  }

  /// Closes the connection after a time unless its phase has ended.
  private func closeUnlessOver(_ context: ChannelHandlerContext, in time: TimeAmount) {
    let phase = life.phase
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      if self.life.phase == phase { self.closeNow(context) }
    }
  }
}
