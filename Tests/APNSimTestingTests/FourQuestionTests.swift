import APNSimTestSupport
import APNSimTesting
import Testing

/// A push provider is tested with four questions, over both interfaces.
@Suite(.apnsim, .mustNotHang) struct `Four questions to a provider` {
  private let apns: APNSimulator

  init() throws {
    apns = try #require(APNSimulator.current)
  }

  @Test(arguments: Interface.allCases) func `a notification arrives`(over interface: Interface) async throws {
    let alice = try apns.device("alice")
    try await Provider(apns: apns, interface: interface).send("Your order is on its way", to: alice)
    let arrived = try await alice.wait(for: "outcome:delivered alert~order")
    #expect(arrived.map(\.alert) == ["Your order is on its way"])
    #expect(arrived.first?.device == "alice")
    #expect(alice.inbox.map(\.body) == ["Your order is on its way"])
  }

  @Test(arguments: Interface.allCases) func `a wait in vain says what came nearest`(
    over interface: Interface
  ) async throws {
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: interface).send("order #17", to: bob)
    let failure = await #expect(throws: APNSimulator.WaitFailure.self) {
      try await bob.wait(for: "alert~Order", timeout: .milliseconds(50))
    }
    let text = try #require(failure?.description)
    #expect(
      text.hasPrefix(#"expected at least 1 notification with alert~Order device:"bob", found 0 within "#)
    )
    #expect(
      text.hasSuffix("near miss n1\n  payload.aps.alert: expected contains \"Order\", found \"order #17\"")
    )
  }

  @Test(arguments: Interface.allCases) func `an expectation in vain is an issue, and the test goes on`(
    over interface: Interface
  ) async throws {
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: interface).send("order #17", to: bob)
    await withKnownIssue {
      await bob.expect("alert~Order", timeout: .milliseconds(50))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(#"expected contains "Order", found "order #17""#) }
    }
    await bob.expect("alert~order")
  }

  @Test func `what was sent after an error has to be sent again`() async throws {
    let devices = try ["carol", "dave", "erin"].map { try apns.device($0) }
    try apns.addRule("{ when: { nth: 2 }, reply: { status: 8 }, times: 1 }")
    let provider = Provider(apns: apns, interface: .binary)
    let payload = #"{"aps":{"alert":"Hello"}}"#
    let error = try #require(try await provider.send(payload: payload, to: devices.map(\.token)).error)
    #expect(error == (8, 2))
    try await devices[2].wait(for: "outcome:discarded")
    try await provider.send(payload: payload, to: devices.dropFirst(error.notification).map(\.token))
    try await devices[2].wait(for: "outcome:delivered")
  }

  @Test func `a removed app is answered with 410 and the time`() async throws {
    let frank = try apns.device("frank")
    let before = apns.clock.now
    try frank.uninstall()
    let provider = Provider(apns: apns, interface: .http2)
    let answer = try #require(try await provider.send("Hello?", to: frank).answers.first)
    #expect(answer.status == 410)
    #expect(answer.reason == "Unregistered")
    let time = try #require(answer.timestamp) / 1000
    #expect((before...apns.clock.now).contains(time))
    let refused = try await frank.wait(for: "status:410")
    #expect(refused.map(\.reason) == ["Unregistered"])
  }

  @Test func `a removed app is in the feedback list`() async throws {
    let frank = try apns.device("frank")
    try frank.uninstall()
    try await Provider(apns: apns, interface: .binary).send("Hello?", to: frank)
    try await frank.wait(for: "outcome:refused")
    #expect(apns.feedback().map(\.token) == [frank.token])
    try frank.install()
    try await Provider(apns: apns, interface: .binary).send("Hello again", to: frank)
    try await frank.wait(for: "outcome:delivered")
  }

  @Test(arguments: Interface.allCases) func `a device that was offline shows the last one`(
    over interface: Interface
  ) async throws {
    let provider = Provider(apns: apns, interface: interface)
    let grace = try apns.device("grace", online: false)
    try await provider.send("first", to: grace)
    try await provider.send("second", to: grace)
    try await grace.wait(count: 2)
    #expect(grace.inbox.isEmpty)
    #expect(grace.stored?.body == "second")
    try grace.goOnline()
    #expect(grace.inbox.map(\.body) == ["second"])
    #expect(grace.stored == nil)
  }
}
