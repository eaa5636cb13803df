import APNSimCore
import NIOCore

/// The handler of one provider's connection to the gateway: it passes input to the simulator and performs its
/// answers.
///
/// Providers depend on how it ends after an error: the six bytes in one TLS record, a pause, close_notify, half-close,
/// then reading and discarding. Closing with unread bytes would make the kernel send a reset, which the provider might see
/// instead of the six bytes.
final class GatewayHandler: ServiceHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let peer: PeerChannel
  var life = ConnectionLife<GatewayConnection>()
  /// True once nothing is read any more; input that the kernel delivers at the provider's end is ignored.
  var ignoresInput = false
  /// True once an error response is written and the pause before the end has begun.
  var isPausing = false
  /// True if there was input since a timer last checked.
  var hasRead = false

  init(_ peer: PeerChannel) { self.peer = peer }

  func openConnection(at now: Timestamp) -> GatewayConnection? {
    peer.admit { opening throws(TurnedAway) in try peer.simulator.openGateway(opening, at: now) }
  }

  func opened(_ context: ChannelHandlerContext, at now: Timestamp) {
    if life.isDraining { drainOpen(context) } else { watchForIdleness(context) }
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let connection = life.connection, !ignoresInput else { return }
    let now = WallClock.now()
    life.lastActivity = now
    hasRead = true
    let action = unwrapInboundIn(data).withUnsafeReadableBytes { connection.receive($0, at: now) }
    peer.loop.noteInput()
    if action.ending != .none || action.response != nil { perform(action, context) }
  }

  /// The provider has closed its sending side: its input is judged already, so only the end is left.
  func inputClosed(_ context: ChannelHandlerContext) {
    guard life.phase == .open, let connection = life.connection else { return context.close(promise: nil) }
    // A provider that closes first is not waited for.
    if isPausing { return closeOutput(context) }
    life.reason = .peerClosed
    let action = connection.inputEnded(at: WallClock.now())
    if action != .none {
      perform(action, context)
    } else if !connection.hasPendingReply {
      context.close(promise: nil)
    }
  }
}
