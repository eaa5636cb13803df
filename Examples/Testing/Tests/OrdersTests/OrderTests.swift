import APNSimTesting
import Orders
import Testing

extension OrderProvider {
  /// The provider with what a simulator says of itself in its configuration.
  init(_ apns: APNSimulator) {
    self.init(
      Configuration(
        host: apns.host,
        port: apns.http2Port,
        authorityFile: apns.credentials.authority.path,
        certificateFile: apns.credentials.providerCertificate.path,
        keyFile: apns.credentials.providerKey.path,
        topic: APNSimulator.topic
      )
    )
  }
}

@Suite(.apnsim, .timeLimit(.minutes(10))) struct `Orders are announced` {
  private let apns: APNSimulator
  private let provider: OrderProvider

  init() throws {
    apns = try #require(APNSimulator.current)
    provider = OrderProvider(apns)
  }

  @Test func `a notification arrives`() async throws {
    let alice = try apns.device("alice")
    #expect(try await provider.announce(order: 17, to: alice.token) == .sent)
    try await alice.wait(for: #"outcome:delivered alert~"order #17""#)
    #expect(alice.inbox.map(\.body) == ["Your order #17 is on its way"])
  }

  @Test func `a wait in vain says what came nearest`() async throws {
    let bob = try apns.device("bob")
    _ = try await provider.announce(order: 17, to: bob.token)
    let failure = await #expect(throws: APNSimulator.WaitFailure.self) {
      try await bob.wait(for: "alert~/#18 /", timeout: .milliseconds(100))
    }
    #expect(failure?.description.contains(#"found "Your order #17 is on its way""#) == true)
  }

  @Test func `what Apple cannot take just now is tried again`() async throws {
    try apns.addRule("{ reply: { reason: TooManyRequests }, times: 2 }")
    let carol = try apns.device("carol")
    #expect(try await provider.announce(order: 17, to: carol.token) == .sent)
    await carol.expect("status:429", count: .exactly(2), timeout: .milliseconds(50))
    await carol.expect("outcome:delivered")
  }

  @Test func `a customer without the app is known by the time`() async throws {
    let dave = try apns.device("dave")
    let before = apns.clock.now
    try dave.uninstall()
    let outcome = try await provider.announce(order: 17, to: dave.token)
    guard case .unregistered(let since) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect((before...apns.clock.now).contains(since / 1000))
  }

  @Test func `a phone that was off shows the last one`() async throws {
    let erin = try apns.device("erin", online: false)
    _ = try await provider.announce(order: 17, to: erin.token)
    _ = try await provider.announce(order: 18, to: erin.token)
    try await erin.wait(for: "outcome:replaced")
    try erin.goOnline()
    #expect(erin.inbox.map(\.body) == ["Your order #18 is on its way"])
  }
}
