import APNSimCore
import APNSimSystem
import Logging
import NIOCore
import SystemPackage

/// The handler of a listener's socket: it counts connections and stops accepting at the limit.
///
/// Without descriptors `accept` fails while the kernel goes on announcing the waiting connection, so retrying at once
/// would use up a core. The gate stops reading until a connection has closed, or a moment has passed, and logs it
/// once.
///
/// When connections or descriptors are at their limit and another connection waits, silent ones make way, the oldest
/// first: many peers that connect and stay silent must not keep providers out until they are idle.
final class AcceptGate: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private static let retry = TimeAmount.milliseconds(250)
  /// The time without another failure after which the exhaustion is over.
  private static let calm = TimeAmount.seconds(1)
  /// The interval at which the answers to a request to make way are checked.
  private static let answerTime = TimeAmount.milliseconds(5)
  /// The interval at which waiting connections are counted.
  private static let lookTime = TimeAmount.milliseconds(20)
  private static let mostAsked = 1024

  private let table: ConnectionTable
  private let log: ServerLog
  private let simulator: Simulator
  private let plan: ListenerPlan
  private var name: String { plan.name }
  private var isHeld = false
  private var hasSaidFull = false
  /// True while connections are being asked to make way.
  private var isMakingRoom = false
  /// The number of connections to ask next, and of those not asked yet.
  private var (asking, unasked) = (1, 0)
  /// The last request to make way.
  private var request: RoomRequest?
  /// The time at which `accept` last failed for lack of descriptors or memory, until that is over.
  private var exhaustedAt: NIODeadline?

  init(_ services: ConnectionServices, _ plan: ListenerPlan) {
    table = services.table
    log = services.log
    simulator = services.simulator
    self.plan = plan
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Connections are still in the order of their arrival here; after this handler they are spread over the loops.
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
    guard let code = (error as? IOError)?.code, code.isExhaustion else {
      // A connection that closed before it could be set up is not an error.
      return log.write(.connection, level: .debug, "\(name): \(error)")
    }
    if exhaustedAt == nil {
      log.say(
        .warning,
        "\(name): no more connections for now, \(code.reason.lowercased()) "
          + "(limit of open files: \(ThisProcess.descriptorLimit)); new ones wait until others close"
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
    // A connection may have closed between the check and the registration.
    if retry == nil, !table.isFull { return self.release(context) }
    (asking, unasked, request) = (1, table.count, nil)
    if isMakingRoom { return }
    isMakingRoom = true
    makeRoom(context)
  }

  /// Asks connections to make way for one, more of them each time none can, and all again after a while.
  private func makeRoom(_ context: ChannelHandlerContext) {
    context.channel.countWaiting { count in
      guard self.isHeld, self.table.isFull || self.exhaustedAt != nil, context.channel.isActive else {
        return self.isMakingRoom = false
      }
      context.eventLoop.assumeIsolated().scheduleTask(in: self.askIfAny(count > 0)) { self.makeRoom(context) }
    }
  }

  /// - Returns: the time until the next check.
  private func askIfAny(_ isAnyWaiting: Bool) -> TimeAmount {
    guard isAnyWaiting else { return Self.lookTime }
    let isAsking = request?.isOpen(at: .now()) ?? false
    return !isAsking && ask() ? Self.calm : Self.answerTime
  }

  /// - Returns: true once all have been asked.
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
    // Unlike withholding a read, this takes effect after a failed `accept` too.
    try? channel.syncOptions?.setOption(.autoRead, value: isReading)
  }
}
