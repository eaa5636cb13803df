import APNSimCore
import APNSimWire

/// Compares the journal of a replay with the recorded one.
final class ReplayJournal: JournalRecorder, @unchecked Sendable {
  // Used by the one thread that replays.
  var comparison = LineComparison()

  func record(_ lines: UnsafeRawBufferPointer) { comparison.addReplayed(lines) }
}

extension LineComparison {
  /// The first line, with its newline.
  mutating func addRecorded(headerLine: [UInt8]) { headerLine.withUnsafeBytes { addRecorded($0) } }
}

/// Gathers the actions that are due on connections by time or by command.
final class ReplayOutlet: EffectOutlet, @unchecked Sendable {
  // Used by the one thread that replays.
  private var actions: [(ConnectionID, GatewayAction)] = []
  private var answers: [(ConnectionID, RequestActions)] = []

  func perform(_ actions: RequestActions, on connection: ConnectionID) {
    answers.append((connection, actions))
  }

  @inline(__always)
  func takeAnswers() -> [(ConnectionID, RequestActions)] {
    guard !answers.isEmpty else { return [] }
    defer { answers = [] }
    return answers
  }

  func perform(_ action: GatewayAction, on connection: ConnectionID) { actions.append((connection, action)) }

  func end(_ connection: ConnectionID, _ how: KillMode) {
    // A capture has a shutdown as the listener's actions.
    guard how != .shutdown else { return }
    var action = GatewayAction.none
    action.ending = how == .reset ? .reset : .drain
    perform(action, on: connection)
  }

  @inline(__always)
  func take() -> [(ConnectionID, GatewayAction)] {
    guard !actions.isEmpty else { return [] }
    defer { actions = [] }
    return actions
  }
}

/// Marks the journal of a redacted capture's replay as redacted, in its first line.
final class RedactedJournal: JournalRecorder, @unchecked Sendable {
  // Used by the one thread that replays.
  private let recorder: any JournalRecorder
  private var isAtStart = true

  init(_ recorder: any JournalRecorder) { self.recorder = recorder }

  func record(_ lines: UnsafeRawBufferPointer) {
    guard isAtStart else { return recorder.record(lines) }
    isAtStart = false
    var header = Array(lines)
    let place = header.firstRange(of: Array(#""seed":"#.utf8))?.lowerBound ?? header.endIndex
    header.insert(contentsOf: CaptureHeader.redactedMember, at: place)
    header.withUnsafeBytes { recorder.record($0) }
  }
}
