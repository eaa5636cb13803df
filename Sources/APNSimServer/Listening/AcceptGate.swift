internal import Logging
internal import NIOCore

/// Stands before a listener's accepting: counts connections and holds off new ones when there is no room.
///
/// Without descriptors `accept` fails while the kernel goes on announcing the waiting connection, so trying again at
/// once would burn a core. The gate waits until a connection has closed, or a moment, and says so once.
final class AcceptGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private static let retry = TimeAmount.milliseconds(250)

  private let table: ConnectionTable
  private let log: ServerLog
  private let name: String
  private var context: ChannelHandlerContext?
  /// Nobody is let in for now.
  private var isHeld = false
  /// A read was asked for meanwhile.
  private var wantsRead = false
  private var hasSaidFull = false
  private var hasSaidExhausted = false

  init(table: ConnectionTable, log: ServerLog, name: String) {
    self.table = table
    self.log = log
    self.name = name
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    table.enter(unwrapInboundIn(data))
    if hasSaidExhausted {
      hasSaidExhausted = false
      log.say(.notice, "\(name): accepts connections again")
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if !isHeld, table.isFull { holdForRoom(context) }
    if isHeld { wantsRead = true } else { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, Platform.isExhaustion(error.errnoCode) {
      if !hasSaidExhausted {
        hasSaidExhausted = true
        log.say(
          .warning,
          "\(name): no more connections for now, \(Platform.describe(error.errnoCode).lowercased()) "
            + "(limit of open files: \(Platform.descriptorLimit)); new ones wait until others close"
        )
      }
      hold(context, retry: Self.retry)
      return
    }
    // A connection that was gone before it could be set up is nobody's trouble.
    log.write(.connection, level: .debug, "\(name): \(error)")
  }

  private func holdForRoom(_ context: ChannelHandlerContext) {
    if !hasSaidFull {
      hasSaidFull = true
      log.say(
        .warning,
        "\(name): \(table.limit) connections are open, the limit; new ones wait until others close"
      )
    }
    hold(context, retry: nil)
    // One may have closed between looking and waiting.
    if !table.isFull { release() }
  }

  private func hold(_ context: ChannelHandlerContext, retry: TimeAmount?) {
    guard !isHeld else { return }
    isHeld = true
    let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
    let loop = context.eventLoop
    table.whenRoom { loop.execute { gate.value.release() } }
    if let retry { loop.scheduleTask(in: retry) { gate.value.release() } }
  }

  private func release() {
    guard isHeld else { return }
    isHeld = false
    if !table.isFull { hasSaidFull = false }
    guard wantsRead, let context else { return }
    wantsRead = false
    read(context: context)
  }
}
