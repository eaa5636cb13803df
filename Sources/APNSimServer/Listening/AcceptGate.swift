internal import Logging
internal import NIOCore

/// Stands behind a listener's socket: counts connections and holds off new ones when there is no room.
///
/// Without descriptors `accept` fails while the kernel goes on announcing the waiting connection, so trying again at
/// once would burn a core. The gate stops listening for announcements until a connection has closed, or a moment has
/// passed, and says so once.
final class AcceptGate: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private static let retry = TimeAmount.milliseconds(250)
  /// So long without running out again, and it is over.
  private static let calm = TimeAmount.seconds(1)

  private let table: ConnectionTable
  private let log: ServerLog
  private let name: String
  private var isHeld = false
  private var hasSaidFull = false
  /// When `accept` last failed for lack of descriptors or memory, until that is over.
  private var exhaustedAt: NIODeadline?

  init(table: ConnectionTable, log: ServerLog, name: String) {
    self.table = table
    self.log = log
    self.name = name
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    table.enter(unwrapInboundIn(data))
    if let last = exhaustedAt, NIODeadline.now() - last > Self.calm {
      exhaustedAt = nil
      log.say(.notice, "\(name): accepts connections again")
    }
    if table.isFull {
      if !hasSaidFull {
        hasSaidFull = true
        log.say(
          .warning,
          "\(name): \(table.limit) connections are open, the limit; new ones wait until others close"
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
    table.whenRoom { loop.execute { release.value() } }
    if let retry { loop.scheduleTask(in: retry) { release.value() } }
    // One may have closed between looking and waiting.
    if retry == nil, !table.isFull { self.release(context) }
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
