internal import APNSimCore
internal import Dispatch
internal import Synchronization

/// Records the journal to a file, from a background queue.
///
/// The simulator hands lines over under its lock, so they are copied into a bounded queue and written soon after; a
/// process that is killed loses a tenth of a second. When the queue is full the simulator waits for the disk, up to a
/// limit. When the disk fails, the file ends with its last whole line, what follows is counted, and the simulator
/// serves on.
final class JournalFile: JournalRecorder {
  private struct State {
    var queue = JournalQueue(limit: JournalFile.limit)
    /// Whether a moment is set at which everything that waits is written.
    var isTimed = false
    var failure: OutputFile.Failure?
    var lostLines = 0
  }

  /// What became of a recording.
  struct Result {
    var lostLines: Int
    var failure: OutputFile.Failure?
  }

  private let path: String
  private let dispatch = DispatchQueue(label: "apnsim.journal")
  private let state = Mutex(State())
  /// Used on the queue only.
  private let writer: Mutex<JournalWriter>
  private let report: @Sendable (OutputFile.Failure) -> Void
  private static let delay = DispatchTimeInterval.milliseconds(100)
  private static let limit = 32 << 20
  private static let longestWait = DispatchTimeInterval.seconds(2)

  /// - Parameter report: called once, with the first error of writing.
  init(path: String, report: @escaping @Sendable (OutputFile.Failure) -> Void) throws(OutputFile.Failure) {
    self.path = path
    writer = Mutex(JournalWriter(try OutputFile(path: path)))
    self.report = report
  }

  func record(_ lines: UnsafeRawBufferPointer) {
    if append(lines) { return }
    waitForRoom()
    if append(lines) { return }
    fail(
      OutputFile.Failure(path: path, reason: "the disk does not keep up"),
      losing: JournalWriter.lineCount(lines)
    )
  }

  /// Writes out what is left and says what was lost.
  func finish() -> Result {
    dispatch.sync { write(.everything) }
    return state.withLock { Result(lostLines: $0.lostLines, failure: $0.failure) }
  }

  /// False when there is no room.
  private func append(_ lines: UnsafeRawBufferPointer) -> Bool {
    let (filled, startsTimer) = state.withLock { state -> (Int?, Bool) in
      guard state.failure == nil else {
        state.lostLines += JournalWriter.lineCount(lines)
        return (0, false)
      }
      guard let filled = state.queue.append(lines) else { return (nil, false) }
      defer { state.isTimed = true }
      return (filled, !state.isTimed)
    }
    guard let filled else { return false }
    if filled > 0 { dispatch.async { self.write(.full) } }
    if startsTimer { dispatch.asyncAfter(deadline: .now() + Self.delay) { self.write(.everything) } }
    return true
  }

  /// Holds the simulator up until the disk has caught up, unless it hangs.
  private func waitForRoom() {
    let done = DispatchSemaphore(value: 0)
    dispatch.async {
      self.write(.full)
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.longestWait)
  }

  /// Writes what has gathered; only on the queue.
  private func write(_ what: JournalQueue.Part) {
    let waiting = state.withLock { state in
      if what == .everything { state.isTimed = false }
      return state.queue.waiting(what)
    }
    let loss = writer.withLock { $0.write(waiting) }
    state.withLock { $0.queue.giveBack(waiting.full) }
    guard let loss else { return }
    guard let failure = loss.failure else { return state.withLock { $0.lostLines += loss.lines } }
    fail(failure, losing: loss.lines)
  }

  private func fail(_ failure: OutputFile.Failure, losing count: Int) {
    let isFirst = state.withLock { state in
      state.lostLines += count
      guard state.failure == nil else { return false }
      state.failure = failure
      return true
    }
    if isFirst { report(failure) }
  }
}
