internal import APNSimCore
internal import APNSimTLS
internal import NIOCore
internal import NIOTLS

/// One provider's connection to the gateway: hands what it reads to the simulator and does what that answers.
///
/// How it ends after an error is what a provider depends on: the six bytes in one TLS record, close_notify,
/// half-close, then reading and discarding. Closing with unread bytes would make the kernel send a reset, and the
/// provider might see that instead of the six bytes.
final class GatewayHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum Phase {
    case handshaking
    case open
    /// Our side is closed: what still comes is discarded, until the provider's end of input or the linger time.
    case lingering
    case closed
  }

  let provider: ProviderChannel
  var phase = Phase.handshaking
  /// How the connection will have ended, as far as it is known yet.
  var reason = ClosingReason.failed
  var isDraining = false
  /// Nothing is read any more; what the kernel hands over at the provider's end is not looked at.
  var isDeaf = false
  /// Whether something came in since a timer last looked.
  var hasRead = false
  var timer: Scheduled<Void>?
  private var connection: GatewayConnection?
  private var lastRead = Timestamp(rawValue: 0)

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
    let now = WallClock.now()
    let connection: GatewayConnection
    do throws(TurnedAway) {
      connection = try provider.simulator.openGateway(opening, at: now)
    } catch {
      provider.turnedAway(error)
      return context.close(promise: nil)
    }
    phase = .open
    lastRead = now
    self.connection = connection
    provider.identify(context.channel, as: connection.id)
    provider.loop.noteInput()
    if isDraining {
      waitForQuiet(context)
    } else {
      watchForIdleness(context, after: TimeAmount(provider.timing.idleTimeout))
    }
    do {
      try provider.install(connection.plan, context) { self.closeOutput(context) }
    } catch {
      context.close(promise: nil)
    }
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let connection, !isDeaf else { return }
    let now = WallClock.now()
    lastRead = now
    hasRead = true
    let action = unwrapInboundIn(data).withUnsafeReadableBytes { connection.receive($0, at: now) }
    provider.loop.noteInput()
    if action.ending != .none || action.response != nil { perform(action, context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: begin(context)
    case ChannelEvent.inputClosed: inputClosed(context)
    case ConnectionEvent.drain: drain(context)
    case ConnectionEvent.perform(let action): perform(action, context)
    case ConnectionEvent.end(let how): end(context, how)
    case ConnectionEvent.makeWay: makeWay(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let ending = provider.report(error)
    if phase == .open { reason = ending }
    context.close(promise: nil)
  }

  /// The provider has said everything: what it sent is judged already, so only the end is left.
  private func inputClosed(_ context: ChannelHandlerContext) {
    switch phase {
    case .handshaking, .closed: context.close(promise: nil)
    case .lingering: context.close(promise: nil)
    case .open:
      reason = .peerClosed
      if let action = connection?.inputEnded(at: WallClock.now()), action != .none {
        perform(action, context)
      } else if connection?.hasPendingReply != true {
        context.close(promise: nil)
      }
    }
  }

  private func end(_ context: ChannelHandlerContext, _ how: ConnectionEnding) {
    guard phase == .open, let connection else { return }
    switch how {
    case .shutdown: perform(connection.shutdown(at: WallClock.now()), context)
    case .finish: closeOutput(context)
    case .reset: reset(context)
    }
  }

  // MARK: Idleness

  /// Others have no room: a provider that has been silent for a while gives up its own.
  private func makeWay(_ context: ChannelHandlerContext) {
    let idle = TimeAmount.milliseconds((WallClock.now() - lastRead).milliseconds)
    guard phase == .open, !isDraining, idle >= TimeAmount(provider.timing.silence) else { return }
    reason = .timedOut
    provider.madeWay()
    context.close(promise: nil)
  }

  /// Closes the connection once nothing has come in for long enough.
  private func watchForIdleness(_ context: ChannelHandlerContext, after wait: TimeAmount) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
      guard self.phase == .open, !self.isDraining else { return }
      let limit = TimeAmount(self.provider.timing.idleTimeout)
      let idle = TimeAmount.milliseconds((WallClock.now() - self.lastRead).milliseconds)
      guard idle >= limit else { return self.watchForIdleness(context, after: limit - idle) }
      self.reason = .timedOut
      context.close(promise: nil)
    }
  }
}
