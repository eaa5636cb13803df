import APNSimCore

/// Compares the journal of a replay with the recorded one, line by line as they come, and keeps only the lines that the other
/// side has not reached.
final class LineComparison: JournalRecorder, @unchecked Sendable {
  // Used by the one thread that replays.

  /// The first difference.
  struct Parting: Hashable, Sendable {
    /// The lines; nil for a side that has ended.
    var recorded: [UInt8]?
    var replayed: [UInt8]?
  }

  private var recorded = WaitingBytes()
  private var replayed = WaitingBytes()
  private(set) var parting: Parting?
  /// True while lines are compared: no difference was found, and the comparison was not stopped.
  private var isGoingOn = true

  /// Adds a line of the capture, without its newline.
  func addRecorded(_ line: UnsafeRawBufferPointer) {
    guard isGoingOn else { return }
    recorded.bytes.append(contentsOf: line)
    recorded.bytes.append(0x0A)
  }

  /// Adds whole lines of the replay. Where the recorded ones are ahead, as they mostly are, these need not be kept.
  func record(_ lines: UnsafeRawBufferPointer) {
    guard isGoingOn else { return }
    if replayed.count == 0, recorded.starts(with: lines) {
      recorded.drop(lines.count)
    } else {
      replayed.bytes.append(contentsOf: lines)
    }
  }

  /// The number of recorded bytes that the replay has not reached.
  var recordedAhead: Int { recorded.count }

  var replayedAhead: Int { replayed.count }

  /// Compares as far as both sides have come.
  func settle() {
    guard isGoingOn else { return }
    let count = min(recorded.count, replayed.count)
    guard count > 0 else { return }
    let common = recorded.common(with: replayed, of: count)
    guard common == count else { return part(at: common) }
    recorded.drop(count)
    replayed.drop(count)
  }

  /// Stops comparing; the lines that were equal so far stay so.
  func stop() {
    isGoingOn = false
    (recorded, replayed) = (WaitingBytes(), WaitingBytes())
  }

  /// Ends both sides.
  func finish() {
    settle()
    if isGoingOn, recorded.count + replayed.count > 0 { part(at: 0) }
  }

  private func part(at offset: Int) {
    let start =
      recorded.rest.prefix(offset).lastIndex(of: 0x0A).map { $0 + 1 - recorded.rest.startIndex } ?? 0
    parting = Parting(recorded: Self.line(recorded, at: start), replayed: Self.line(replayed, at: start))
    stop()
  }

  private static func line(_ side: WaitingBytes, at offset: Int) -> [UInt8]? {
    let rest = side.rest.dropFirst(offset)
    return rest.isEmpty ? nil : Array(rest.prefix { $0 != 0x0A })
  }
}
