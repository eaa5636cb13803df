import APNSimServer
import NIOCore

/// The handler of the control API's socket: at the limit of connections it accepts no more, and at that of descriptors it
/// cannot; silent ones make way then. A failed `accept` pauses it, since the kernel goes on announcing the waiting
/// connection, and is said once.
final class ControlGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  private let idle: IdleConnections
  private let limit: Int
  private let note: @Sendable (String) -> Void
  private var open = 0
  /// True if a connection is to be accepted as soon as there is room.
  private var isWaiting = false
  private var isPaused = false
  private var isMakingWay = false
  /// True once the limit was said, until it is left behind.
  private var isFullSaid = false
  /// The number of connections that make way next: more of them while the limit stays reached.
  private var asking = 1
  /// The time at which `accept` last failed, until that is over.
  private var exhaustedAt: NIODeadline?

  private static let retry = TimeAmount.milliseconds(250)
  private static let calm = TimeAmount.seconds(1)
  /// The interval at which more connections make way.
  private static let lookTime = TimeAmount.milliseconds(20)
  /// The maximum number of connections that make way at once.
  private static let most = 64

  init(_ idle: IdleConnections, limit: Int, note: @escaping @Sendable (String) -> Void) {
    (self.idle, self.limit, self.note) = (idle, limit, note)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open += 1
    if let last = exhaustedAt, NIODeadline.now() - last > Self.calm {
      exhaustedAt = nil
      note("control API: accepts connections again")
    }
    let closed = NIOLoopBound({ self.leave(context) }, eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in closed.value() }
    makeWayIfFull(context)
    context.fireChannelRead(data)
  }

  private func leave(_ context: ChannelHandlerContext) {
    open -= 1
    guard isWaiting else { return }
    isWaiting = false
    read(context: context)
  }

  func read(context: ChannelHandlerContext) {
    isWaiting = open >= limit
    if !isWaiting { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError, SimulatorServer.isExhaustion(error.errnoCode) else { return }
    if exhaustedAt == nil {
      note(
        "control API: no more connections for now (\(error)); new ones wait, and the oldest silent ones make way"
      )
    }
    exhaustedAt = .now()
    idle.makeWay(Self.most)
    guard !isPaused else { return }
    isPaused = true
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.retry) {
      self.isPaused = false
      guard context.channel.isActive else { return }
      try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }

  /// Below the limit there is always room for one that waits.
  private func makeWayIfFull(_ context: ChannelHandlerContext) {
    guard open >= limit, context.channel.isActive else {
      asking = 1
      // Below it by some, so that one that comes and goes at the limit is not said each time.
      if open < limit / 8 * 7 { isFullSaid = false }
      return
    }
    if !isFullSaid {
      isFullSaid = true
      note(
        "control API: \(limit) connections are open, the most; new ones wait, and the oldest silent ones make way"
      )
    }
    guard !isMakingWay else { return }
    idle.makeWay(asking)
    asking = min(2 * asking, Self.most)
    isMakingWay = true
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.lookTime) {
      self.isMakingWay = false
      self.makeWayIfFull(context)
    }
  }
}
