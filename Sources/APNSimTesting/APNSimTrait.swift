import Synchronization
public import Testing

/// Gives a test a simulator of its own, ``APNSimulator/current``, which is stopped after it; to a suite, each of its tests and
/// each argument of a test.
///
/// The journal is attached to a test that fails: `swift test --attachments-path DIRECTORY` keeps it as `journal.jsonl`, and
/// `apnsim inspect` shows it. A known issue is no failure.
public struct APNSimTrait: TestTrait, SuiteTrait, TestScoping {
  let scenario: APNSimulator.Scenario?
  let seed: UInt64?
  /// Attaches a journal to the running test.
  package var attach: @Sendable (String) -> Void = { Attachment.record($0, named: "journal.jsonl") }

  init(scenario: APNSimulator.Scenario?, seed: UInt64?) { (self.scenario, self.seed) = (scenario, seed) }

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let apns = try await APNSimulator.start(scenario: scenario, seed: seed)
    let hasFailed = Mutex(false)
    let watch = IssueHandlingTrait.filterIssues { issue in
      if Self.isFailure(issue) { hasFailed.withLock { $0 = true } }
      return true
    }
    var thrown: (any Error)?
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await APNSimulator.$scoped.withValue(apns) { try await function() }
      }
    } catch {
      thrown = error
    }
    if thrown != nil || hasFailed.withLock({ $0 }) {
      attach(apns.journal)
    }
    await apns.stop()
    if let thrown { throw thrown }
  }

  private static func isFailure(_ issue: Issue) -> Bool {
    #if compiler(>=6.3)
      issue.isFailure
    #else
      true
    #endif
  }
}

extension Trait where Self == APNSimTrait {
  /// A simulator without devices and rules for each test, on the machine's clock.
  public static var apnsim: Self { Self(scenario: nil, seed: nil) }

  /// A simulator for each test that starts from a scenario.
  /// - Parameters:
  ///   - scenario: read anew for each test; one with mistakes is an issue of it.
  ///   - seed: of all randomness; nil for the scenario's, or ``APNSimulator/usualSeed``.
  public static func apnsim(scenario: APNSimulator.Scenario? = nil, seed: UInt64? = nil) -> Self {
    Self(scenario: scenario, seed: seed)
  }
}
