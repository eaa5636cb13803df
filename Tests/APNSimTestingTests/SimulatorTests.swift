import APNSimProvider
import APNSimTestSupport
import APNSimTesting
import Testing

@Suite(.mustNotHang) struct `A simulator in a test` {
  @Test(.apnsim) func `a simulator in a test sees nothing of those that run beside it`() async throws {
    let first = try #require(APNSimulator.current)
    let second = try await APNSimulator.start()
    #expect(
      Set([first.http2Port, first.gatewayPort, first.feedbackPort])
        .isDisjoint(with: [second.http2Port, second.gatewayPort, second.feedbackPort])
    )
    let (one, other) = (try first.device("alice"), try second.device("alice"))
    try await Provider(apns: first, interface: .http2).send("to the first", to: one)
    try await Provider(apns: second, interface: .http2).send("to the second", to: other)
    try await first.wait(for: "outcome:delivered")
    try await second.wait(for: "outcome:delivered")
    #expect(try first.notifications().map(\.alert) == ["to the first"])
    #expect(try second.notifications().map(\.alert) == ["to the second"])
    await second.stop()
  }

  @Test(.apnsim, arguments: 1...8) func `a simulator in a test is there for each argument alone`(number: Int)
    async throws
  {
    let apns = try #require(APNSimulator.current)
    let device = try apns.device("device \(number)")
    try await Provider(apns: apns, interface: .http2).send("\(number)", to: device)
    try await apns.wait(for: "alert:\"\(number)\"", count: .exactly(1), quietFor: .milliseconds(20))
    #expect(try apns.notifications().count == 1)
  }

  @Test func `a simulator in a test is one of hundreds at once`() async throws {
    var all: [APNSimulator] = []
    for _ in 0..<200 { all.append(try await APNSimulator.start()) }
    #expect(Set(all.flatMap { [$0.http2Port, $0.gatewayPort, $0.feedbackPort] }).count == 600)
    let last = try #require(all.last)
    try await Provider(apns: last, interface: .binary).send("hello", to: try last.device("alice"))
    try await last.wait(for: "outcome:delivered")
    for simulator in all { await simulator.stop() }
  }

  @Test(.apnsim) func `a simulator in a test has every app of a device that several tasks ask for at once`()
    async throws
  {
    let apns = try #require(APNSimulator.current)
    let topics = (1...20).map { "com.example.app\($0)" }
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for topic in topics { group.addTask { try apns.device("alice", topic: topic).token } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 20)
    let later = try topics.map { try apns.device("alice", topic: $0).token }
    #expect(Set(later) == tokens)
  }

  @Test func `a simulator is current only under the trait`() {
    #expect(APNSimulator.current == nil)
  }

  @Test func `a simulator in a test frees its ports when it stops, and ends waits`() async throws {
    let apns = try await APNSimulator.start()
    let device = try apns.device("alice")
    let provider = Provider(apns: apns, interface: .http2)
    try await provider.send("hello", to: device)
    async let wait = #expect(throws: APNSimulator.WaitFailure.self) {
      try await apns.wait(count: 2, timeout: .seconds(300))
    }
    await apns.stop()
    #expect(await wait?.description.hasSuffix("the simulator was stopped meanwhile") == true)
    await #expect(throws: ProviderFailure.self) { try await provider.send("hello?", to: device) }
    // Its notifications can still be looked at.
    #expect(try apns.notifications().map(\.alert) == ["hello"])
  }

  @Test(.apnsim)
  func `a simulator in a test gives a device the same token in every run, and another one to each app`()
    throws
  {
    let apns = try #require(APNSimulator.current)
    let alice = try apns.device("alice")
    #expect(try apns.device("alice").token == alice.token)
    #expect(try apns.device("alice", topic: "com.example.other").token != alice.token)
    #expect(try apns.device("bob").token != alice.token)
    #expect(alice.token.count == 64)
    #expect(alice.isOnline)
    #expect(try !apns.device("alice", online: false).isOnline)
  }

  @Test(.apnsim) func `a simulator in a test has credentials as files and as their content`() throws {
    let credentials = try #require(APNSimulator.current).credentials
    #expect(credentials.authority.pem.hasPrefix("-----BEGIN CERTIFICATE-----"))
    #expect(credentials.authKey.pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    #expect(credentials.authKey.path.hasSuffix("/AuthKey_\(credentials.keyID).p8"))
    #expect(credentials.providerPKCS12.hasSuffix(".p12"))
  }

  @Test(.apnsim(scenario: "devices: { bob: { apps: [com.example.app], online: false } }"))
  func `a simulator in a test goes back to its scenario, and on to another`() async throws {
    let apns = try #require(APNSimulator.current)
    let bob = try apns.device("bob")
    try await Provider(apns: apns, interface: .http2).send("hello", to: bob)
    try await bob.wait(for: "outcome:stored")
    try bob.goOnline()
    #expect(bob.inbox.count == 1)
    try apns.reset()
    #expect(!bob.isOnline && bob.inbox.isEmpty)
    #expect(try apns.notifications().isEmpty)
    try apns.load("devices: { bob: { apps: [com.example.app] } }")
    #expect(try apns.device("bob").isOnline)
  }

  @Test(.apnsim) func `a simulator in a test writes down what happened`() async throws {
    let apns = try #require(APNSimulator.current)
    let alice = try apns.device("alice")
    try await Provider(apns: apns, interface: .http2).send("hello", to: alice)
    try await apns.wait()
    let lines = apns.journal.split(separator: "\n")
    #expect(lines.first?.contains(#""apnsim":"journal","version":1"#) == true, "\(lines.first ?? "")")
    let pushes = lines.filter { $0.contains(#""event":"notification""#) }
    #expect(pushes.count == 1)
    for part in [#""token":"\#(alice.token)""#, #""status":200"#, #""outcome":"delivered""#] {
      #expect(pushes.first?.contains(part) == true, "\(pushes)")
    }
  }
}
