import APNSimCore
import NIOCore

/// Delays a connection's handshake: TCP is accepted, but nothing is read until the time has passed.
///
/// It is the first handler and withholds events from those after it, so that their timers begin when the handshake
/// may.
final class AcceptDelay: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let span: TimeSpan
  private let timers: SimulatedTimers
  private let table: ConnectionTable
  private var reminder: Reminder?
  private var isOver = false
  private var wantsRead = false
  /// The input that came without a read: the kernel delivers the rest when the peer closes its side.
  private var early: [NIOAny] = []

  init(_ span: TimeSpan, _ timers: SimulatedTimers, _ table: ConnectionTable) {
    self.span = span
    self.timers = timers
    self.table = table
  }

  func channelActive(context: ChannelHandlerContext) {
    // The event of the shutdown came before the connection had handlers.
    if table.isDraining { return context.close(promise: nil) }
    reminder = timers.schedule(after: span, on: context.eventLoop) { self.end(context) }
  }

  func read(context: ChannelHandlerContext) {
    if isOver { context.read() } else { wantsRead = true }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOver { context.fireChannelRead(data) } else { early.append(data) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ConnectionEvent.drain = event {
      cancel()
      return context.close(promise: nil)
    }
    // The peer does not wait for the handshake any more.
    if case ChannelEvent.inputClosed = event { end(context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  private func cancel() {
    if let reminder { timers.cancel(reminder) }
    reminder = nil
  }

  private func end(_ context: ChannelHandlerContext) {
    guard !isOver else { return }
    isOver = true
    cancel()
    context.fireChannelActive()
    for data in early { context.fireChannelRead(data) }
    early = []
    if wantsRead { context.read() }
  }
}
