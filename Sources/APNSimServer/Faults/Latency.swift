import APNSimCore
import NIOCore

/// Delays all output, the end of the connection included, by the simulated time that its schedule says.
///
/// The order is kept. A shutdown of the simulator releases the held output at once. A full close passes at once if
/// nothing is held, as at the peer's end, or if the held output is dropped, as when the connection makes way: under a
/// clock that stands still it would never come.
final class Latency: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var output: OutputSchedule
  private let timers: SimulatedTimers
  private let load: OutputLoad
  private var held = HeldOutput()
  /// The reminders of what is held; nil for what waits only for something earlier.
  private var reminders: CircularBuffer<Reminder?> = []
  /// The number of operations before the first one held.
  private var released = 0
  private var isOff = false

  init(_ output: OutputSchedule, _ timers: SimulatedTimers, _ load: OutputLoad) {
    self.output = output
    self.timers = timers
    self.load = load
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = unwrapOutboundIn(data)
    let span = bytes.readableBytes > 0 ? output.nextDelay() : output.latency
    hold(.write(bytes, promise), for: span, context)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    hold(.event(event, promise), for: output.latency, context)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .all, held.isEmpty || load.isDropped else {
      return hold(.close(mode, promise), for: output.latency, context)
    }
    isOff = true
    cancel()
    while let operation = held.popFirst() { operation.drop(context) }
    load.latent = 0
    context.close(mode: mode, promise: promise)
  }

  private func hold(
    _ operation: HeldOutput.Operation,
    for span: TimeSpan,
    _ context: ChannelHandlerContext
  ) {
    guard !isOff else { return operation.perform(context) }
    held.append(operation)
    load.latent = held.byteCount
    guard span > .zero else {
      reminders.append(nil)
      return releaseDue(context)
    }
    let number = released + reminders.count
    reminders.append(timers.schedule(after: span, on: context.eventLoop) { self.release(number, context) })
  }

  /// Notes that an operation's own time has passed.
  private func release(_ number: Int, _ context: ChannelHandlerContext) {
    let offset = number - released
    guard offset < reminders.count, offset >= 0 else { return }
    reminders[reminders.index(reminders.startIndex, offsetBy: offset)] = nil
    releaseDue(context)
  }

  /// Lets go what waits for nothing any more, its own time nor anything earlier.
  private func releaseDue(_ context: ChannelHandlerContext) {
    let wasFull = load.isFull
    while case .some(.none) = reminders.first {
      _ = reminders.popFirst()
      released += 1
      held.popFirst()?.perform(context)
    }
    load.latent = held.byteCount
    if wasFull, !load.isFull { context.fireChannelWritabilityChanged() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ConnectionEvent.drain = event {
      isOff = true
      cancel()
      while let operation = held.popFirst() { operation.perform(context) }
      load.latent = 0
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    isOff = true
    cancel()
    held.fail()
  }

  private func cancel() {
    for case let reminder? in reminders { timers.cancel(reminder) }
    released += reminders.count
    reminders = []
  }
}
