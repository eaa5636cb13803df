import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `Each scenario that ships` {
  private static let folder = Fixtures.root.appendingPathComponent("scenarios")
  static let names = Fixtures.scenarios.map(\.lastPathComponent)

  private func script(_ name: String) throws -> ScenarioScript {
    try ScenarioFile.loadScript(Self.folder.appendingPathComponent(name).path)
  }

  @Test func `there is a scenario for every status code`() {
    for status in [1, 2, 3, 4, 5, 6, 7, 8, 10, 128, 255] {
      #expect(Self.names.contains { $0.hasPrefix("status-\(status)-") })
    }
    #expect(Self.names.count >= 30)
  }

  @Test func `there is a scenario for every reason that a push can be refused for`() {
    for row in ReasonRow.all where row.isForDevices {
      let word = row.name.lowercased()
      let names = Self.names.filter { $0.hasPrefix("reason-\(row.status)-") }
      #expect(
        names.contains { $0.dropFirst(11).dropLast(5).replacing("-", with: "") == word },
        "\(row.name)"
      )
    }
  }

  @Test(arguments: names) func `each scenario that ships comes out as it says`(name: String) throws {
    let script = try script(name)
    #expect(!script.scenario.name.isEmpty && !script.summary.isEmpty)
    let report = try ScenarioRunner(script).run()
    #expect(!report.outcomes.isEmpty)
    #expect(report.failures == [])
    #expect(report.outcomes.filter { !$0.isSatisfied } == [])
  }

  @Test(arguments: names) func `each scenario that ships notices that nothing was sent`(name: String) throws {
    var script = try script(name)
    script.traffic = []
    #expect(try !ScenarioRunner(script).run().isSatisfied)
  }

  @Test(arguments: names)
  func `each scenario that ships notices a simulator that leaves out its rules, settings or feedback`(
    name: String
  )
    throws
  {
    let original = try script(name)
    let changes: [(inout Scenario) -> Bool] = [
      { scenario in
        defer { scenario.rules = [] }
        return !scenario.rules.isEmpty
      },
      { scenario in
        defer { scenario.settings = [] }
        return scenario.settings.contains { $0.name != "storagePeriod" }
      },
      { scenario in
        defer { scenario.feedback = [] }
        return !scenario.feedback.isEmpty && scenario.rules.isEmpty
      },
    ]
    for change in changes {
      var script = original
      guard change(&script.scenario) else { continue }
      #expect(try !ScenarioRunner(script).run().isSatisfied)
    }
  }

  @Test(arguments: names) func `each scenario that ships gives the same journal twice`(name: String) throws {
    let journals = try (0..<2).map { _ in
      let recorder = Recorder()
      _ = try ScenarioRunner(try script(name), recorder: recorder).run()
      return recorder.bytes
    }
    #expect(journals[0] == journals[1])
    #expect(!journals[0].isEmpty)
  }
}
