import APNSimCore
import Dispatch
import Synchronization

/// Records the journal to a file, from a background queue; compressed where the file's name ends in `.gz`.
///
/// The simulator records lines under its lock, so they are copied into a bounded queue and written soon after; a
/// killed process loses a tenth of a second. When the queue is full, the simulator waits for the disk, up to a limit.
/// When the disk fails, the file ends with its last whole line, later lines are counted, and the simulator continues
/// to serve.
package final class JournalFile: JournalRecorder {
  /// Transforms whole lines on their way to the file, and may keep some for later; nil means that no more follow. It is
  /// used on one queue.
  package typealias Filter = @Sendable (UnsafeRawBufferPointer?) -> [UInt8]

  private struct State {
    var queue: JournalQueue
    /// True if a timer is set that writes everything that waits.
    var isTimed = false
    var failure: OutputFile.Failure?
    var lostLines = 0
    /// The number of blocks processed, which shows that the disk does not hang.
    var blocks = 0
    /// The number of the number of bytes of the oldest block that are written.
    var done = 0
  }

  /// The result of a recording.
  package struct Result {
    package var lostLines: Int
    package var failure: OutputFile.Failure?
  }

  private let path: String
  private let dispatch = DispatchQueue(label: "apnsim.journal")
  private let state: Mutex<State>
  /// The writer, used on the queue.
  private let writer: Mutex<JournalWriter>
  private let report: @Sendable (OutputFile.Failure) -> Void
  private static let delay = DispatchTimeInterval.milliseconds(100)
  /// The maximum number of waiting bytes; smaller for a costly encoder, for which the simulator has to wait.
  private static let limit = 32 << 20
  private static let costlyLimit = 4 << 20
  private static let longestWait = DispatchTimeInterval.seconds(2)
  private static let longestEnd = DispatchTimeInterval.seconds(5)

  /// - Parameters:
  ///   - path: the file, which is made or emptied; `-` is the standard output.
  ///   - filter: a transformation of lines before they are written, such as redaction.
  ///   - report: called once with the first error of writing.
  package init(
    path: String,
    filter: Filter? = nil,
    report: @escaping @Sendable (OutputFile.Failure) -> Void = { _ in }
  ) throws(OutputFile.Failure) {
    let encoder = try JournalEncoder(path: path, filter: filter)
    state = Mutex(State(queue: JournalQueue(limit: encoder.isCostly ? Self.costlyLimit : Self.limit)))
    let file =
      path == "-" ? try OutputFile(standardOutput: "the standard output") : try OutputFile(path: path)
    writer = Mutex(JournalWriter(file, encoder))
    self.path = file.path
    self.report = report
  }

  /// The first error of writing.
  package var failure: OutputFile.Failure? { state.withLock { $0.failure } }

  package func record(_ lines: UnsafeRawBufferPointer) {
    if append(lines) { return }
    waitForRoom()
    if append(lines) { return }
    fail(
      OutputFile.Failure(path: path, reason: "the disk cannot keep up"),
      losing: JournalWriter.lineCount(lines)
    )
  }

  /// Writes the rest and returns what was lost. A file that accepts no more bytes, such as a pipe without a reader,
  /// is given up after some seconds.
  package func finish() -> Result { finish(within: Self.longestEnd) }

  /// - Parameter time: the time without progress after which the file is given up.
  func finish(within time: DispatchTimeInterval) -> Result {
    let done = DispatchSemaphore(value: 0)
    dispatch.async {
      self.write(.everything)
      if let failure = self.writer.withLock({ $0.end() }) { self.fail(failure, losing: 0) }
      done.signal()
    }
    let isDone = wait(for: done, time)
    return state.withLock { state in
      if isDone { return Result(lostLines: state.lostLines, failure: state.failure) }
      let failure = state.failure ?? OutputFile.Failure(path: path, reason: "it accepts no more bytes")
      state.failure = failure
      return Result(lostLines: state.lostLines + state.queue.lineCount(after: state.done), failure: failure)
    }
  }

  /// Queues lines; false when there is no room.
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

  /// Blocks the simulator until the disk has caught up, unless it hangs.
  private func waitForRoom() {
    let done = DispatchSemaphore(value: 0)
    dispatch.async {
      self.write(.full)
      done.signal()
    }
    _ = wait(for: done, Self.longestWait)
  }

  /// Waits for the queue as long as it writes one block within each interval of the time.
  /// - Returns: false if it does not.
  private func wait(for done: DispatchSemaphore, _ time: DispatchTimeInterval) -> Bool {
    var before: Int
    repeat {
      before = state.withLock { $0.blocks }
      if done.wait(timeout: .now() + time) == .success { return true }
    } while state.withLock { $0.blocks } > before
    return false
  }

  /// Writes the gathered lines; called on the queue.
  private func write(_ part: JournalQueue.Part) {
    if part == .everything { state.withLock { $0.isTimed = false } }
    while let portion = state.withLock({ $0.queue.take(part) }) {
      write(portion)
      guard portion.isFull else { return state.withLock { $0.done = portion.count } }
      state.withLock { state in
        state.queue.giveBack(portion.block)
        state.blocks += 1
        state.done = 0
      }
    }
  }

  private func write(_ portion: JournalQueue.Portion) {
    guard let loss = writer.withLock({ $0.write(portion) }) else { return }
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
