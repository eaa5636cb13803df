/// Sends pushes over one connection and waits for their answers.
package struct RequestExchange: Sendable {
  private(set) var plan: RequestPlan
  /// Pushes a second; nil: as fast as the peer takes them.
  private let rate: Double?
  /// The part of the time between two pushes that passes before the first, where several exchanges take turns.
  private let phase: Double
  /// At most so many are open at once; nil: as many as the peer allows.
  let streams: Int?
  /// The longest time in which nothing comes.
  let patience: Duration
  /// Called with the number written so far.
  private(set) var progress: @Sendable (Int) -> Void

  package init(
    plan: RequestPlan,
    rate: Double? = nil,
    phase: Double = 0,
    streams: Int? = nil,
    patience: Duration,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.plan, self.rate, self.phase, self.streams) = (plan, rate, phase, streams)
    (self.patience, self.progress) = (patience, progress)
  }

  /// Sends everything, then closes the connection.
  /// - Throws: `ProviderFailure` where TLS failed before anything was answered, as it does in TLS 1.3 for a certificate
  ///   that is refused.
  package func run(over connection: HTTP2Connection) async throws -> RequestReport {
    try await connection.run(self)
  }

  /// Sends everything, over another connection where one ends early: first what it left untaken, then the rest. What has no
  /// answer stays so, because it may have been processed.
  ///
  /// It ends with a connection over which nothing was answered, so that a peer that takes nothing is not asked for ever.
  package func run(
    over first: HTTP2Connection,
    reconnecting open: () async throws -> HTTP2Connection
  ) async throws -> RequestReport {
    try await deliver({ try await $0.run(over: first) }) { try await $0.run(over: open()) }
  }

  func deliver(
    _ first: (RequestExchange) async throws -> RequestReport,
    again: (RequestExchange) async throws -> RequestReport
  ) async throws -> RequestReport {
    var report = try await first(self)
    var hasProgress = report.hasAnswers
    while hasProgress, report.endedEarly {
      report.untaken = report.untaken.sorted()
      let (untaken, plan, progress) = (report.untaken, plan, progress)
      let done = plan.count - untaken.count
      var exchange = self
      exchange.plan = RequestPlan(count: untaken.count) { plan.request(at: untaken.place(of: $0)) }
      exchange.progress = { progress(done + $0) }
      let later: RequestReport
      do {
        later = try await again(exchange)
      } catch {
        (report.failure, report.ending) = (error, .failed)
        return report
      }
      hasProgress = later.hasAnswers
      report.goOn(with: later)
    }
    report.gaveUp = report.endedEarly
    return report
  }

  /// The number of pushes that may have been written by now.
  func dueCount(after elapsed: Duration) -> Int {
    guard let rate else { return plan.count }
    let due = elapsed / .seconds(1) * rate + 1 - phase
    return due < Double(plan.count) ? Int(due) : plan.count
  }
}
