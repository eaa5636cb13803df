import APNSimCore
import APNSimTLS
import NIOCore

/// The handler of one provider's connection to the feedback service: it sends the list at once, then closes.
///
/// "Transmission begins immediately; you do not need to send any command. Begin reading the stream … until there is
/// no more data to read" (Local and Push Notification Programming Guide, 2011-08-09, "The Feedback Service"). A TLS
/// record holds whole tuples; a pause stands between the last one and close_notify, since readers that get both at
/// once lose the tuple. Tuples that are not written yet stay in the list, so that a reader that leaves early leaves
/// the rest to the next one, and a long list costs no memory.
final class FeedbackHandler: ServiceHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The stage of sending the list, while the connection is open.
  private enum Stage {
    case sending
    /// Everything is sent; the pause before the end has begun.
    case pausing
    /// Everything is sent and the connection is held open (quirk `feedbackHoldOpen`).
    case holding
  }

  /// The maximum number of bytes that a client may write, though none are expected.
  private static let unexpectedLimit = 1_048_576
  /// The number of TLS records in one flush, and of flushes before other connections of the loop have their turn.
  private static let recordsPerFlush = 1
  private static let flushesPerTurn = 30
  /// The size of the send buffer and the most bytes that wait for it. Both are small, about a TLS record, because what is
  /// in them is off the list and lost when the reader leaves.
  private static let sendBuffer = SocketOptionValue(16_384)
  private static let waiting = ChannelOptions.Types.WriteBufferWaterMark(low: 1024, high: 4096)

  let peer: PeerChannel
  var life = ConnectionLife<FeedbackConnection>()
  private var stage = Stage.sending
  private var isInputClosed = false
  private var unexpected = 0

  init(_ peer: PeerChannel) { self.peer = peer }

  static func setOptions(of channel: any Channel) throws {
    try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: sendBuffer)
    try channel.syncOptions?.setOption(.writeBufferWaterMark, value: waiting)
  }

  func openConnection(at now: Timestamp) -> FeedbackConnection? {
    peer.admit { opening throws(TurnedAway) in try peer.simulator.openFeedback(opening, at: now) }
  }

  func opened(_ context: ChannelHandlerContext, at now: Timestamp) {
    // A reader that accepts nothing, or is held open, is closed after the idle time.
    watchForIdleness(context)
    send(context)
  }

  // MARK: Sending

  private var isSending: Bool { life.phase == .open && stage == .sending }

  /// Sends as much as the socket accepts, and continues when it accepts more.
  private func send(_ context: ChannelHandlerContext) {
    guard let connection = life.connection else { return }
    for _ in 0..<Self.flushesPerTurn {
      // A write can fail at once, and the tuples taken for it are lost then.
      guard isSending, context.channel.isActive, context.channel.isWritable else { return }
      let now = WallClock.now()
      for _ in 0..<Self.recordsPerFlush {
        guard peer.load?.isFull != true else { return context.flush() }
        let chunk = connection.nextChunk(at: now)
        guard !chunk.isEmpty else {
          context.flush()
          return listEnded(context)
        }
        life.lastActivity = now
        context.write(wrapOutboundOut(ByteBuffer(bytes: chunk)), promise: nil)
      }
      context.flush()
    }
    context.eventLoop.assumeIsolated().execute { self.send(context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { send(context) }
    context.fireChannelWritabilityChanged()
  }

  private func listEnded(_ context: ChannelHandlerContext) {
    if life.connection?.holdsOpen == true, !life.isDraining {
      stage = .holding
      if isInputClosed { closeOutput(context) }
      return
    }
    stage = .pausing
    // The pause begins when the last byte has left, not when it was queued; a reader that never accepts it is idle.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in
      guard self.life.phase == .open else { return }
      let pause = TimeAmount(self.peer.timing.feedbackPause)
      self.life.timer = context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
        self.closeOutput(context)
      }
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
  }

  /// Tuples that were taken off the list are lost with the connection, so a slow reader has the idle time to accept
  /// them.
  var lingersAfterOutput: Bool { true }

  // MARK: Input

  /// Discards the input of a client, which is not expected to send any.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if unexpected == 0 {
      peer.reportUnexpectedBytes()
    }
    unexpected += unwrapInboundIn(data).readableBytes
    guard unexpected > Self.unexpectedLimit, life.connection?.plan.isBlackHole != true else { return }
    closeOutput(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSEvent.peerClosedNotify = event { peerClosed(context) } else { handle(event, context) }
  }

  /// Closes the connection after the client's close_notify: it does not want the rest (RFC 5246, section 7.2.1).
  private func peerClosed(_ context: ChannelHandlerContext) {
    if life.phase == .open { life.reason = .peerClosed }
    closeNow(context)
  }

  /// The client closed its sending side, or everything, which only a write can tell. The connection ends after the
  /// output, without waiting once both sides are closed.
  func inputClosed(_ context: ChannelHandlerContext) {
    isInputClosed = true
    switch life.phase {
    case .open: if stage == .holding { closeOutput(context, as: .peerClosed) }
    case .lingering: break
    case .handshaking, .closed: context.close(promise: nil)
    }
  }

  // MARK: Endings

  /// Performs an action of the simulator; only endings apply to this service.
  func perform(_ action: GatewayAction, _ context: ChannelHandlerContext) {
    switch action.ending {
    case .none, .stopReading: break
    case .drain: closeOutput(context)
    case .reset: reset(context)
    }
  }

  func end(_ context: ChannelHandlerContext, _ how: KillMode) {
    how == .reset ? resetNow(context) : closeOutput(context)
  }

  /// Lets a list be read to its end, within the time of the shutdown.
  func drainOpen(_ context: ChannelHandlerContext) {
    if stage == .holding { closeOutput(context, as: .drained) }
  }
}
