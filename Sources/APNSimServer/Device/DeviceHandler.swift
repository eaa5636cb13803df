import APNSimCore
import APNSimTLS
import NIOCore

/// The handler of one device's connection: it passes the device's lines to the simulator and sends the simulator's
/// lines as fast as the device reads.
///
/// Unsent lines wait in the simulator, in order and bounded. The end of the device's input ends the connection: a
/// device that sends nothing more is leaving.
final class DeviceHandler: ServiceHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The size of the send buffer, in bytes. It is small because its content is lost with the connection of a device
  /// that does not read.
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

  /// A device never makes way: after naming its apps it is silent for as long as it is on.
  var canMakeWay: Bool { false }

  /// The first line is due within the time of a handshake.
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

  /// Sends as much as the socket accepts, and continues when it accepts more. The end of the connection does not wait
  /// for that.
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

  func end(_ context: ChannelHandlerContext, _ how: KillMode) {
    how == .reset ? resetNow(context) : closeOutput(context)
  }

  /// Sends the waiting lines as fast as the device reads, within the time of the shutdown; then the connection ends.
  func drainOpen(_ context: ChannelHandlerContext) { send(context) }
}
