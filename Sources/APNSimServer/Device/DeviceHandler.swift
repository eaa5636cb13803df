internal import APNSimCore
internal import APNSimTLS
internal import NIOCore

/// One device's connection: hands its lines to the simulator and sends what the simulator has for it, as fast as the
/// device reads.
///
/// What is not sent waits in the simulator, where it is in order and bounded. The end of the device's side is the end
/// of the connection: a device that will not speak any more is leaving.
final class DeviceHandler: ServiceHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What the kernel holds for a device that does not read is lost with the connection, so that is kept small.
  private static let sendBuffer = SocketOptionValue(65_536)

  let peer: PeerChannel
  var life = ConnectionLife<DeviceConnection>()

  init(_ peer: PeerChannel) { self.peer = peer }

  static func setOptions(of channel: any Channel) throws {
    try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: sendBuffer)
    try KeepAlive.turnOn(channel)
  }

  func openConnection(at now: Timestamp) -> DeviceConnection? {
    guard let certificate = peer.tls.peer, let name = DeviceAdmission.name(of: certificate),
      !life.isDraining
    else { return nil }
    let opening = DeviceOpening(
      peer: peer.address,
      device: name,
      subject: certificate.subject,
      environment: peer.plan.environment,
      tlsVersion: peer.tls.version?.rawValue ?? "",
      cipher: peer.tls.cipher ?? ""
    )
    return peer.simulator.openDevice(opening, at: now)
  }

  /// A device says what apps it has, and then nothing for as long as it is on.
  var canMakeWay: Bool { false }

  /// The first line is due as soon as the handshake was.
  func opened(_ context: ChannelHandlerContext, at now: Timestamp) {
    let limit = peer.timing.handshakeTimeout
    life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
      guard self.life.phase == .open, let connection = self.life.connection else { return }
      connection.silent(
        for: limit.components.seconds + (limit.components.attoseconds > 0 ? 1 : 0),
        at: WallClock.now()
      )
      self.send(context)
    }
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard life.phase == .open, let connection = life.connection else { return }
    let now = WallClock.now()
    unwrapInboundIn(data).withUnsafeReadableBytes { connection.receive($0, at: now) }
    peer.loop.noteInput()
    send(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ConnectionEvent.sendLines = event { send(context) } else { handle(event, context) }
  }

  func inputClosed(_ context: ChannelHandlerContext) {
    if life.phase == .open { life.reason = .peerClosed }
    context.close(promise: nil)
  }

  // MARK: Output

  /// Sends as much as the socket takes; goes on when it takes more. An end comes through even then.
  private func send(_ context: ChannelHandlerContext) {
    guard life.phase == .open, let connection = life.connection else { return }
    while context.channel.isWritable || connection.isEnding {
      let chunk = connection.nextLines(at: WallClock.now())
      if !chunk.bytes.isEmpty {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: chunk.bytes)), promise: nil)
      }
      // A write can fail at once.
      guard life.phase == .open, context.channel.isActive else { return }
      if chunk.isDrained, life.isDraining { return closeOutput(context, as: .drained) }
      if chunk.isLast { return closeOutput(context) }
      if chunk.isDrained { return }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { send(context) }
    context.fireChannelWritabilityChanged()
  }

  // MARK: Endings

  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    if action.ending != .none { closeOutput(context) }
  }

  func end(_ context: ChannelHandlerContext, _ how: ConnectionEnding) {
    how == .reset ? resetNow(context) : closeOutput(context)
  }

  /// What waits is sent as fast as the device reads, within the time of the shutdown; then the connection ends.
  func drainOpen(_ context: ChannelHandlerContext) { send(context) }
}
