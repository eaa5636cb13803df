import APNSimTesting
import Synchronization
import Testing

/// The journals that a trait attaches.
struct `The journal of a test` {
  private struct Planted: Error {}

  /// The journals that are attached to a test with this body, whose issues count for nobody.
  private func attached(_ body: @escaping @Sendable () async throws -> Void) async throws -> [String] {
    let journals = Mutex<[String]>([])
    var trait: APNSimTrait = .apnsim
    trait.attach = { journal in journals.withLock { $0.append(journal) } }
    let (test, testCase) = (try #require(Test.current), Test.Case.current)
    let deaf = IssueHandlingTrait.filterIssues { _ in false }
    do {
      try await deaf.provideScope(for: test, testCase: testCase) { [trait] in
        try await trait.provideScope(for: test, testCase: testCase, performing: body)
      }
    } catch is Planted {}
    return journals.withLock { $0 }
  }

  private static func send() async throws {
    let apns = try #require(APNSimulator.current)
    let alice = try apns.device("alice")
    try await Provider(apns: apns, interface: .http2).send("hello", to: alice)
    try await alice.wait()
  }

  @Test func `the journal of a test is attached where an expectation fails`() async throws {
    let journals = try await attached {
      try await Self.send()
      #expect(Bool(false))
    }
    #expect(journals.count == 1)
    #expect(journals.first?.contains(#""outcome":"delivered""#) == true)
  }

  @Test func `the journal of a test is attached where an error is thrown`() async throws {
    #expect(try await attached { throw Planted() }.count == 1)
  }

  @Test func `the journal of a test that passes is not attached`() async throws {
    #expect(try await attached { try await Self.send() }.isEmpty)
  }

  @Test func `the journal of a test with a known issue is not attached`() async throws {
    let journals = try await attached { withKnownIssue { Issue.record("known") } }
    #expect(journals.isEmpty)
  }
}
