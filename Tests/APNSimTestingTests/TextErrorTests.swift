import APNSimTesting
import Testing

struct `A scenario with mistakes` {
  private static let text: APNSimulator.Scenario = """
    version: 1
    devices:
      alice: { apps: [com.example.app], onlin: true }
    rules:
      - { when: { nth: two }, reply: { status: 8 } }
    """

  @Test func `a scenario with mistakes does not start, and says where they are`() async throws {
    let thrown = await #expect(throws: APNSimulator.TextError.self) {
      try await APNSimulator.start(scenario: Self.text)
    }
    let error = try #require(thrown)
    #expect(error.mistakes.map(\.line) == [3, 5])
    #expect(error.mistakes.map(\.column) == [37, 20])
    #expect(error.mistakes.first?.suggestion == "online")
    #expect(error.description.hasPrefix("scenario:3:37: error: unknown key \"onlin\""))
    #expect(error.description.contains("\n  did you mean \"online\"?"))
  }

  @Test func `a scenario with mistakes is an issue of the test that has it in its trait`() async throws {
    let trait: APNSimTrait = .apnsim(scenario: Self.text)
    let (test, testCase) = (try #require(Test.current), Test.Case.current)
    await #expect(throws: APNSimulator.TextError.self) {
      try await trait.provideScope(for: test, testCase: testCase) { Issue.record("the test ran") }
    }
  }

  @Test(.apnsim) func `a scenario with mistakes changes nothing when it is loaded, nor does such a rule`()
    throws
  {
    let apns = try #require(APNSimulator.current)
    let alice = try apns.device("alice", online: false)
    #expect(throws: APNSimulator.TextError.self) { try apns.load(Self.text) }
    #expect(!alice.isOnline)
    let thrown = #expect(throws: APNSimulator.TextError.self) {
      try apns.addRule("reply: { reasn: Unregistered }")
    }
    let error = try #require(thrown)
    #expect(error.mistakes.last?.column == 10)
    #expect(error.mistakes.last?.suggestion == "reason")
    #expect(error.description.contains("rule:1:10: error: unknown key \"reasn\""))
  }

  @Test func `a scenario with mistakes in a file is named by its file`() async throws {
    let thrown = await #expect(throws: APNSimulator.TextError.self) {
      try await APNSimulator.start(scenario: .file("fixtures/no such scenario.yaml"))
    }
    let error = try #require(thrown)
    #expect(error.description.hasPrefix("fixtures/no such scenario.yaml: error: cannot be read: "))
  }
}
