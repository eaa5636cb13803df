import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `The catalogue of faults` {
  @Test(arguments: FaultKind.allCases)
  func `the example of a fault reads, and reads back as it is written`(kind: FaultKind) throws {
    let text = kind.example == kind.name ? kind.name : "{ \(kind.example) }"
    let rule = try #require(try rules("- { fault: \(text) }").first)
    guard case .fault(let fault) = rule.action else {
      #expect(kind.name == "shutdown")
      return
    }
    #expect(fault.name == kind.name)
    var writer = JSONWriter()
    fault.write(to: &writer)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try rules("- { fault: \(json) }").map(\.action) == [.fault(fault)])
  }

  @Test(arguments: FaultKind.allCases)
  func `a preview says what a provider sees of it, and what it should do`(kind: FaultKind) async throws {
    let text = kind.example == kind.name ? kind.name : "{ \(kind.example) }"
    let rule = try #require(try rules("- { fault: \(text) }").first)
    let simulator = try Simulator(scenario: Scenario(), seed: 1, start: Timestamp(rawValue: 0))
    let preview = await simulator.preview(rule)
    #expect(!preview.sees.isEmpty && !preview.advice.isEmpty)
  }

  @Test(arguments: FaultKind.allCases)
  func `a fault stands on one listener at least, and is chosen by a sentence of the page`(kind: FaultKind) {
    #expect(!kind.listeners.isEmpty && !kind.page.isEmpty)
  }

  /// Faults that need none are older than this claim.
  @Test func `each fault has a scenario that ships`() throws {
    let rules = try Fixtures.scenarios.flatMap { try ScenarioFile.load($0.path).rules }
    let played = Set(rules.map(\.action.faultName))
    let others = FaultKind.names.filter { !played.contains($0) }
    #expect(others == ["latency", "zeroWindow", "ignoreSettings", "feedbackKeep"])
  }

  /// `UPDATE=yes` writes it anew.
  @Test func `the table in the scenarios' README is made of the rows`() throws {
    let url = Fixtures.root.appendingPathComponent("scenarios/README.md")
    let tables = try #require(FaultTable.tables(in: String(contentsOf: url, encoding: .utf8)))
    guard ProcessInfo.processInfo.environment["UPDATE"] == nil else {
      return try tables.document.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(tables.found == FaultTable.text, "make faults")
  }
}

extension Rule.Action {
  /// The fault's name; a reply of status 10 is what `shutdown` makes.
  fileprivate var faultName: String {
    switch self {
    case .fault(let fault): fault.name
    case .reply(let reply) where reply.status == .shutdown: "shutdown"
    default: ""
    }
  }
}
