import APNSimTestSupport
import APNSimTesting
import Testing

@Suite(.apnsim, .mustNotHang) struct `Waits` {
  private let apns: APNSimulator

  init() throws {
    apns = try #require(APNSimulator.current)
  }

  private var provider: Provider { Provider(apns: apns, interface: .http2) }

  /// The text of a wait in vain.
  private func failure(_ wait: () async throws -> Void) async throws -> String {
    do {
      try await wait()
      Issue.record("it was not in vain")
      return ""
    } catch let failure as APNSimulator.WaitFailure {
      return failure.description
    }
  }

  @Test func `waits count what came before them`() async throws {
    let alice = try apns.device("alice")
    for number in 1...3 { try await provider.send("number \(number)", to: alice) }
    let found = try await apns.wait(for: "device:alice", count: 3)
    #expect(found.map(\.alert) == ["number 1", "number 2", "number 3"])
    #expect(found.map(\.id) == ["n1", "n2", "n3"])
  }

  @Test func `waits end when what they are for comes`() async throws {
    let alice = try apns.device("alice")
    async let arrived = alice.wait(for: "outcome:delivered", timeout: .seconds(60))
    try await provider.send("hello", to: alice)
    #expect(try await arrived.count == 1)
  }

  @Test func `waits say that nothing has come at all`() async throws {
    let text = try await failure { try await apns.wait(timeout: .zero) }
    #expect(text.hasPrefix("expected at least 1 notification, found 0 within "))
    #expect(text.hasSuffix("\nno notification has come at all"))
  }

  @Test func `waits for none fail at the first, and show it`() async throws {
    let alice = try apns.device("alice")
    try await provider.send("hello", to: alice)
    let text = try await failure { try await alice.wait(count: .none, timeout: .seconds(60)) }
    #expect(text.hasPrefix(#"expected exactly 0 notifications with device:"alice", found 1 within "#))
    #expect(text.hasSuffix("\n  n1 delivered to alice: {\"aps\":{\"alert\":\"hello\"}}"))
    try await alice.wait(for: "outcome:rejected", count: .none, timeout: .milliseconds(30))
  }

  @Test func `waits for a number and no more are over once it is quiet`() async throws {
    let alice = try apns.device("alice")
    try await provider.send("hello", to: alice)
    let quiet = Duration.milliseconds(20)
    try await alice.wait(count: .exactly(1), timeout: .seconds(60), quietFor: quiet)
    try await alice.wait(count: .atMost(1), timeout: .seconds(60), quietFor: quiet)
    let text = try await failure {
      try await alice.wait(count: .atLeast(2), timeout: .milliseconds(40), quietFor: quiet)
    }
    #expect(text.hasPrefix(#"expected at least 2 notifications with device:"alice", then quiet for 20ms"#))
  }

  @Test func `waits look for exactly what is interpolated`() async throws {
    let text = #"50% off "everything" \ device:bob"#
    let json = #"50% off \"everything\" \\ device:bob"#
    let alice = try apns.device("alice")
    try await provider.send(json, to: alice)
    let found = try await apns.wait(for: "device:\(alice.name) alert:\(text) payloadSize>\(10)")
    #expect(found.first?.alert == text)
  }

  @Test func `waits name the column of a mistake in a query`() async throws {
    let error = await #expect(throws: APNSimulator.TextError.self) {
      try await apns.wait(for: "topic:com.example.app devise:bob")
    }
    let mistake = try #require(error?.mistakes.first)
    #expect(mistake.column == 23)
    #expect(mistake.suggestion == "device")
    #expect(throws: APNSimulator.TextError.self) { try apns.notifications(matching: "alert") }
    await withKnownIssue {
      await apns.expect("devise:bob")
    } matching: {
      $0.error is APNSimulator.TextError
    }
  }

  @Test func `waits end with their task`() async throws {
    let wait = Task { [apns] in try await apns.wait(timeout: .seconds(300)) }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}
