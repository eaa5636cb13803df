import NIOCore

/// Gathers the small reads of a busy connection into larger ones.
///
/// Most providers write one frame per TLS record and packet, and a wake-up for each costs ten times as much as
/// judging it. So when the last read was small and came soon after the one before, the next one is postponed briefly:
/// three times the throughput at a quarter of the CPU. Handshakes, single frames and bulk senders are never delayed.
///
/// Where many connections of a loop are busy, those with much to read take turns, and whoever has little finds the loop free
/// between two of them: a hundred peers that flood would each have a read of 16 KiB judged before it.
final class ReadCoalescer: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The number of bytes from which a read is not postponed.
  private static let enough = 32 * 1024
  /// The number of bytes from which a read takes its turn on a crowded loop.
  static let large = 4096

  private let ticker: ReadTicker
  private let closely: TimeAmount
  private var context: ChannelHandlerContext?
  private var bytes = 0
  private var lastRead: NIODeadline?
  private var isPostponed = false
  private var isOff = false
  /// The latest round of the loop's connections that it read in.
  private var round = 0
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
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes &+= unwrapInboundIn(data).readableBytes
    ticker.rounds.note(&round)
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard !isOff, bytes > 0 else { return context.read() }
    if bytes >= Self.large, ticker.rounds.areCrowded { return waitForTurn() }
    guard ticker.delay > .zero else {
      bytes = 0
      return context.read()
    }
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

  private func waitForTurn() {
    bytes = 0
    guard !isPostponed else { return }
    isPostponed = true
    ticker.waitForTurn(self)
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

/// The timer of one event loop that releases postponed reads: the small ones together, and large ones in turns.
///
/// One scheduled task releases all small ones: with a timer for each connection, eight busy ones gained almost nothing.
final class ReadTicker {
  let delay: TimeAmount
  var rounds = ReadRounds()
  private let loop: any EventLoop
  private var waiting: [ReadCoalescer] = []
  private var queue: CircularBuffer<ReadCoalescer> = []

  /// As many large reads happen before the loop looks for others.
  static let largeReads = 4
  /// A moment that has not come before the loop looks for others.
  private static let soon = TimeAmount.microseconds(20)

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

  func waitForTurn(_ reader: ReadCoalescer) {
    queue.append(reader)
    if queue.count == 1 { scheduleTurn() }
  }

  private func scheduleTurn() { loop.assumeIsolated().scheduleTask(in: Self.soon) { self.giveTurn() } }

  private func giveTurn() {
    for reader in queue.prefix(Self.largeReads) { reader.readPostponed() }
    queue.removeFirst(min(Self.largeReads, queue.count))
    if !queue.isEmpty { scheduleTurn() }
  }
}

/// The number of connections of a loop that are busy: a round is over when one of them reads again.
struct ReadRounds {
  private var number = 1
  private var busy = 0
  private var lastBusy = 0

  /// Many connections are busy from so many on.
  static let crowd = 16

  var areCrowded: Bool { max(busy, lastBusy) >= Self.crowd }

  /// - Parameter round: the round of the connection's latest read, which becomes this one.
  mutating func note(_ round: inout Int) {
    if round == number { (number, lastBusy, busy) = (number &+ 1, busy, 0) }
    round = number
    busy += 1
  }
}
