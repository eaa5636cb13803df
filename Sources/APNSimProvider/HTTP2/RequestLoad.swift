import Synchronization

/// Sends the pushes of a plan over several connections at once, which take turns: of four connections the first has the
/// first push, the fifth, and so on.
package struct RequestLoad: Sendable {
  private let plan: RequestPlan
  private let connections: Int
  /// Pushes a second over all connections; nil: as fast as the peer takes them.
  private let rate: Double?
  /// At most so many are open at once on each connection; nil: as many as the peer allows.
  private let streams: Int?
  private let patience: Duration
  private let progress: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - connections: from 1 to the number of pushes.
  ///   - patience: the longest time in which nothing comes on a connection.
  ///   - progress: called with the number written so far, over all connections.
  package init(
    plan: RequestPlan,
    connections: Int = 1,
    rate: Double? = nil,
    streams: Int? = nil,
    patience: Duration,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.plan, self.connections, self.rate, self.streams) = (plan, max(1, connections), rate, streams)
    (self.patience, self.progress) = (patience, progress)
  }

  /// Sends everything, over another connection wherever one ends early.
  /// - Throws: why the first connection could not be made, where none could.
  package func run(
    opening open: @escaping @Sendable () async throws -> HTTP2Connection
  ) async throws -> RequestReport {
    try await report { exchange in
      let first = try await open()
      return try await exchange.run(over: first, reconnecting: open)
    }
  }

  /// Carries every connection's part out, each by `deliver`, and puts the reports together.
  func report(
    _ deliver: @escaping @Sendable (RequestExchange) async throws -> RequestReport
  ) async throws -> RequestReport {
    let progress = LoadProgress(parts: connections, progress)
    var parts = [Result<RequestReport, any Error>?](repeating: nil, count: connections)
    await withTaskGroup(of: (Int, Result<RequestReport, any Error>).self) { group in
      for number in 0..<connections {
        let exchange = exchange(of: number, progress)
        group.addTask {
          do { return (number, .success(try await deliver(exchange))) } catch {
            return (number, .failure(error))
          }
        }
      }
      for await (number, result) in group { parts[number] = result }
    }
    return try join(parts.compactMap { $0 })
  }

  private func exchange(of number: Int, _ progress: LoadProgress) -> RequestExchange {
    let (plan, connections) = (plan, connections)
    return RequestExchange(
      plan: RequestPlan(count: count(of: number)) { plan.request(at: number + $0 * connections) },
      rate: rate.map { $0 / Double(connections) },
      phase: Double(number) / Double(connections),
      streams: streams,
      patience: patience
    ) { progress.note($0, of: number) }
  }

  /// The number of pushes of a connection.
  private func count(of number: Int) -> Int {
    plan.count / connections + (number < plan.count % connections ? 1 : 0)
  }

  private func join(_ parts: [Result<RequestReport, any Error>]) throws -> RequestReport {
    let made = parts.contains { if case .success = $0 { true } else { false } }
    if !made, let first = parts.first { return try first.get() }
    var report = RequestReport(count: plan.count)
    for (number, part) in parts.enumerated() {
      let count = count(of: number)
      var own: RequestReport
      switch part {
      case .success(let result): own = result
      case .failure(let error):
        own = RequestReport(count: count)
        own.note(.notSent, of: 0, number: count)
        own.failure = error
      }
      report.add(own) { number + $0 * connections }
    }
    return report
  }
}

/// Adds up how far the connections of a load are.
private final class LoadProgress: Sendable {
  private let written: Mutex<(parts: [Int], sum: Int)>
  private let report: @Sendable (Int) -> Void

  init(parts: Int, _ report: @escaping @Sendable (Int) -> Void) {
    written = Mutex((Array(repeating: 0, count: parts), 0))
    self.report = report
  }

  func note(_ count: Int, of part: Int) {
    let sum = written.withLock { written in
      written.sum += count - written.parts[part]
      written.parts[part] = count
      return written.sum
    }
    report(sum)
  }
}
