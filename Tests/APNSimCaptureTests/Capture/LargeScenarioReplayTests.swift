import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Testing

@testable import APNSimCapture

@Suite struct `A scenario that is larger written out than any file` {
  @Test func `a scenario that is larger written out than any file is replayed from a journal's command`()
    throws
  {
    let much = String(repeating: "x", count: 1 << 20)
    let text =
      "rules:\n- { when: { payload: { aps.alert: { not: &much \(much) } } }, reply: 8 }\n"
      + String(repeating: "- { when: { payload: { aps.alert: { not: *much } } }, reply: 8 }\n", count: 3)
    let scenario = try ScenarioFile.parse(text, name: "much.yaml")
    let start = Timestamp(seconds: 1_338_508_800)
    let simulator = try Simulator(configuration: Configuration(), scenario: Scenario(), seed: 1, start: start)
    let journal = MemoryJournal(simulator)
    try simulator.perform(.replaceScenario(scenario), at: start)
    let lines = journal.text.split(separator: "\n").map(String.init)
    #expect(lines.count { $0.utf8.count > DocumentLimits.bytes } == 1)
    let result = try Replay(NativeCapture.reader(lines)).run()
    #expect(result.isSame && result.comparesJournal && result.commands.unknown == 0)
  }
}
