import APNSimCapture
import APNSimCore
import NIOCore

/// A captured connection of requests while it is replayed: sends requests, and compares what becomes of them.
final class ReplayedRequests {
  let captured: CapturedConnection
  private(set) var streams = StreamComparison()
  /// The number of requests that were handed to the connection.
  private(set) var count = 0
  /// The first GOAWAY of the service.
  private(set) var goAway: RequestReport.GoAway?
  /// The service ended the connection, or it broke.
  private(set) var hasEnded = false
  private(set) var failure: String?
  /// The parts of the original that the capture lacks.
  var gaps: ConnectionSides.Gaps = []

  /// Requests whose answers the capture has, and that have none yet; and those of them that were waited for in vain.
  private var awaited: Set<UInt32> = []
  private var late: Set<UInt32> = []
  /// Requests that wait for the service to allow them.
  private var unsent: Set<UInt32> = []
  /// When the requests were written that have no outcome yet, and the longest time that one took.
  private var sentAt: [UInt32: ContinuousClock.Instant] = [:]
  private var slowest = Duration.zero
  /// Requests whose bodies are still to be sent.
  private var held: Set<UInt32> = []

  private let channel: any Channel
  private let handler: NIOLoopBound<ReplayRequestHandler>
  private let inbox = ReplayInbox<ReplayRequestHandler.Report>()

  /// Connects.
  /// - Throws: `ProviderFailure` when the service cannot be reached or refuses us.
  init(_ captured: CapturedConnection, to target: ProviderTarget, timeout: TimeAmount) async throws {
    self.captured = captured
    let put = inbox.put
    let opened = try await HTTP2Connection.connect(target, timeout: timeout) { channel in
      try ReplayRequestHandler.add(to: channel, authority: target.address, report: put)
    }
    (channel, handler) = (opened.channel, opened.handler)
  }

  /// Sends a request, or its header list only.
  /// - Parameters:
  ///   - recorded: what the capture says became of it, where its line does.
  ///   - isLater: true where that came some time after the request.
  ///   - holdsBody: true where ``finish(_:within:)`` is to end it.
  func send(
    _ request: PushRequest,
    as stream: UInt32,
    suppliedId: String?,
    _ recorded: StreamOutcome?,
    isLater: Bool = false,
    holdsBody: Bool = false
  ) {
    count += 1
    streams.begin(stream, suppliedId: suppliedId, recorded: recorded)
    unsent.insert(stream)
    if holdsBody { held.insert(stream) }
    if isLater { late.insert(stream) } else if !holdsBody { expect(stream) }
    let handler = handler
    channel.eventLoop.execute { handler.value.send(request, as: stream, holdsBody: holdsBody) }
  }

  /// True for a request whose header list was sent alone.
  func isOpen(_ stream: UInt32) -> Bool { held.contains(stream) }

  /// Ends a request that was begun, once everything before it is written.
  func finish(_ stream: UInt32, within patience: Duration) async {
    if !unsent.isEmpty { await hear(patience) { $0.unsent.isEmpty || $0.hasEnded } }
    held.remove(stream)
    if !late.contains(stream) { expect(stream) }
    let handler = handler
    channel.eventLoop.execute { handler.value.sendBody(of: stream) }
  }

  /// The capture tells of an answer.
  func expect(_ outcome: StreamOutcome, of stream: UInt32) {
    streams.note(recorded: outcome, of: stream)
    expect(stream)
  }

  /// The answer to a request, if the capture has one, has come by now.
  func expect(_ stream: UInt32) {
    late.remove(stream)
    if streams.isAwaited(stream) { awaited.insert(stream) }
  }

  /// The provider gave a request up.
  func leave(_ stream: UInt32) {
    streams.leave(stream)
    awaited.remove(stream)
    late.remove(stream)
  }

  /// Waits until what was sent so far is written, and for the answers that the capture has of it, but for those that were
  /// waited for before.
  func settle(within patience: Duration) async {
    guard !awaited.isEmpty || !unsent.isEmpty else { return }
    await hear(patience) { $0.awaited.isEmpty && $0.unsent.isEmpty || $0.hasEnded }
    late.formUnion(awaited)
    awaited = []
  }

  /// Waits for every answer that the capture has; where it does not have all, for an answer to each request.
  func waitForAnswers(within patience: Duration, isComplete: Bool) async {
    awaited.formUnion(isComplete ? late : late.union(streams.unanswered))
    late = []
    await hear(patience) { $0.awaited.isEmpty && $0.unsent.isEmpty || $0.hasEnded }
  }

  /// Waits whether requests get an answer that have none in the capture: so long, and some of the longest time that an answer
  /// took.
  func waitForSilent(within silence: Duration) async {
    await hear(silence + slowest * 4) { !$0.streams.hasSilent || $0.hasEnded }
  }

  /// Waits until the service has ended the connection.
  /// - Returns: whether it has.
  func waitForEnd(within patience: Duration) async -> Bool {
    await hear(patience) { $0.hasEnded }
    return hasEnded
  }

  /// Closes the connection and concludes the comparison.
  /// - Parameter isComplete: true where the capture has every answer.
  func close(isComplete: Bool) async {
    await hear { _ in false }
    let reason =
      hasEnded ? failure ?? "the service ended the connection" : "the service did not allow it in time"
    for stream in unsent.sorted() { streams.note(unsendable: reason, of: stream) }
    streams.finish(isComplete: isComplete)
    try? await channel.close()
    inbox.finish()
  }

  private func hear(_ patience: Duration? = nil, until isEnough: (ReplayedRequests) -> Bool) async {
    await inbox.hear(patience, until: { isEnough(self) }, take: take)
  }

  private func settle(_ stream: UInt32) {
    unsent.remove(stream)
    awaited.remove(stream)
    late.remove(stream)
  }

  private func take(_ report: ReplayRequestHandler.Report) {
    switch report {
    case .sent(let stream):
      unsent.remove(stream)
      sentAt[stream] = .now
    case .ended(let stream, let outcome):
      if let sent = sentAt.removeValue(forKey: stream) { slowest = max(slowest, .now - sent) }
      settle(stream)
      streams.note(replayed: StreamOutcome(outcome), of: stream)
    case .unsendable(let stream, let reason):
      settle(stream)
      streams.note(unsendable: reason, of: stream)
    case .goAway(let notice): goAway = goAway ?? notice
    case .closed(let reason):
      hasEnded = true
      failure = failure ?? reason
    }
  }
}

extension StreamOutcome {
  /// The fate of a request as its provider learned it.
  init(_ outcome: PushFate) {
    switch outcome {
    case .answered(let answer):
      self = .answered(
        CapturedAnswer(
          stream: 0,
          status: UInt16(clamping: answer.status),
          reason: answer.reason,
          id: answer.id,
          timestamp: answer.timestamp
        )
      )
    case .refused: self = .reset("REFUSED_STREAM")
    case .reset(let code): self = .reset(code)
    case .goneAway: self = .goneAway
    case .unanswered: self = .unanswered()
    case .notSent: self = .notSent
    }
  }
}
