import NIOCore

/// Gathers the small reads of a busy connection into larger ones.
///
/// Most providers write one frame per TLS record and packet, and a wake-up for each costs ten times as much as
/// judging it. So when the last read was small and came soon after the one before, the next one is postponed briefly:
/// three times the throughput at a quarter of the CPU. Handshakes, single frames and bulk senders are never delayed.
final class ReadCoalescer: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The number of bytes from which a read is not postponed.
  private static let enough = 32 * 1024

  private let ticker: ReadTicker
  private let closely: TimeAmount
  private var context: ChannelHandlerContext?
  private var bytes = 0
  private var lastRead: NIODeadline?
  private var isPostponed = false
  private var isOff: Bool
  /// The latest read had been postponed.
  private var wasPostponed = false
  /// The number of reads that are not postponed, and of more after the next one that gathers nothing.
  private var spared = 0
  private var nextSpared = 1

  /// The most reads that are not postponed after one that gathered nothing.
  private static let mostSpared = 256

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
    let isBusy = bytes < Self.enough && spared == 0 && lastRead.map { now < $0 + closely } ?? false
    if spared > 0 { spared -= 1 }
    lastRead = now
    bytes = 0
    wasPostponed = isBusy
    guard isBusy else { return context.read() }
    guard !isPostponed else { return }
    isPostponed = true
    ticker.postpone(self)
  }

  /// Takes note of how many requests the latest read brought. A provider that waits for each answer before it sends more
  /// gains nothing by a postponed read and loses the time, so that fewer and fewer are postponed.
  func noteGathered(_ requests: Int) {
    guard wasPostponed, requests > 0 else { return }
    wasPostponed = false
    guard requests == 1 else { return nextSpared = 1 }
    spared = nextSpared
    nextSpared = min(2 * nextSpared, Self.mostSpared)
  }

  /// Performs a postponed read.
  func readPostponed() {
    guard isPostponed else { return }
    isPostponed = false
    context?.read()
  }

  /// Drops a postponed read, and postpones none any more.
  func dropPostponed() {
    isOff = true
    isPostponed = false
  }

  /// Ends postponing: reads happen at once when the end of the connection is awaited.
  func turnOff() {
    isOff = true
    readPostponed()
  }
}

/// The timer of one event loop that releases postponed reads together.
///
/// One scheduled task releases all of them: with a timer for each connection, eight busy ones gained almost nothing.
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
