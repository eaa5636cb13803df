import APNSimCore
import NIOCore
import NIOTLS

/// The handler of one provider's connection of requests: it passes what a read brought to the simulator, once, and
/// performs the answers.
///
/// A provider that does not read its answers is not read from either, so that what waits for it stays small.
final class RequestHandler: ServiceHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let peer: PeerChannel
  var life = ConnectionLife<RequestConnection>()
  var streams: RequestStreams?
  /// The requests of the reads since the last one that was asked for.
  private var arrived = 0
  /// The answers that have not been written yet, and when the first of them was called for.
  private var unwritten = (count: 0, since: NIODeadline.now())
  /// The time of the latest read.
  var readAt = NIODeadline.now()
  /// True once nothing is read any more.
  var ignoresInput = false
  /// True where requests are recorded that come after the connection's end has been sent.
  var hearsToTheEnd = false
  /// True where nothing is ever sent.
  private var isMute = false
  /// True if there was input since a timer last checked.
  var hasRead = false
  /// True once the provider will send nothing more, while answers have still to leave.
  private var isInputClosed = false
  var isReadPostponed = false
  /// True while a read is being taken: a write that fails reads what is left.
  var isTaking = false
  private var unread = ByteBuffer()
  /// The rest of a read, which waits until there is room for its answers.
  var rest = ByteBuffer()
  /// The fault strikes once that is taken.
  private var strikesAfterRest = false
  /// The memory that the provider makes the server hold.
  var held: HeldMemory.Share
  /// The bytes that were sent since there was nothing to be sent.
  var sentBytes = 0
  var isWatchingUnfinished = false
  /// True while it is found out whether the provider reads its answers, and once it was said that it does not.
  var isSlowWatched = false
  private var budgetsRenewed = NIODeadline.now()

  /// The interval after which floods are counted anew.
  private static let budgetTime = TimeAmount.seconds(30)

  init(_ peer: PeerChannel) {
    self.peer = peer
    held = HeldMemory.Share(of: peer.services.held)
  }

  /// Makes the handler of a connection that another service has begun, and undoes what that has set for its own output.
  static func successor(_ peer: PeerChannel, _ channel: any Channel, _ isDraining: Bool) throws
    -> RequestHandler
  {
    try channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 32_768, high: 65_536))
    let handler = RequestHandler(peer)
    handler.life.isDraining = isDraining
    return handler
  }

  // MARK: Life

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted: handshakeCompleted(context, event)
    case ConnectionEvent.answer(let actions):
      readAt = .now()
      perform(actions, context)
      flush(context)
      endIfAnswered(context)
    default: handle(event, context)
    }
  }

  private func handshakeCompleted(_ context: ChannelHandlerContext, _ event: Any) {
    guard life.phase == .handshaking else { return }
    switch peer.judgeForRequests() {
    case .admitted: handle(event, context)
    case .turnedAway(let reason, let cause): turnAway(context, reason, cause)
    }
  }

  func openConnection(at now: Timestamp) -> RequestConnection? {
    guard case .admitted(let provider, let hasCertificate) = peer.judgeForRequests() else { return nil }
    streams = peer.makeStreams(hasCertificate: hasCertificate)
    return peer.open(provider) { opening throws(TurnedAway) in
      try peer.simulator.openRequests(opening, at: now)
    }
  }

  func opened(_ context: ChannelHandlerContext, at now: Timestamp) {
    let plan = life.connection?.plan ?? .usual
    isMute = plan.isMute
    ignoresInput = plan.closeAfterHandshake != nil
    streams?.start(plan)
    flush(context)
    if let ending = life.connection?.openingEnding { end(ending, context) }
    guard life.phase == .open else { return }
    if life.isDraining { drainOpen(context) } else { watchForIdleness(context) }
  }

  /// A certificate that this port does not take: the handshake is complete, and GOAWAY says why.
  private func turnAway(_ context: ChannelHandlerContext, _ reason: String, _ cause: String) {
    peer.endHandshake(context.channel)
    peer.noteTurnedAway(reason, cause)
    streams = peer.makeStreams(hasCertificate: true)
    streams?.start()
    streams?.goAway(reason, isRefused: true)
    flush(context)
    life.linger(.simulatorClosed)
    closeAfterLinger(context)
    context.close(mode: .output, promise: nil)
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard !isTaking, !waitsForRoom else { return _ = unread.writeBuffer(&bytes) }
    isTaking = true
    take(bytes, context)
    takeUnread(context)
    isTaking = false
  }

  func takeUnread(_ context: ChannelHandlerContext) {
    while unread.readableBytes > 0, !waitsForRoom {
      let bytes = unread
      unread = ByteBuffer()
      take(bytes, context)
    }
  }

  /// True while what comes is heard.
  var hears: Bool { (life.phase == .open || hearsToTheEnd) && !ignoresInput }

  private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard hears, let connection = life.connection else { return }
    let now = WallClock.now()
    life.lastActivity = now
    hasRead = true
    renewBudgets()
    var bytes = bytes
    if connection.countsBytes {
      let (count, strikes) = connection.countBytes(bytes.readableBytes)
      strikesAfterRest = strikes
      bytes = bytes.readSlice(length: count) ?? bytes
    }
    takeCounted(bytes, connection, at: now, context)
  }

  /// Takes bytes as far as there is room for the answers; the others wait until there is.
  func takeCounted(
    _ bytes: ByteBuffer,
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) {
    let left = bytes.withUnsafeReadableBytes { bytes in
      var rest = bytes
      repeat {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(takeSome(rest, connection, at: now, context)))
      } while !rest.isEmpty && hears && hasRoom(context)
      return rest.count
    }
    if left > 0, hears {
      rest = bytes.getSlice(at: bytes.writerIndex - left, length: left) ?? rest
      return
    }
    if strikesAfterRest {
      strikesAfterRest = false
      perform(connection.strikeAfterBytes(at: now), context)
    }
    closeIfOver(context)
  }

  /// Ends a connection whose provider made a mistake that HTTP/2 does not forgive.
  func closeIfOver(_ context: ChannelHandlerContext) {
    guard streams?.isOver == true, life.phase == .open, !isMute else { return }
    flush(context)
    closeOutput(context)
  }

  /// Takes bytes up to what has to wait for the answers to the requests among them; returns how many.
  private func takeSome(
    _ bytes: UnsafeRawBufferPointer,
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) -> Int {
    guard var arrivals = streams?.receive(bytes, at: UInt32(truncatingIfNeeded: now.rawValue)) else {
      return bytes.count
    }
    arrived += arrivals.requests.count
    for (stream, code) in arrivals.givenUp { perform(connection.giveUp(stream, code, at: now), context) }
    if arrivals.malformed.isEmpty {
      enter(&arrivals.requests, connection, at: now, context)
    } else {
      enterInOrder(arrivals, connection, at: now, context)
    }
    guard hears else { return arrivals.read }
    streams?.sendRest()
    for note in arrivals.notes { peer.report(note, of: connection.id) }
    return arrivals.read
  }

  private func enter(
    _ requests: inout RequestBatch,
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) {
    guard !requests.isEmpty else { return }
    let actions = connection.receive(&requests, at: now, isLive: true)
    peer.loop.noteInput()
    if !actions.isEmpty { perform(actions, context) }
  }

  /// Hands in requests, and between them what was none.
  private func enterInOrder(
    _ arrivals: borrowing RequestStreams.Arrivals,
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) {
    var next = 0
    for (place, malformed) in arrivals.malformed {
      var before = arrivals.requests.part(next..<place)
      enter(&before, connection, at: now, context)
      next = place
      connection.refuse(malformed, at: now)
    }
    var rest = arrivals.requests.part(next..<arrivals.requests.count)
    enter(&rest, connection, at: now, context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flush(context)
    keepAccount(context)
    peer.coalescer.noteGathered(arrived)
    arrived = 0
    context.fireChannelReadComplete()
  }

  private func renewBudgets() {
    readAt = .now()
    guard readAt - budgetsRenewed > Self.budgetTime else { return }
    budgetsRenewed = readAt
    streams?.renewBudgets()
  }

  func read(context: ChannelHandlerContext) {
    if life.phase == .open, !context.channel.isWritable {
      isReadPostponed = true
      watchSlowness(context)
    } else {
      context.read()
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      sentBytes = 0
      takeRest(context)
      keepAccount(context)
    }
    if context.channel.isWritable, isReadPostponed {
      isReadPostponed = false
      context.read()
    }
    context.fireChannelWritabilityChanged()
  }

  /// The provider has closed its sending side. Its requests are judged; answers that take their time have still to leave.
  func inputClosed(_ context: ChannelHandlerContext) {
    guard life.phase == .open else { return context.close(promise: nil) }
    flush(context)
    life.reason = .peerClosed
    isInputClosed = true
    endIfAnswered(context)
  }

  func endIfAnswered(_ context: ChannelHandlerContext) {
    guard isInputClosed, !waitsForRoom, life.phase == .open, life.connection?.pendingAnswers == 0 else {
      return
    }
    context.close(promise: nil)
  }

  // MARK: Output

  /// Counts answers that leave with the next flush.
  func noteAnswers(_ count: Int) {
    if unwritten.count == 0 { unwritten.since = readAt }
    unwritten.count += count
  }

  /// Sends what waits, as one write, or as two: each is TLS records of its own.
  func flush(_ context: ChannelHandlerContext, _ cut: AnswerCut = .none) {
    if isMute || life.phase == .lingering { streams?.dropOutput() }
    // A write that fails reads what is left, which comes back here: nothing of the streams may be held meanwhile.
    if var output = streams?.takeOutput() {
      sentBytes += output.readableBytes
      if let count = cut.first(of: output.readableBytes), let first = output.readSlice(length: count) {
        context.writeAndFlush(wrapOutboundOut(first), promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }
    if context.channel.isWritable {
      sentBytes = 0
      streams?.noteFlushed()
    }
    guard unwritten.count > 0 else { return }
    peer.services.served.add((NIODeadline.now() - unwritten.since).nanoseconds, count: unwritten.count)
    unwritten.count = 0
  }
}
