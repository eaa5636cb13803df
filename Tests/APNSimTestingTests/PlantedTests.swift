import APNSimTestSupport
import APNSimTesting
import Foundation
import Testing

/// One test that fails on purpose beside one that passes. `scripts/test-example` runs them and looks at what is attached: the
/// journal of the one, and nothing of the other.
@Suite(
  .apnsim,
  .mustNotHang,
  .enabled(
    if: ProcessInfo.processInfo.environment["APNSIM_PLANTED"] == "yes",
    "they are for scripts/test-example"
  )
)
struct PlantedTests {
  private let apns: APNSimulator

  init() throws { apns = try #require(APNSimulator.current) }

  @Test func `this failure is planted`() async throws {
    try await send()
    Issue.record("planted")
  }

  @Test func `a test that passes`() async throws {
    try await send()
  }

  private func send() async throws {
    let alice = try apns.device("alice")
    try await Provider(apns: apns, interface: .http2).send("hello", to: alice)
    try await alice.wait(for: "outcome:delivered")
  }
}
