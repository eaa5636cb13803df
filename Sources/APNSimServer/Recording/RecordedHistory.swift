import APNSimCore

/// The history of a simulator that was restored, beside the recording that an earlier process made of it.
struct RecordedHistory {
  let simulator: Simulator
  /// The seed with which it began; a scenario may have brought another since.
  let seed: UInt64
  /// True if what is recorded is redacted, with the pseudonyms of before.
  let isRedacted: Bool

  /// True if the next line belongs where a recording ends: it is one of this history, its last event is there, or the history
  /// was cleared directly after it, and nothing is missing in between.
  func goesOn(after end: RecordingEnd) -> Bool {
    guard end.isRedacted == isRedacted else { return false }
    let journal = simulator.readJournalSoFar(from: end.seq)
    // Events that were lost with the power are not made up for: the file has what the state has not.
    guard end.seq < journal.end else { return false }
    let slice = journal.reader.next(maxBytes: 1)
    guard let first = slice.marks.first else { return end.seq + 1 == journal.end && end.seed == seed }
    guard first.seq == end.seq else { return first.seq == end.seq + 1 && end.seed == seed }
    let line = slice.lines[..<first.newline]
    guard isRedacted else { return line.elementsEqual(end.last) }
    return Self.beginning(of: line).elementsEqual(Self.beginning(of: end.last[...]))
  }

  /// The part of a line that redaction leaves as it is: number, time and kind of the event.
  private static func beginning(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var members = 0
    return line.prefix { byte in
      if byte == UInt8(ascii: ",") { members += 1 }
      return members < 3
    }
  }
}
