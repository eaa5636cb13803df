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
  private var readAt = NIODeadline.now()
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
  private var isReadPostponed = false
  /// True while a read is being taken: a write that fails reads what is left.
  private var isTaking = false
  private var unread = ByteBuffer()
  /// True while it is found out whether the provider reads its answers, and once it was said that it does not.
  private var isSlowWatched = false
  private var budgetsRenewed = NIODeadline.now()

  /// The interval after which floods are counted anew.
  private static let budgetTime = TimeAmount.seconds(30)

  init(_ peer: PeerChannel) { self.peer = peer }

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
    guard !isTaking else { return _ = unread.writeBuffer(&bytes) }
    isTaking = true
    take(bytes, context)
    while unread.readableBytes > 0 {
      let bytes = unread
      unread = ByteBuffer()
      take(bytes, context)
    }
    isTaking = false
  }

  /// True while what comes is heard.
  private var hears: Bool { (life.phase == .open || hearsToTheEnd) && !ignoresInput }

  private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard hears, let connection = life.connection else { return }
    let now = WallClock.now()
    life.lastActivity = now
    hasRead = true
    renewBudgets()
    var (count, strikes) = (bytes.readableBytes, false)
    if connection.countsBytes { (count, strikes) = connection.countBytes(count) }
    bytes.withUnsafeReadableBytes { bytes in
      var rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
      repeat {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(takeSome(rest, connection, at: now, context)))
      } while !rest.isEmpty && hears
    }
    if strikes { perform(connection.strikeAfterBytes(at: now), context) }
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
    guard let arrivals = streams?.receive(bytes, at: UInt32(truncatingIfNeeded: now.rawValue)) else {
      return bytes.count
    }
    arrived += arrivals.requests.count
    for (stream, code) in arrivals.givenUp { perform(connection.giveUp(stream, code, at: now), context) }
    if arrivals.malformed.isEmpty {
      enter(arrivals.requests, connection, at: now, context)
    } else {
      enterInOrder(arrivals, connection, at: now, context)
    }
    guard hears else { return arrivals.read }
    streams?.sendRest()
    for note in arrivals.notes { peer.report(note, of: connection.id) }
    return arrivals.read
  }

  private func enter(
    _ requests: [ProviderRequest],
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) {
    guard !requests.isEmpty else { return }
    let actions = connection.receive(requests, at: now)
    peer.loop.noteInput()
    if !actions.isEmpty { perform(actions, context) }
  }

  /// Hands in requests, and between them what was none.
  private func enterInOrder(
    _ arrivals: RequestStreams.Arrivals,
    _ connection: RequestConnection,
    at now: Timestamp,
    _ context: ChannelHandlerContext
  ) {
    var next = 0
    for (place, malformed) in arrivals.malformed {
      enter(Array(arrivals.requests[next..<place]), connection, at: now, context)
      next = place
      connection.refuse(malformed, at: now)
    }
    enter(Array(arrivals.requests[next...]), connection, at: now, context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flush(context)
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

  /// Says in the log, once, that a provider reads none of its answers for a while.
  private func watchSlowness(_ context: ChannelHandlerContext) {
    guard !isSlowWatched, let connection = life.connection else { return }
    isSlowWatched = true
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(peer.timing.silence)) {
      guard self.life.phase == .open else { return }
      self.isSlowWatched = self.isReadPostponed
      if self.isReadPostponed {
        self.peer.report("it does not read its answers; its requests wait", of: connection.id)
      }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
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

  private func endIfAnswered(_ context: ChannelHandlerContext) {
    guard isInputClosed, life.phase == .open, life.connection?.pendingAnswers == 0 else { return }
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
      if let count = cut.first(of: output.readableBytes), let first = output.readSlice(length: count) {
        context.writeAndFlush(wrapOutboundOut(first), promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }
    if context.channel.isWritable { streams?.noteFlushed() }
    guard unwritten.count > 0 else { return }
    peer.services.served.add((NIODeadline.now() - unwritten.since).nanoseconds, count: unwritten.count)
    unwritten.count = 0
  }
}
