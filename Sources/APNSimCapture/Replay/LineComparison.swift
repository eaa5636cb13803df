/// Compares two journals as they come, line by line, keeping only what the other side has not reached.
struct LineComparison {
  /// The first place where they part.
  struct Parting: Hashable, Sendable {
    /// Nil where that side has no such line.
    var recorded: [UInt8]?
    var replayed: [UInt8]?
  }

  private var recorded = WaitingBytes()
  private var replayed = WaitingBytes()
  private(set) var parting: Parting?
  /// Whether there is more to compare: they have not parted, and nobody has stopped it.
  private var isGoingOn = true

  /// A line of the capture, without its newline.
  mutating func addRecorded(_ line: UnsafeRawBufferPointer) {
    guard isGoingOn else { return }
    recorded.bytes.append(contentsOf: line)
    recorded.bytes.append(0x0A)
  }

  /// Whole lines of the replay. Where the recorded ones are ahead, as they mostly are, these need not be kept.
  mutating func addReplayed(_ lines: UnsafeRawBufferPointer) {
    guard isGoingOn else { return }
    if replayed.count == 0, recorded.starts(with: lines) {
      recorded.drop(lines.count)
    } else {
      replayed.bytes.append(contentsOf: lines)
    }
  }

  /// Recorded bytes to which the replay has not come.
  var recordedAhead: Int { recorded.count }

  var replayedAhead: Int { replayed.count }

  /// Compares as far as both sides have come.
  mutating func settle() {
    guard isGoingOn else { return }
    let count = min(recorded.count, replayed.count)
    guard count > 0 else { return }
    let common = recorded.common(with: replayed, of: count)
    guard common == count else { return part(at: common) }
    recorded.drop(count)
    replayed.drop(count)
  }

  /// Nothing more is compared; what was the same stays the same.
  mutating func stop() {
    isGoingOn = false
    (recorded, replayed) = (WaitingBytes(), WaitingBytes())
  }

  /// Both sides have ended.
  mutating func finish() {
    settle()
    if isGoingOn, recorded.count + replayed.count > 0 { part(at: 0) }
  }

  private mutating func part(at offset: Int) {
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
