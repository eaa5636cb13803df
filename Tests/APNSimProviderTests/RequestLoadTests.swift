import Synchronization
import Testing

@testable import APNSimProvider

@Suite struct `A load of pushes` {
  private static let success = PushFate.answered(PushAnswer(status: 200))
  private struct Refused: Error {}

  private static func load(
    _ count: Int,
    connections: Int,
    rate: Double? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> RequestLoad {
    RequestLoad(
      plan: RequestPlan(count: count) { PushRequest(token: "\($0)", fields: [], body: []) },
      connections: connections,
      rate: rate,
      streams: 7,
      patience: .seconds(1),
      progress: progress
    )
  }

  private static func report(_ exchange: RequestExchange, _ outcome: (Int) -> PushFate) -> RequestReport {
    var report = RequestReport(count: exchange.plan.count)
    for index in 0..<exchange.plan.count { report.note(outcome(index), of: index) }
    report.sent = exchange.plan.count
    return report
  }

  @Test func `a load goes over its connections in turns, and its report has each push in its place`()
    async throws
  {
    let seen = Mutex<[[String]]>([])
    let progress = Mutex(0)
    let load = Self.load(10, connections: 4) { sum in progress.withLock { $0 = max($0, sum) } }
    let report = try await load.report { exchange in
      let tokens = (0..<exchange.plan.count).map { exchange.plan.request(at: $0).token }
      seen.withLock { $0.append(tokens) }
      exchange.progress(exchange.plan.count)
      #expect(exchange.streams == 7)
      return Self.report(exchange) { tokens[$0] == "6" ? .refused : Self.success }
    }
    let parts = seen.withLock { $0.sorted { $0[0] < $1[0] } }
    #expect(parts == [["0", "4", "8"], ["1", "5", "9"], ["2", "6"], ["3", "7"]])
    #expect(report.results.firstIndex(of: .refused) == 6 && report.results.count { $0 == Self.success } == 9)
    #expect(report.groups.first { $0.outcome == .refused }?.first == 6)
    #expect(report.sent == 10 && report.accepted == 9 && report.answered == 9 && report.unanswered == 0)
    #expect(progress.withLock { $0 } == 10)
  }

  @Test func `a load keeps its rate over all connections, which do not all begin at once`() async throws {
    let due = Mutex<[[Int]]>([])
    _ = try await Self.load(100, connections: 4, rate: 8).report { exchange in
      let counts = [0, 125, 250, 500, 1000].map { exchange.dueCount(after: .milliseconds($0)) }
      due.withLock { $0.append(counts) }
      return Self.report(exchange) { _ in Self.success }
    }
    let counts = due.withLock { $0 }
    let sums = (0..<5).map { place in counts.reduce(0) { $0 + $1[place] } }
    #expect(sums == [1, 2, 3, 5, 9])
  }

  @Test func `a load goes on without a connection that cannot be made, whose pushes are not sent`()
    async throws
  {
    let report = try await Self.load(9, connections: 3).report { exchange in
      if exchange.plan.request(at: 0).token == "1" { throw Refused() }
      return Self.report(exchange) { _ in Self.success }
    }
    #expect(report.sent == 6 && report.accepted == 6 && report.failure is Refused)
    #expect(report.groups.first { $0.outcome == .notSent }.map { [$0.first, $0.count] } == [1, 3])
    await #expect(throws: Refused.self) {
      try await Self.load(9, connections: 3).report { _ in throw Refused() }
    }
  }

  @Test func `a load whose connections leave early takes no room for each push that is left`() {
    var report = RequestReport(count: 100_000_000)
    report.note(.goneAway, of: 4, number: 1)
    report.note(.goneAway, of: 2, number: 1)
    report.note(.notSent, of: 5, number: 99_999_995)
    report.untaken = report.untaken.sorted()
    #expect(report.untaken.unwritten == [5..<100_000_000] && report.untaken.count == 99_999_997)
    #expect([0, 1, 2, 99_999_996].map { report.untaken.place(of: $0) } == [2, 4, 5, 99_999_999])
    // The next connection takes the first and leaves the rest.
    var later = RequestReport(count: report.untaken.count)
    later.note(Self.success, of: 0)
    later.note(.notSent, of: 1, number: 99_999_996)
    report.goOn(with: later)
    #expect(report.untaken.unwritten == [4..<100_000_000] && report.untaken.written.isEmpty)
  }

  @Test func `a load tells what is in flight at the end from what its connections lost`() {
    var first = RequestReport(count: 4)
    first.note(Self.success, of: 0)
    first.note(.unanswered, of: 1)
    first.note(.notSent, of: 2, number: 2)
    var later = RequestReport(count: 2)
    later.note(.unanswered, of: 0)
    later.note(.reset("CANCEL"), of: 1)
    later.inFlight = 1
    first.goOn(with: later)
    #expect(first.answered == 1 && first.unanswered == 3 && first.inFlight == 1)
  }
}
