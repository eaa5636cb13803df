import APNSimScenario
import APNSimServer
import APNSimWire
import Synchronization

/// A capture that is being written: whole lines only, whatever happens.
///
/// The file is made, or emptied, at its first line: an absent server costs nobody a recording.
final class RecordFile: Sendable {
  private struct State {
    var journal: JournalFile?
    var events = 0
    var missed = 0
    var beginning: UInt64?
  }

  private let state = Mutex(State())
  private let path: String
  private let filter: JournalFile.Filter?

  init(_ path: String, filter: JournalFile.Filter? = nil) { (self.path, self.filter) = (path, filter) }

  /// The number of events written, and of those known to be missing.
  var counts: (events: Int, missed: Int) { state.withLock { ($0.events, $0.missed) } }

  /// True once a line has been written.
  var isBegun: Bool { state.withLock { $0.journal != nil } }

  /// The number of the first event, where it is not the first that ever was.
  var beginning: UInt64? { state.withLock { $0.beginning } }

  func noteBeginning(_ seq: UInt64) { state.withLock { $0.beginning = seq } }

  func noteMissed(_ count: UInt64) { state.withLock { $0.missed.add(saturating: Int(clamping: count)) } }

  /// Appends one line, which is written soon.
  /// - Parameter line: without a newline.
  /// - Throws: `CommandFailure` with status 73 when the file or the lines before it could not be written.
  func append(_ line: some Collection<UInt8>, isEvent: Bool = true) throws(CommandFailure) {
    let journal = try opened()
    (Array(line) + [UInt8(ascii: "\n")]).withUnsafeBytes { journal.record($0) }
    if isEvent { state.withLock { $0.events += 1 } }
    if let failure = journal.failure { throw CommandFailure(failure) }
  }

  /// Writes the rest and closes the file.
  /// - Throws: `CommandFailure` with status 73 when not everything could be written.
  func close() throws(CommandFailure) {
    guard let result = state.withLock({ $0.journal })?.finish() else { return }
    state.withLock { $0.events = max(0, $0.events - result.lostLines) }
    if let failure = result.failure { throw CommandFailure(failure) }
  }

  private func opened() throws(CommandFailure) -> JournalFile {
    try state.withLock { state throws(CommandFailure) in
      if let journal = state.journal { return journal }
      let journal = try JournalFile.open(path, filter: filter) {
        Output.note("apnsim: warning: \($0)")
      }
      state.journal = journal
      return journal
    }
  }
}
