internal import APNSimCore
internal import Dispatch
internal import Synchronization

/// Records the journal to a file, from a background queue; compressed where the file's name ends in `.gz`.
///
/// The simulator hands lines over under its lock, so they are copied into a bounded queue and written soon after; a
/// process that is killed loses a tenth of a second. When the queue is full the simulator waits for the disk, up to a
/// limit. When the disk fails, the file ends with its last whole line, what follows is counted, and the simulator
/// serves on.
package final class JournalFile: JournalRecorder {
  /// Changes whole lines on their way to the file, and may keep some for later; nil says that no more follow. Used by
  /// one queue.
  package typealias Filter = @Sendable (UnsafeRawBufferPointer?) -> [UInt8]

  private struct State {
    var queue: JournalQueue
    /// Whether a moment is set at which everything that waits is written.
    var isTimed = false
    var failure: OutputFile.Failure?
    var lostLines = 0
    /// Blocks that were dealt with: what shows that the disk does not hang.
    var blocks = 0
    /// Bytes of the oldest block that are written.
    var done = 0
  }

  /// What became of a recording.
  package struct Result {
    package var lostLines: Int
    package var failure: OutputFile.Failure?
  }

  private let path: String
  private let dispatch = DispatchQueue(label: "apnsim.journal")
  private let state: Mutex<State>
  /// Used on the queue.
  private let writer: Mutex<JournalWriter>
  private let report: @Sendable (OutputFile.Failure) -> Void
  private static let delay = DispatchTimeInterval.milliseconds(100)
  /// Most bytes that wait; fewer where the writing itself takes time, which the simulator has to wait for.
  private static let limit = 32 << 20
  private static let costlyLimit = 4 << 20
  private static let longestWait = DispatchTimeInterval.seconds(2)
  private static let longestEnd = DispatchTimeInterval.seconds(5)

  /// - Parameters:
  ///   - path: the file, made or emptied; `-` is the standard output.
  ///   - filter: what becomes of lines before they are written, as redaction.
  ///   - report: called once, with the first error of writing.
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

  /// Writes out what is left and says what was lost. What takes no more bytes, as a pipe that nobody reads, is given
  /// up after some seconds.
  package func finish() -> Result { finish(within: Self.longestEnd) }

  /// - Parameter time: how long nothing may be written until it is given up.
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
    _ = wait(for: done, Self.longestWait)
  }

  /// Waits for the queue for as long as it writes a block within the time.
  /// - Returns: false when it does not.
  private func wait(for done: DispatchSemaphore, _ time: DispatchTimeInterval) -> Bool {
    var before: Int
    repeat {
      before = state.withLock { $0.blocks }
      if done.wait(timeout: .now() + time) == .success { return true }
    } while state.withLock { $0.blocks } > before
    return false
  }

  /// Writes what has gathered; only on the queue.
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
