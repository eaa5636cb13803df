import APNSimCore
import APNSimScenario
import APNSimState

/// A simulator in the situation of a row, with all who look on.
final class Situation {
  let simulator: Simulator
  private let reader: JournalReader?

  init(_ row: Row) throws {
    var configuration = Configuration()
    if let keep = row.keep { configuration.limits.keep = keep }
    simulator = try Simulator(
      configuration: configuration,
      scenario: row.scenario.map { try ScenarioFile.parse($0, name: "the row's scenario") } ?? Scenario(),
      seed: row.seed,
      start: Timestamp(seconds: row.start)
    )
    if row.isRecorded { simulator.add(Recorder()) }
    if row.isKept { simulator.keep(in: Log()) }
    if let text = row.wait {
      _ = simulator.wait(for: try WaitBody.read(text).query, from: .now) { _ in }
    }
    reader = row.isStreamed ? simulator.readJournal { $0 } : nil
  }

  /// Readers of the journal take what has happened.
  func follow() {
    guard let reader else { return }
    while !reader.next().isLast {}
  }

  /// - Returns: false where something else became of one of the last notifications than of those that are accepted.
  func hasAccepted(_ count: Int) -> Bool {
    let last = simulator.notifications(limit: count)
    return last.count == count && last.allSatisfy { $0.outcome == .delivered || $0.outcome == .stored }
  }
}

/// A recorder as the file of a recording is one while there is room: it copies the lines.
private final class Recorder: JournalRecorder, @unchecked Sendable {
  // Used under the simulator's lock.
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 22, alignment: 16)

  deinit { room.deallocate() }

  func record(_ lines: UnsafeRawBufferPointer) {
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: lines.prefix(room.count)))
  }
}

/// A log as files are one while there is room in the present segment.
private final class Log: InputLog, @unchecked Sendable {
  // Used under the simulator's lock.
  private let segment = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 24, alignment: 16)
  private var used = 0
  private var number: UInt64 = 0

  deinit { segment.deallocate() }

  func makeRoom(for byteCount: Int) -> Bool { LogEntry.byteCount(of: byteCount) <= segment.count - used }

  func append(_ head: UnsafeRawBufferPointer, _ bulk: UnsafeRawBufferPointer) {
    guard let start = segment.baseAddress else { return }
    number += 1
    LogEntry.write(number, head, bulk, to: start + used)
    used += LogEntry.byteCount(of: head.count + bulk.count)
  }

  func noteGap() {}
}
