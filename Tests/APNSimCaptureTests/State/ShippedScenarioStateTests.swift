import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// Scenarios as they ship, whose inputs are kept: their texts are read back as a journal's are.
@Suite struct `The state of each scenario that ships` {
  private static let folder = Fixtures.root.appendingPathComponent("scenarios")
  private static let texts = WrittenTexts()

  @Test(arguments: Fixtures.scenarios.map(\.lastPathComponent))
  func `the state of a shipped scenario comes again from its inputs, read back after each of them`(
    name: String
  ) throws {
    let script = try ScenarioFile.loadScript(Self.folder.appendingPathComponent(name).path)
    let runner = try ScenarioRunner(script)
    let journal = MemoryJournal(runner.simulator)
    let log = MemoryLog()
    let (start, scenario) = (runner.simulator.writeState().array, runner.simulator.scenario)
    runner.simulator.keep(in: log)
    #expect(runner.run().isSatisfied)
    #expect(!log.entries.isEmpty)

    let whole = try read(start, runner, scenario)
    let pieces = Kept(simulator: try read(start, runner, scenario))
    let again = MemoryJournal(whole)
    for entry in log.entries {
      try entry.withUnsafeBytes { try whole.apply(entry: $0, texts: Self.texts) }
      try entry.withUnsafeBytes { try pieces.simulator.apply(entry: $0, texts: Self.texts) }
      pieces.simulator = try read(pieces.simulator.writeState().array, runner, scenario)
    }
    #expect(Self.lines(again).elementsEqual(Self.lines(journal)))
    #expect(Self.lines(MemoryJournal(pieces.simulator)).elementsEqual(Self.lines(MemoryJournal(whole))))
    #expect(pieces.simulator.outcomeCounts == runner.simulator.outcomeCounts)
  }

  private final class Kept {
    var simulator: Simulator

    init(simulator: Simulator) { self.simulator = simulator }
  }

  /// The lines after the header.
  private static func lines(_ journal: MemoryJournal) -> ArraySlice<Substring> {
    journal.text.split(separator: "\n").dropFirst()
  }

  private func read(_ bytes: [UInt8], _ runner: ScenarioRunner, _ scenario: Scenario) throws -> Simulator {
    try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      return try Simulator(
        reading: &state,
        texts: Self.texts,
        configuration: runner.simulator.configuration,
        scenario: scenario,
        seed: runner.simulator.seed
      )
    }
  }
}

extension Simulator {
  fileprivate var outcomeCounts: [UInt64] {
    var counts = [UInt64](repeating: 0, count: 256)
    _ = countOutcomes(from: 1, into: &counts)
    return counts
  }
}
