import APNSimServer
import NIOCore
import Synchronization

/// The connections of the control API that wait for a request. The oldest make way where others wait to come in.
final class IdleConnections: Sendable {
  private struct State {
    var next: UInt64 = 0
    var idle: [UInt64: (channel: any Channel, since: NIODeadline)] = [:]
  }

  private let state = Mutex(State())

  /// The time after which a silent connection makes way.
  private static let silence = TimeAmount.seconds(1)

  /// - Returns: what ``remove(_:)`` takes.
  func add(_ channel: any Channel) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.idle[state.next] = (channel, .now())
      return state.next
    }
  }

  func remove(_ key: UInt64) { state.withLock { _ = $0.idle.removeValue(forKey: key) } }

  /// Closes the oldest ones that have been silent for a while.
  /// - Parameter most: the number of connections to close.
  func makeWay(_ most: Int) {
    let oldest = state.withLock { state in
      let silent = state.idle.filter { .now() - $0.value.since >= Self.silence }
      let chosen = silent.sorted { $0.key < $1.key }.prefix(most)
      for (key, _) in chosen { state.idle.removeValue(forKey: key) }
      return chosen.map(\.value.channel)
    }
    for channel in oldest { channel.close(promise: nil) }
  }
}

/// The handler of the control API's socket: at the limit of connections or descriptors it lets silent ones make way. A
/// failed `accept` pauses it, since the kernel goes on announcing the waiting connection, and is said once.
final class ControlGate: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let idle: IdleConnections
  private let limit: Int
  private let note: @Sendable (String) -> Void
  private var open = 0
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
    let closed = NIOLoopBound({ self.open -= 1 }, eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in closed.value() }
    makeWayIfFull(context)
    context.fireChannelRead(data)
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
