package import APNSimCore

/// One wait from its beginning to its verdict. It sleeps in between: the simulator signals progress.
package struct WaitRun {
  /// The result of a wait.
  package struct Outcome: Sendable {
    package var isSatisfied: Bool
    package var matched: Int
    /// The number of earlier notifications that could not be searched.
    package var missed: UInt64
    package var waited: Duration
    /// The first ones that matched.
    package var notifications: [NotificationView]
    /// The nearest miss, where too few matched.
    package var nearMisses: [NearMiss]
  }

  private enum Signal: Sendable {
    case progress(Wait.Progress)
    case timer
  }

  private let simulator: Simulator
  private let terms: WaitTerms
  private let ending: EndSignal

  /// - Parameter ending: fires where nobody waits for the verdict any more.
  package init(_ simulator: Simulator, _ terms: WaitTerms, end ending: EndSignal) {
    self.simulator = simulator
    self.terms = terms
    self.ending = ending
  }

  package func run() async -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let (signals, continuation) = AsyncStream.makeStream(
      of: Signal.self,
      bufferingPolicy: .bufferingNewest(4)
    )
    let (wait, end) = simulator.wait(for: terms.query, from: terms.since, interest: interest) {
      continuation.yield(.progress($0))
    }
    defer { simulator.end(wait) }
    let token = ending.whenFired { continuation.finish() }
    defer { ending.forget(token) }

    let deadline = start + .milliseconds(terms.timeout.milliseconds)
    var verdict = Verdict(
      terms.count,
      quietFor: terms.quietFor.map { .milliseconds($0.milliseconds) },
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
    let isSatisfied = verdict.isSatisfied(at: clock.now, isOver: clock.now >= deadline)
    let isEnough = isSatisfied || result.progress.matched >= terms.count.atLeast ?? 0
    return Outcome(
      isSatisfied: isSatisfied,
      matched: result.progress.matched,
      missed: result.progress.missed,
      waited: clock.now - start,
      notifications: result.notifications,
      nearMisses: isEnough
        ? [] : simulator.nearMisses(terms.query, from: result.first, most: Self.mostNearMisses)
    )
  }

  private static let mostNearMisses = 3

  /// The count at which the verdict can change; every match if quiet is required, since each restarts that time.
  private var interest: Wait.Interest {
    guard terms.quietFor == nil else { return .each }
    return .reaching(terms.count.atMost.map { min($0, .max - 1) + 1 } ?? terms.count.atLeast ?? 0)
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
  package static func seconds(_ span: Duration) -> String {
    let (seconds, attoseconds) = span.components
    return "\(seconds).\(attoseconds / 100_000_000_000_000_000)s"
  }
}
