import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Foundation
import Testing

/// The scenarios that shipped with version 0.1.0, in fixtures/0.1: kept as they were, whatever becomes of those that ship.
@Suite struct `A scenario of version 0.1.0` {
  private static let folder = Fixtures.root.appendingPathComponent("0.1/scenarios")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test func `the scenarios of version 0.1.0 are kept, all forty of them`() {
    #expect(Self.names.count == 40)
  }

  @Test(arguments: names) func `a scenario of version 0.1.0 is read and comes out as it says`(name: String)
    throws
  {
    let script = try ScenarioFile.loadScript(Self.folder.appendingPathComponent(name).path)
    #expect(!script.scenario.name.isEmpty && !script.summary.isEmpty)
    let report = try ScenarioRunner(script).run()
    #expect(!report.outcomes.isEmpty)
    #expect(report.failures == [])
    #expect(report.outcomes.filter { !$0.isSatisfied } == [])
  }
}
