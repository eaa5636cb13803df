import APNSimCore
import NIOCore

/// Sends output in pieces of a given size, each a TLS record of its own, with a pause of simulated time between them.
///
/// The end of the connection comes after the last piece, unless the output is dropped. A shutdown of the simulator
/// ends the pauses.
final class SlicedOutput: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let pieceSize: Int
  private var pause: TimeSpan
  private let timers: SimulatedTimers
  private let load: OutputLoad
  private var held = HeldOutput()
  private var reminder: Reminder?
  private var isPausing = false

  init(pieceSize: Int, pause: TimeSpan, _ timers: SimulatedTimers, _ load: OutputLoad) {
    self.pieceSize = pieceSize
    self.pause = pause
    self.timers = timers
    self.load = load
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    held.append(.write(unwrapOutboundIn(data), promise))
    advance(context)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    held.append(.event(event, promise))
    advance(context)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .all, load.isDropped else {
      held.append(.close(mode, promise))
      return advance(context)
    }
    endPause()
    while let operation = held.popFirst() { operation.drop(context) }
    load.sliced = 0
    context.close(mode: mode, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { advance(context) }
    context.fireChannelWritabilityChanged()
  }

  /// Sends the pieces that may be sent now.
  private func advance(_ context: ChannelHandlerContext) {
    let wasFull = load.isFull
    while let operation = held.first {
      // An empty write serves to learn when the output before it has left.
      guard case .write(let bytes, _) = operation, bytes.readableBytes > 0 else {
        held.popFirst()?.perform(context)
        continue
      }
      guard !isPausing, context.channel.isWritable || !context.channel.isActive else { break }
      guard let (piece, promise) = held.takeBytes(pieceSize) else { break }
      // The write may come back here, where the socket takes more again at once.
      if pause > .zero { startPause(context) }
      context.writeAndFlush(wrapOutboundOut(piece), promise: promise)
    }
    load.sliced = held.byteCount
    if wasFull, !load.isFull { context.fireChannelWritabilityChanged() }
  }

  private func startPause(_ context: ChannelHandlerContext) {
    isPausing = true
    reminder = timers.schedule(after: pause, on: context.eventLoop) {
      self.endPause()
      self.advance(context)
    }
  }

  private func endPause() {
    if let reminder { timers.cancel(reminder) }
    reminder = nil
    isPausing = false
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ConnectionEvent.drain = event {
      pause = .zero
      endPause()
      advance(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    endPause()
    held.fail()
  }
}
