import APNSimWire
import NIOCore
import NIOHTTP2

/// Writes the pushes of a plan to one HTTP/2 connection, as many at once as the peer allows, and collects what becomes of
/// each. It comes after the HTTP/2 handler, where SETTINGS and GOAWAY arrive.
final class RequestConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private let loop: any EventLoop
  private let channel: any Channel
  private let authority: String
  private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
  private var work: Work?
  /// The streams that the peer allows at once; nil until its first SETTINGS have come.
  private var peerStreams: Int?
  private var goAway: (notice: RequestReport.GoAway, lastStream: HTTP2StreamID)?
  private var failure: (any Error)?
  private var isClosed = false

  /// A plan under way.
  private final class Work {
    let exchange: RequestExchange
    let promise: EventLoopPromise<RequestReport>
    var report: RequestReport
    let start = ContinuousClock.now
    var lastChange = ContinuousClock.now
    var next = 0
    /// The requests without an answer, and when they were written.
    var open: [Int: ContinuousClock.Instant] = [:]
    var timer: Scheduled<Void>?

    init(_ exchange: RequestExchange, _ promise: EventLoopPromise<RequestReport>) {
      (self.exchange, self.promise) = (exchange, promise)
      report = RequestReport(count: exchange.plan.count)
    }
  }

  /// The most that are written before the connection is read again.
  private static let batch = 50
  private static let tick = TimeAmount.milliseconds(2)

  init(channel: any Channel, authority: String) {
    (self.channel, self.authority) = (channel, authority)
    loop = channel.eventLoop
  }

  func use(_ multiplexer: NIOHTTP2Handler.StreamMultiplexer) { self.multiplexer = multiplexer }

  /// Carries a plan out. The report comes when every push has an outcome, nothing has come for the exchange's patience, or
  /// the connection has ended.
  func run(_ exchange: RequestExchange) -> EventLoopFuture<RequestReport> {
    let promise = loop.makePromise(of: RequestReport.self)
    work = Work(exchange, promise)
    if isClosed {
      end()
    } else {
      advance()
      if work != nil { schedule() }
    }
    return promise.futureResult
  }

  // MARK: The connection

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data).payload {
    case .settings(.settings(let settings)):
      peerStreams = RequestStreamHandler.streamLimit(settings, before: peerStreams, most: .max)
      advance()
    case .goAway(let lastStream, let code, let data):
      let debug = data.map { String(decoding: $0.readableBytesView.prefix(1024), as: UTF8.self) }
      goAway = (
        .init(lastStream: Int(lastStream), code: Self.name(code), debug: debug ?? ""), lastStream
      )
      advance()
    default: break
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if failure == nil { failure = error }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    // The streams' last words are noted before.
    loop.assumeIsolated().execute { self.loop.assumeIsolated().execute { self.end() } }
    context.fireChannelInactive()
  }

  // MARK: Pushes

  /// The streams that may be open at once; nil until the peer has said what it allows.
  private var streamLimit: Int? {
    peerStreams.map { min($0, work?.exchange.streams ?? RequestStreamHandler.usualStreams) }
  }

  private func advance() {
    guard let work, let multiplexer, !isClosed else { return }
    let due = work.exchange.dueCount(after: ContinuousClock.now - work.start)
    var started: [Int] = []
    while goAway == nil, let streamLimit, work.open.count < streamLimit, work.next < due,
      started.count < Self.batch
    {
      started.append(work.next)
      work.lastChange = .now
      work.open[work.next] = work.lastChange
      work.next += 1
    }
    work.report.sent = work.next
    let isOver = work.open.isEmpty && (work.next == work.exchange.plan.count || goAway != nil)
    if isOver { return end() }
    for index in started { open(index, on: multiplexer) }
    if !started.isEmpty { work.exchange.progress(work.next) }
    if started.count == Self.batch { loop.assumeIsolated().execute { self.advance() } }
  }

  private func open(_ index: Int, on multiplexer: NIOHTTP2Handler.StreamMultiplexer) {
    guard let request = work?.exchange.plan.request(at: index) else { return }
    RequestStreamHandler.open(request, authority: authority, on: multiplexer, loop) {
      self.note($0, of: index)
    }
  }

  private func note(_ ending: RequestStreamHandler.Ending, of index: Int) {
    // GOAWAY closes the streams above its last one before it is read here.
    loop.assumeIsolated().execute {
      guard let work = self.work, let start = work.open.removeValue(forKey: index) else { return }
      let outcome = self.outcome(ending)
      work.report.note(outcome, of: index)
      work.lastChange = .now
      if case .answered = outcome { work.report.latency.add(work.lastChange - start) }
      self.advance()
    }
  }

  private func outcome(_ ending: RequestStreamHandler.Ending) -> PushFate {
    switch ending {
    case .answered(let answer): .answered(answer)
    case .reset(let stream, _) where goAway.map { stream > $0.lastStream } ?? false: .goneAway
    case .reset(_, .refusedStream): .refused
    case .reset(_, let code): .reset(Self.name(code))
    case .lost: .unanswered
    }
  }

  private func schedule() {
    work?.timer = loop.assumeIsolated().scheduleTask(in: Self.tick) { self.look() }
  }

  private func look() {
    advance()
    guard let work, !isClosed else { return }
    let elapsed = ContinuousClock.now - work.start
    // Between two pushes of a slow rate there is nothing to wait for.
    let isIdle =
      work.open.isEmpty && streamLimit != nil && work.next >= work.exchange.dueCount(after: elapsed)
    if isIdle { work.lastChange = .now }
    if !isIdle, ContinuousClock.now - work.lastChange > work.exchange.patience { return end() }
    schedule()
  }

  private func end() {
    guard let work else { return }
    self.work = nil
    work.timer?.cancel()
    work.report.ending = ending(of: work)
    for index in work.open.keys.sorted() { work.report.note(.unanswered, of: index) }
    work.report.note(.notSent, of: work.next, number: work.exchange.plan.count - work.next)
    work.report.goAway = goAway?.notice
    work.report.failure = failure
    work.report.isClosed = isClosed
    work.report.inFlight = isClosed ? 0 : work.open.count
    work.report.course = work.start...work.lastChange
    work.promise.succeed(work.report)
  }

  private func ending(of work: Work) -> RequestReport.Ending? {
    // Streams that end with their connection are noted before.
    let isCut = isClosed && work.report.groups.contains { $0.outcome == .unanswered }
    if !isCut, work.open.isEmpty, work.next == work.exchange.plan.count, failure == nil { return nil }
    if goAway != nil { return .goAway }
    if isClosed { return failure == nil ? .closed : .failed }
    return peerStreams == nil ? .noSettings : .silent
  }

  /// The name of RFC 9113 section 7.
  static func name(_ code: HTTP2ErrorCode) -> String {
    HTTP2Code(rawValue: UInt32(clamping: code.networkCode)).name
  }
}
