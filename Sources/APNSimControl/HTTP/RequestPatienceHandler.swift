import NIOCore
import NIOHTTP1

/// Closes a connection whose client begins no request, or does not end one, in time. Otherwise such connections would
/// occupy places for which others wait.
///
/// Answers may last: no time is limited while one is made or written, as long as the client reads. One of known length
/// of which nothing is read for a while is given up.
final class RequestPatienceHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let untilHead: TimeAmount
  private let untilEnd: TimeAmount
  /// The number of requests whose answers have not left completely.
  private var open = 0
  /// True until the end of the latest request has come.
  private var isReading = false
  /// True while an answer is being written.
  private var isAnswering = false
  private var ending: Scheduled<Void>?
  private let untilRead: TimeAmount
  /// True while an answer of known length is being written.
  private var hasLength = false
  private var givingUp: Scheduled<Void>?
  /// The number of answers that are written completely and have not left.
  private var written = 0
  private var lastPart: Scheduled<Void>?

  private let idle: IdleConnections
  /// Is told of readers that are given up.
  private let note: @Sendable (String) -> Void
  /// Its place among the idle connections while no request is open.
  private var idleKey: UInt64?

  init(
    _ limits: ControlLimits,
    _ idle: IdleConnections,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.idle, self.note) = (idle, note)
    untilRead = TimeAmount(limits.answerPatience)
    untilHead = TimeAmount(limits.requestPatience)
    untilEnd = TimeAmount(limits.bodyPatience)
  }

  func handlerAdded(context: ChannelHandlerContext) { wait(context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    leave()
    givingUp?.cancel()
    lastPart?.cancel()
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    givingUp?.cancel()
    lastPart?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      open += 1
      isReading = true
      wait(context)
    case .body: break
    case .end:
      isReading = false
      wait(context)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code >= 200:
      isAnswering = true
      hasLength = head.headers.contains(name: "Content-Length")
    case .head, .body: break
    case .end:
      let isWatched = hasLength
      let left = promise ?? context.eventLoop.makePromise(of: Void.self)
      left.futureResult.assumeIsolated().whenComplete { [self] result in
        if isWatched { written -= 1 }
        if written == 0 { lastPart?.cancel() }
        guard case .success = result else { return }
        open -= 1
        isAnswering = false
        hasLength = false
        wait(context)
      }
      if isWatched { written += 1 }
      if isWatched, written == 1 { awaitLastPart(context, buffered: nil) }
      return context.write(data, promise: left)
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    givingUp?.cancel()
    givingUp = nil
    if hasLength, !context.channel.isWritable {
      let loop = context.eventLoop.assumeIsolated()
      givingUp = loop.scheduleTask(in: untilRead) { [self] in
        if hasLength, !context.channel.isWritable { giveUp(context) }
      }
    }
    context.fireChannelWritabilityChanged()
  }

  /// An answer has been written, and what is left of it is less than makes a channel unwritable: whether anything of it is
  /// read shows in what still waits.
  private func awaitLastPart(_ context: ChannelHandlerContext, buffered: Int?) {
    let loop = context.eventLoop.assumeIsolated()
    lastPart = loop.scheduleTask(in: untilRead) { [self] in
      let waits = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
      if waits == buffered { giveUp(context) } else { awaitLastPart(context, buffered: waits) }
    }
  }

  private func giveUp(_ context: ChannelHandlerContext) {
    let peer = context.channel.remoteAddress.map { "\($0.ipAddress ?? "?"):\($0.port ?? 0)" } ?? "?"
    note(
      "control API: gave up \(peer), which read nothing of its answer for \(untilRead.nanoseconds / 1_000_000_000) s"
    )
    context.close(promise: nil)
  }

  private func leave() {
    ending?.cancel()
    if let idleKey { idle.remove(idleKey) }
    idleKey = nil
  }

  /// Restarts the timer if the client has to send.
  private func wait(_ context: ChannelHandlerContext) {
    leave()
    ending = nil
    if open == 0, !isReading { idleKey = idle.add(context.channel) }
    // Input after a request that is being answered waits for the answer, not for its sender.
    guard open <= (isReading ? 1 : 0) else { return }
    let loop = context.eventLoop.assumeIsolated()
    ending = loop.scheduleTask(in: isReading ? untilEnd : untilHead) { [self] in end(context) }
  }

  private func end(_ context: ChannelHandlerContext) {
    guard isReading, open > 0, !isAnswering else { return context.close(promise: nil) }
    let problem = ProblemDetails(
      .requestTimeout,
      title: "Request timeout",
      detail: "expected the complete request within \(untilEnd.nanoseconds / 1_000_000_000) s of its header"
    )
    let body = problem.body
    let fields: HTTPHeaders = [
      "Content-Type": "application/problem+json", "Content-Length": "\(body.count)", "Connection": "close",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: .requestTimeout, headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }
}
