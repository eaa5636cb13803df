import APNSimTesting
import Orders
import Testing

/// One test that fails on purpose beside one that passes. `scripts/test-example` puts them into a copy of the example, and looks at
/// what is attached: the journal of the one, and nothing of the other.
@Suite(.apnsim, .timeLimit(.minutes(2))) struct PlantedTests {
  private let apns: APNSimulator

  init() throws { apns = try #require(APNSimulator.current) }

  @Test func `this failure is planted`() async throws {
    try await announce()
    Issue.record("planted")
  }

  @Test func `a test that passes`() async throws {
    try await announce()
  }

  private func announce() async throws {
    let alice = try apns.device("alice")
    #expect(try await OrderProvider(apns).announce(order: 17, to: alice.token) == .sent)
    try await alice.wait(for: "outcome:delivered")
  }
}
