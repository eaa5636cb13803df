internal import APNSimCore
internal import APNSimTLS
internal import NIOCore
internal import NIOTLS

/// The last handler of a connection: hands what it reads to the simulator and does what that answers.
///
/// The three services have the life of a connection in common, which is here: the handshake, the beginning and the
/// end of the conversation, the half-close with what may still come after it, the shutdown. What a service says and
/// when it has said everything is its own handler's.
protocol ServiceHandler: ChannelInboundHandler where InboundIn == ByteBuffer, OutboundOut == ByteBuffer {
  associatedtype Connection: ServiceConnection

  var peer: PeerChannel { get }
  var life: ConnectionLife<Connection> { get set }

  /// The handshake is complete: begins the conversation, or refuses to.
  func openConnection(at now: Timestamp) -> Connection?
  /// The conversation has begun.
  func opened(_ context: ChannelHandlerContext, at now: Timestamp)
  /// The peer will send nothing more.
  func inputClosed(_ context: ChannelHandlerContext)
  /// Does what the simulator decided while time passed.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext)
  /// Ends the connection, the way an operator asked for.
  func end(_ context: ChannelHandlerContext, _ how: ConnectionEnding)
  /// The simulator stops while the conversation is open.
  func drainOpen(_ context: ChannelHandlerContext)
  /// Whether a silent conversation can give up its place where there is none for others.
  var canMakeWay: Bool { get }
  /// Whether the peer's time for its own end begins only when everything that was written has left.
  var lingersBehindOutput: Bool { get }
  /// Our side is closed: bounds how long the peer may take for its own.
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

  /// What happens to a connection of any service.
  func handle(_ event: Any, _ context: ChannelHandlerContext) {
    switch event {
    case TLSUserEvent.handshakeCompleted: begin(context)
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

  private func finish(_ context: ChannelHandlerContext) {
    guard life.phase != .closed else { return }
    let connection = life.close()
    peer.end(context.channel, connection?.id)
    connection?.closed(life.reason, at: WallClock.now())
  }
}

// MARK: Silence

extension ServiceHandler {
  var canMakeWay: Bool { true }

  private var silence: TimeAmount {
    .milliseconds((WallClock.now() - life.lastActivity).milliseconds)
  }

  /// Others have no room: a peer that has been silent for a while gives up its own, and so does one for whom an end
  /// is held back.
  private func makeWay(_ context: ChannelHandlerContext, _ request: RoomRequest) {
    let isThere = life.phase == .open || life.phase == .lingering && lingersBehindOutput
    let isSilent =
      isThere && !life.isDraining && canMakeWay && silence >= TimeAmount(peer.timing.silence)
    guard request.answer(canMakeWay: isSilent) else { return }
    context.channel.closeFuture.assumeIsolated().whenComplete { _ in self.peer.madeWay() }
    if life.phase == .open { life.reason = .timedOut }
    closeNow(context)
  }

  /// Closes an open connection once it has been silent for as long as an idle one may live.
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
  /// Where a fault holds the output back, the time begins when it has left.
  var lingersBehindOutput: Bool { peer.load != nil }

  /// Closes the connection without waiting for what was written, and for what a fault holds back of it.
  func closeNow(_ context: ChannelHandlerContext) {
    peer.load?.isDropped = true
    context.close(promise: nil)
  }

  /// close_notify and half-close behind what was written; then discards until the end or the linger time.
  func closeOutput(_ context: ChannelHandlerContext, as reason: ClosingReason = .simulatorClosed) {
    guard life.phase == .open else { return }
    life.linger(reason)
    peer.coalescer.turnOff()
    let isLater = lingersBehindOutput
    if isLater { waitForOutput(context) } else { waitForEnd(context) }
    let closed = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: closed)
    closed.futureResult.assumeIsolated().whenComplete { result in
      switch result {
      case .success: if isLater, self.life.phase == .lingering { self.waitForEnd(context) }
      // The peer is gone already.
      case .failure: context.close(promise: nil)
      }
    }
  }

  func waitForEnd(_ context: ChannelHandlerContext) { closeAfterLinger(context) }

  func closeAfterLinger(_ context: ChannelHandlerContext) { closeUnlessOver(context, in: peer.linger) }

  /// What never leaves holds a connection for as long as an idle one may live.
  private func waitForOutput(_ context: ChannelHandlerContext) {
    closeUnlessOver(context, in: TimeAmount(peer.timing.idleTimeout))
  }

  /// A reset right behind what was written: the peer may or may not see it.
  func reset(_ context: ChannelHandlerContext) {
    guard life.phase != .closed else { return }
    life.linger(.reset)
    if lingersBehindOutput { waitForOutput(context) }
    context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
    context.channel.closeByReset()
  }

  /// An operator's reset waits for nothing.
  func resetNow(_ context: ChannelHandlerContext) {
    peer.load?.isDropped = true
    reset(context)
  }

  /// The simulator stops: a handshake has a moment left, an open conversation what its service needs.
  func drain(_ context: ChannelHandlerContext) {
    guard !life.isDraining else { return }
    life.isDraining = true
    switch life.phase {
    case .handshaking: closeUnlessOver(context, in: PeerChannel.lateHandshake)
    case .open: drainOpen(context)
    case .lingering, .closed: break
    }
  }

  /// Closes the connection unless its phase ends before the time does.
  private func closeUnlessOver(_ context: ChannelHandlerContext, in time: TimeAmount) {
    let phase = life.phase
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      if self.life.phase == phase { self.closeNow(context) }
    }
  }
}
