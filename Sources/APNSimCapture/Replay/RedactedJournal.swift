internal import APNSimCore
internal import APNSimWire

/// Says in the first line of a journal what a replay of a redacted capture would leave out: that it is redacted.
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
