import APNSimCore
import APNSimScenario

/// One wait from its beginning to its verdict. It sleeps in between: the simulator signals progress.
struct WaitRun {
  /// The result of a wait.
  struct Outcome: Sendable {
    var isSatisfied: Bool
    var matched: Int
    /// The number of earlier notifications that could not be searched.
    var missed: UInt64
    var waited: Duration
    var notifications: [NotificationView]
    /// The number of the first notification that could count.
    var first: UInt64
  }

  private enum Signal: Sendable {
    case progress(Wait.Progress)
    case timer
  }

  private let simulator: Simulator
  private let request: WaitBody
  private let ending: EndSignal

  init(_ simulator: Simulator, _ request: WaitBody, end ending: EndSignal) {
    self.simulator = simulator
    self.request = request
    self.ending = ending
  }

  func run() async -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let (signals, continuation) = AsyncStream.makeStream(
      of: Signal.self,
      bufferingPolicy: .bufferingNewest(4)
    )
    let (wait, end) = simulator.wait(for: request.query, from: request.since, interest: interest) {
      continuation.yield(.progress($0))
    }
    defer { simulator.end(wait) }
    let token = ending.whenFired { continuation.finish() }
    defer { ending.forget(token) }

    let deadline = start + .milliseconds(request.timeout.milliseconds)
    var verdict = Verdict(
      request.count,
      quietFor: request.quietFor.map { .milliseconds($0.milliseconds) },
      start
    )
    await lookBack(wait, before: end, until: deadline)
    verdict.update(simulator.result(of: wait).progress, at: clock.now)
    var iterator = signals.makeAsyncIterator()
    while !verdict.isFinal(at: clock.now), clock.now < deadline, !Task.isCancelled {
      let wake = min(deadline, verdict.quietAt ?? deadline)
      let timer = Task {
        try await Task.sleep(until: wake, clock: clock)
        continuation.yield(.timer)
      }
      let signal = await iterator.next()
      timer.cancel()
      guard let signal else { break }
      if case .progress(let progress) = signal { verdict.update(progress, at: clock.now) }
    }
    let result = simulator.result(of: wait)
    verdict.update(result.progress, at: clock.now)
    return Outcome(
      isSatisfied: verdict.isSatisfied(at: clock.now, isOver: clock.now >= deadline),
      matched: result.progress.matched,
      missed: result.progress.missed,
      waited: clock.now - start,
      notifications: result.notifications,
      first: result.first
    )
  }

  /// The count at which the verdict can change; every match if quiet is required, since each restarts that time.
  private var interest: Wait.Interest {
    guard request.quietFor == nil else { return .each }
    return .reaching(request.count.atMost.map { min($0, .max - 1) + 1 } ?? request.count.atLeast ?? 0)
  }

  /// The minimum number of slices, usually 200,000 notifications, that are searched even by a wait without time.
  private static let leastStretches = 100

  /// Searches the notifications before the wait: all of them, unless it takes too long.
  private func lookBack(
    _ wait: Wait,
    before end: UInt64,
    until deadline: ContinuousClock.Instant
  ) async {
    var (from, stretches): (UInt64, Int) = (1, 0)
    while let next = simulator.lookBack(wait, from: from, before: end) {
      stretches += 1
      let isOver = stretches >= Self.leastStretches && .now >= deadline
      if isOver || Task.isCancelled || ending.hasFired {
        return simulator.stopLookingBack(wait, from: next, before: end)
      }
      await Task.yield()
      from = next
    }
  }

  /// A duration as text, such as `5.0s`.
  static func seconds(_ span: Duration) -> String {
    let (seconds, attoseconds) = span.components
    return "\(seconds).\(attoseconds / 100_000_000_000_000_000)s"
  }
}
