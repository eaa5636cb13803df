import APNSimTestSupport
import APNSimTesting
import Testing

@Suite(
  .apnsim(
    scenario: """
      clock: virtual@2012-06-01T00:00:00Z
      devices:
        bob: { apps: [com.example.app], online: false }
      timeline:
        - { at: 10m, do: { device.online: bob } }
      """
  ),
  .mustNotHang
) struct `A virtual clock` {
  private let apns: APNSimulator

  init() throws {
    apns = try #require(APNSimulator.current)
  }

  @Test func `a virtual clock stands still until it is advanced`() async throws {
    #expect(apns.clock.now == 1_338_508_800)
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: .http2).send("wake up", to: bob)
    try await bob.wait(for: "outcome:stored")
    try apns.clock.advance(by: .seconds(599))
    #expect(bob.inbox.isEmpty)
    try apns.clock.advance(by: .seconds(1))
    #expect(bob.inbox.map(\.body) == ["wake up"])
    #expect(apns.clock.now == 1_338_509_400)
  }

  @Test func `a virtual clock is advanced by a wait as far as it needs`() async throws {
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: .http2).send("wake up", to: bob)
    try await bob.wait(for: "outcome:delivered", timeout: .seconds(60), advancing: .seconds(3600))
    #expect(apns.clock.now == 1_338_509_400)
  }

  @Test func `a virtual clock is advanced by a wait no further than it may`() async throws {
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: .http2).send("wake up", to: bob)
    await #expect(throws: APNSimulator.WaitFailure.self) {
      try await bob.wait(for: "outcome:delivered", timeout: .milliseconds(200), advancing: .seconds(599))
    }
    #expect(!bob.isOnline)
    #expect(apns.clock.now < 1_338_509_400)
  }

  @Test func `a virtual clock brings the delayed answers of a provider that waits`() async throws {
    try apns.addRule("{ reply: { reason: TooManyRequests, delay: 5m } }")
    let bob = try apns.device("bob")
    let provider = Provider(apns: apns, interface: .http2)
    async let report = provider.send("hello", to: bob)
    // Decided at once, and sent when it is due.
    try await bob.wait(for: "status:429", timeout: .seconds(60))
    try apns.clock.advance(by: .seconds(300))
    #expect(try await report.answers.map(\.reason) == ["TooManyRequests"])
  }

  @Test func `a virtual clock does not go back`() throws {
    #expect(throws: (any Error).self) { try apns.clock.advance(by: .seconds(-1)) }
    try apns.clock.freeze()
    try apns.clock.resume()
  }
}
