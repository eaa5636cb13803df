internal import APNSimCore
internal import Logging
internal import NIOCore

/// Stands behind a listener's socket: counts connections and holds off new ones when there is no room.
///
/// Without descriptors `accept` fails while the kernel goes on announcing the waiting connection, so trying again at
/// once would burn a core. The gate stops listening for announcements until a connection has closed, or a moment has
/// passed, and says so once.
///
/// Where connections or descriptors are at their limit and another one waits, those that have been silent for a while
/// make way, the oldest first: a crowd that connects and says nothing more must not keep providers out until it is
/// taken for idle.
final class AcceptGate: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private static let retry = TimeAmount.milliseconds(250)
  /// So long without running out again, and it is over.
  private static let calm = TimeAmount.seconds(1)
  /// So often it is looked what those say that were asked to make way.
  private static let answerTime = TimeAmount.milliseconds(5)
  /// So often it is looked whether anybody waits.
  private static let lookTime = TimeAmount.milliseconds(20)
  private static let mostAsked = 1024

  private let table: ConnectionTable
  private let log: ServerLog
  private let simulator: Simulator
  private let plan: ListenerPlan
  private var name: String { plan.name }
  private var isHeld = false
  private var hasSaidFull = false
  /// Whether connections are being asked to make way, how many next, and how many have not been asked yet.
  private var isMakingRoom = false
  private var (asking, unasked) = (1, 0)
  /// Those that were asked last, for the room that is needed now.
  private var request: RoomRequest?
  /// When `accept` last failed for lack of descriptors or memory, until that is over.
  private var exhaustedAt: NIODeadline?

  init(_ services: ConnectionServices, _ plan: ListenerPlan) {
    table = services.table
    log = services.log
    simulator = services.simulator
    self.plan = plan
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Here connections are still in the order they came; behind this they are spread over the loops.
    let (ordinal, acceptDelay) = simulator.arrive(plan.listener, at: WallClock.now())
    table.enter(unwrapInboundIn(data), Arrival(ordinal: ordinal, acceptDelay: acceptDelay))
    if let last = exhaustedAt, NIODeadline.now() - last > Self.calm {
      exhaustedAt = nil
      log.say(.notice, "\(name): accepts connections again")
    }
    if table.isFull {
      if !hasSaidFull {
        hasSaidFull = true
        log.say(
          .warning,
          "\(name): \(table.limit) connections are open, the limit; new ones wait until others close, "
            + "and the oldest silent ones make way"
        )
      }
      hold(context, retry: nil)
    } else if table.count < table.limit / 2 {
      hasSaidFull = false
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError, Platform.isExhaustion(error.errnoCode) else {
      // A connection that was gone before it could be set up is nobody's trouble.
      return log.write(.connection, level: .debug, "\(name): \(error)")
    }
    if exhaustedAt == nil {
      log.say(
        .warning,
        "\(name): no more connections for now, \(Platform.describe(error.errnoCode).lowercased()) "
          + "(limit of open files: \(Platform.descriptorLimit)); new ones wait until others close"
      )
    }
    exhaustedAt = .now()
    hold(context, retry: Self.retry)
  }

  private func hold(_ context: ChannelHandlerContext, retry: TimeAmount?) {
    guard !isHeld else { return }
    isHeld = true
    setReading(false, context.channel)
    let release = NIOLoopBound({ self.release(context) }, eventLoop: context.eventLoop)
    let loop = context.eventLoop
    table.whenRoom(for: self) { loop.execute { release.value() } }
    if let retry { loop.scheduleTask(in: retry) { release.value() } }
    // One may have closed between looking and waiting.
    if retry == nil, !table.isFull { return self.release(context) }
    (asking, unasked, request) = (1, table.count, nil)
    if isMakingRoom { return }
    isMakingRoom = true
    makeRoom(context)
  }

  /// Asks for room for one, more connections at a time where none can; when all have been asked, after a while again.
  private func makeRoom(_ context: ChannelHandlerContext) {
    context.channel.countWaiting { count in
      guard self.isHeld, self.table.isFull || self.exhaustedAt != nil, context.channel.isActive else {
        return self.isMakingRoom = false
      }
      context.eventLoop.assumeIsolated().scheduleTask(in: self.askIfAny(count > 0)) { self.makeRoom(context) }
    }
  }

  /// - Returns: how long to let it be.
  private func askIfAny(_ isAnyWaiting: Bool) -> TimeAmount {
    guard isAnyWaiting else { return Self.lookTime }
    let isAsking = request?.isOpen(at: .now()) ?? false
    return !isAsking && ask() ? Self.calm : Self.answerTime
  }

  /// - Returns: whether all have been asked.
  private func ask() -> Bool {
    let request = table.askToMakeWay(asking)
    self.request = request
    unasked -= request.count
    let isOver = request.count == 0 || unasked <= 0
    (asking, unasked) = isOver ? (1, table.count) : (min(2 * asking, Self.mostAsked), unasked)
    return isOver
  }

  private func release(_ context: ChannelHandlerContext) {
    guard isHeld, context.channel.isActive else { return }
    isHeld = false
    if table.isFull { return hold(context, retry: nil) }
    setReading(true, context.channel)
  }

  private func setReading(_ isReading: Bool, _ channel: any Channel) {
    // Unlike a read that is not asked for, this takes effect after a failed `accept` too.
    try? channel.syncOptions?.setOption(.autoRead, value: isReading)
  }
}
