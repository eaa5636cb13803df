import APNSimCore

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
