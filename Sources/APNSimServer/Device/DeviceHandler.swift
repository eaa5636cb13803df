internal import APNSimCore
internal import APNSimTLS
internal import NIOCore
internal import NIOTLS

/// One device's connection: hands its lines to the simulator and sends what the simulator has for it, as fast as the
/// device reads.
///
/// What is not sent waits in the simulator, where it is in order and bounded. The end of the device's side is the end
/// of the connection: a device that will not speak any more is leaving.
final class DeviceHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case handshaking
    case open
    /// Our side is closed: what still comes is discarded, until the device's end or the linger time.
    case lingering
    case closed
  }

  /// What the kernel holds for a device that does not read is lost with the connection, so that is kept small.
  private static let sendBuffer = SocketOptionValue(65_536)

  private let provider: ProviderChannel
  private var connection: DeviceConnection?
  private var phase = Phase.handshaking
  private var reason = ClosingReason.failed
  private var isDraining = false
  private var timer: Scheduled<Void>?

  init(_ provider: ProviderChannel) { self.provider = provider }

  static func setOptions(of channel: any Channel) throws {
    try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: sendBuffer)
    try KeepAlive.turnOn(channel)
  }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    provider.begin(context.channel)
    context.fireChannelActive()
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
    provider.endHandshake(context.channel)
    guard let certificate = provider.tls.peer, let name = DeviceAdmission.name(of: certificate), !isDraining
    else { return context.close(promise: nil) }
    let opening = DeviceOpening(
      peer: provider.peer,
      device: name,
      subject: certificate.subject,
      environment: provider.plan.environment,
      tlsVersion: provider.tls.version?.rawValue ?? "",
      cipher: provider.tls.cipher ?? ""
    )
    let connection = provider.simulator.openDevice(opening, at: WallClock.now())
    phase = .open
    self.connection = connection
    provider.identify(context.channel, as: connection.id)
    provider.loop.noteInput()
    waitForApps(context, connection)
  }

  /// The first line is due as soon as the handshake was.
  private func waitForApps(_ context: ChannelHandlerContext, _ connection: DeviceConnection) {
    let limit = provider.timing.handshakeTimeout
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
      guard self.phase == .open else { return }
      connection.silent(for: limit.components.seconds, at: WallClock.now())
      self.send(context)
    }
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .open, let connection else { return }
    let now = WallClock.now()
    unwrapInboundIn(data).withUnsafeReadableBytes { connection.receive($0, at: now) }
    provider.loop.noteInput()
    send(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: begin(context)
    case ChannelEvent.inputClosed: inputClosed(context)
    case ConnectionEvent.sendLines: send(context)
    case ConnectionEvent.drain: drain(context)
    case ConnectionEvent.perform(let action): if action.ending != .none { closeOutput(context) }
    case ConnectionEvent.end(let how): end(context, how)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let ending = provider.report(error)
    if phase == .open { reason = ending }
    context.close(promise: nil)
  }

  private func inputClosed(_ context: ChannelHandlerContext) {
    if phase == .open { reason = .peerClosed }
    context.close(promise: nil)
  }

  // MARK: Output

  /// Sends as much as the socket takes; goes on when it takes more. An end comes through even then.
  private func send(_ context: ChannelHandlerContext) {
    guard phase == .open, let connection else { return }
    while context.channel.isWritable || connection.isEnding {
      let chunk = connection.nextLines(at: WallClock.now())
      if !chunk.bytes.isEmpty {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: chunk.bytes)), promise: nil)
      }
      // A write can fail at once.
      guard phase == .open, context.channel.isActive else { return }
      if chunk.isLast { return closeOutput(context) }
      if chunk.isDrained { return }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { send(context) }
    context.fireChannelWritabilityChanged()
  }

  /// close_notify and half-close behind what was written; then waits for the device's end, within bounds.
  private func closeOutput(_ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    phase = .lingering
    reason = .simulatorClosed
    timer?.cancel()
    provider.coalescer.turnOff()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(provider.timing.linger)) {
      context.close(promise: nil)
    }
    let closed = context.eventLoop.makePromise(of: Void.self)
    context.close(mode: .output, promise: closed)
    closed.futureResult.assumeIsolated().whenFailure { _ in context.close(promise: nil) }
  }

  private func end(_ context: ChannelHandlerContext, _ how: ConnectionEnding) {
    guard how == .reset else { return closeOutput(context) }
    if phase == .open { reason = .reset }
    context.triggerUserOutboundEvent(TLSCommand.omitCloseNotify, promise: nil)
    SocketReset.close(context.channel)
  }

  /// The simulator stops: what waits is sent, then the connection ends.
  private func drain(_ context: ChannelHandlerContext) {
    guard !isDraining else { return }
    isDraining = true
    switch phase {
    case .handshaking: context.close(promise: nil)
    case .open:
      send(context)
      closeOutput(context)
      reason = .drained
    case .lingering, .closed: break
    }
  }
}
