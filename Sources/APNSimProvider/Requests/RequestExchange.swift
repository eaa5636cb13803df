/// Sends pushes over one connection and waits for their answers.
package struct RequestExchange: Sendable {
  let plan: RequestPlan
  /// Pushes a second; nil: as fast as the peer takes them.
  private let rate: Double?
  /// The longest time in which nothing comes.
  let patience: Duration
  /// Called with the number written so far.
  let progress: @Sendable (Int) -> Void

  package init(
    plan: RequestPlan,
    rate: Double? = nil,
    patience: Duration,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.plan, self.rate, self.patience, self.progress) = (plan, rate, patience, progress)
  }

  /// Sends everything, then closes the connection.
  /// - Throws: `ProviderFailure` where TLS failed before anything was answered, as it does in TLS 1.3 for a certificate
  ///   that is refused.
  package func run(over connection: RequestConnection) async throws -> RequestReport {
    try await connection.run(self)
  }

  /// The number of pushes that may have been written by now.
  func dueCount(after elapsed: Duration) -> Int {
    guard let rate else { return plan.count }
    let due = elapsed / .seconds(1) * rate + 1
    return due < Double(plan.count) ? Int(due) : plan.count
  }
}
