import APNSimTestSupport
import APNSimWire
import Synchronization
import Testing

@testable import APNSimCore

/// The commands and scenarios of a run, found again by their texts.
final class MemoryTexts: StateTexts {
  private let commands = Mutex<[[UInt8]: Command]>([:])
  private let scenarios = Mutex<[[UInt8]: Scenario]>([:])

  struct Unknown: Error {}

  func remember(_ command: Command) {
    commands.withLock { $0[Self.text(command.write)] = command }
    if case .replaceScenario(let scenario) = command {
      remember(scenario)
    }
  }

  func remember(_ scenario: Scenario) {
    scenarios.withLock { $0[Self.text(scenario.write)] = scenario }
    for rule in scenario.rules { remember(.addRule(rule)) }
  }

  func command(_ json: [UInt8]) throws -> Command {
    guard let command = commands.withLock({ $0[json] }) else { throw Unknown() }
    return command
  }

  func scenario(_ json: [UInt8]) throws -> Scenario {
    guard let scenario = scenarios.withLock({ $0[json] }) else { throw Unknown() }
    return scenario
  }

  private static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }
}

/// A run whose inputs are kept: what came of them, and the same again from a log or from a snapshot on.
final class KeptRun {
  let configuration: Configuration
  let scenario: Scenario
  let simulator: Simulator
  let log = MemoryLog()
  let texts = MemoryTexts()
  let journal: MemoryJournal
  /// Snapshots with the number of entries before each, taken while the run went on.
  private(set) var snapshots: [(entries: Int, bytes: [UInt8])] = []

  init(_ configuration: Configuration, _ scenario: Scenario, isRecorded: Bool = true) throws {
    (self.configuration, self.scenario) = (configuration, scenario)
    simulator = try Simulator(configuration: configuration, scenario: scenario, seed: 7, start: Moment.start)
    journal = MemoryJournal(simulator)
    if !isRecorded { simulator.remove(journal) }
    texts.remember(scenario)
    simulator.keep(in: log)
  }

  /// Carries a command out, or not, as it may be.
  func perform(_ command: Command, at now: Timestamp) {
    texts.remember(command)
    try? simulator.perform(command, at: now)
  }

  static func bytes(of simulator: Simulator) -> [UInt8] { simulator.writeState().array }

  func snapshot() { snapshots.append((log.entries.count, Self.bytes(of: simulator))) }

  func read(_ bytes: [UInt8]) throws -> Simulator {
    try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      return try Simulator(
        reading: &state,
        texts: texts,
        configuration: configuration,
        scenario: scenario,
        seed: 7
      )
    }
  }

  func apply(_ entries: some Sequence<[UInt8]>, to simulator: Simulator) throws {
    for entry in entries {
      try entry.withUnsafeBytes { try simulator.apply(entry: $0, texts: texts) }
    }
  }

  /// Expects the same journal and the same state from the log alone, and from each snapshot with the rest of it.
  func expectTheSameAgain(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let entries = log.entries
    #expect(!entries.isEmpty, sourceLocation: sourceLocation)
    let again = try Simulator(configuration: configuration, scenario: scenario, seed: 7, start: Moment.start)
    let second = MemoryJournal(again)
    try apply(entries, to: again)
    expect(second.text, is: journal.text, "from the log", sourceLocation)
    let end = Self.bytes(of: again)
    for snapshot in snapshots {
      let restored = try read(snapshot.bytes)
      #expect(Self.bytes(of: restored) == snapshot.bytes, sourceLocation: sourceLocation)
      let rest = MemoryJournal(restored)
      try apply(entries[snapshot.entries...], to: restored)
      expect(rest.text, is: journal.text, "from the snapshot after \(snapshot.entries)", sourceLocation)
      if let difference = Self.difference(Self.bytes(of: restored), end) {
        Issue.record("after snapshot \(snapshot.entries): \(difference)", sourceLocation: sourceLocation)
      }
    }
  }

  /// The first difference of two states, by its part; nil where there is none. Histories are not compared: their records
  /// have room between their members, and journals say the same of them.
  static func difference(_ one: [UInt8], _ other: [UInt8]) -> String? {
    let (one, other) = (withoutHistory(one), withoutHistory(other))
    guard one != other else { return nil }
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
    var (start, number, size) = (0, 0, 0)
    while start + 12 <= one.count {
      size = one[(start + 4)..<(start + 12)].reversed().reduce(0) { $0 << 8 | Int($1) }
      if place < start + 12 + size { break }
      start += 12 + size
      number += 1
    }
    let range = max(0, place - 16)..<min(one.count, other.count, place + 16)
    return """
      \(one.count) and \(other.count) bytes, first at \(place - start - 12) of the \(size) of part \(number):
      \(one[range])
      \(other[range])
      """
  }

  private static func withoutHistory(_ bytes: [UInt8]) -> [UInt8] {
    var (rest, kept) = (bytes[...], [UInt8]())
    while rest.count >= 12 {
      let size = rest.dropFirst(4).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      let part = rest.prefix(12 + size)
      let mark = part.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      if mark != StateWriter.mark("history") { kept += part }
      rest = rest.dropFirst(12 + size)
    }
    return kept
  }

  private func expect(
    _ text: String,
    is expected: String,
    _ what: String,
    _ sourceLocation: SourceLocation
  ) {
    let (found, wanted) = (text.split(separator: "\n"), expected.split(separator: "\n"))
    // The header of a journal that begins later says so, and what was cleared before is not in it.
    let tail = wanted.dropFirst().suffix(max(0, found.count - 1))
    guard !found.dropFirst().elementsEqual(tail) || found.isEmpty else { return }
    let place = zip(found.dropFirst(), tail).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = place.map { $0 + 1 } ?? min(found.count, wanted.count)
    Issue.record(
      """
      \(what): \(found.count) lines instead of \(wanted.count); line \(line):
      \(found.indices.contains(line) ? found[line] : "none")
      \(wanted.indices.contains(line) ? wanted[line] : "none")
      """,
      sourceLocation: sourceLocation
    )
  }
}
