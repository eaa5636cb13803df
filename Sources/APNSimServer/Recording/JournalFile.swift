import APNSimCore
import APNSimSystem
import Dispatch
import Synchronization

/// Records the journal to a file, from a background queue; compressed where the file's name ends in `.gz`.
///
/// The simulator records lines under its lock, so they are copied into a bounded queue and written soon after; a
/// killed process loses a tenth of a second. When the queue is full, the simulator waits for the disk, up to a limit.
/// When the disk fails, the file ends with its last whole line, later lines are counted, and the simulator continues
/// to serve.
package final class JournalFile: JournalRecorder {
  /// Transforms whole lines on their way to the file, and may keep some for later; no bytes ask for these, and nil
  /// means that no more follow. It is used on one queue.
  package typealias Filter = @Sendable (UnsafeRawBufferPointer?) -> [UInt8]

  private struct State {
    var queue: JournalQueue
    /// True if a timer is set that writes everything that waits.
    var isTimed = false
    var failure: OutputFailure?
    /// True once the end has been asked for.
    var isOver = false
    var lostLines = 0
    /// The number of blocks processed, which shows that the disk does not hang.
    var blocks = 0
    /// The number of the number of bytes of the oldest block that are written.
    var done = 0
  }

  /// The result of a recording.
  package struct Result {
    package var lostLines: Int
    package var failure: OutputFailure?
  }

  private let path: String
  private let dispatch: DispatchQueue
  private let state: Mutex<State>
  /// The writer, used on the queue.
  private let writer: Mutex<JournalWriter>
  private let report: @Sendable (OutputFailure) -> Void
  private let notice: @Sendable (String) -> Void
  /// The sequence number up to which the file has the lines, where a recording is continued in it; 0 once that is past.
  private let known: Atomic<UInt64>
  /// The remark on what became of the recording that was at the path; nil if there was none.
  package let remark: String?
  private static let delay = DispatchTimeInterval.milliseconds(100)
  /// The maximum number of waiting bytes; smaller for a costly encoder, for which the simulator has to wait.
  private static let limit = 32 << 20
  private static let costlyLimit = 4 << 20
  private static let longestWait = DispatchTimeInterval.seconds(2)
  static let longestEnd = DispatchTimeInterval.seconds(5)
  /// The interval at which the file is looked at for what others do to it.
  private static let lookTime = DispatchTimeInterval.seconds(1)

  /// - Parameters:
  ///   - path: the file, which is made, or made anew where it is a recording; `-` is the standard output.
  ///   - keepsPrevious: true if a recording that is there is moved aside.
  ///   - continuation: decides whether the recording goes on in the one that is there; nil for no.
  ///   - filter: a transformation of lines before they are written, such as redaction.
  ///   - report: called once with the first error of writing.
  ///   - notice: called with what others have done to the file, once for each kind.
  ///   - earlier: the part of the recording before this one, which is written on the same queue.
  package init(
    path: String,
    keepsPrevious: Bool = false,
    continuation: RecordingContinuation? = nil,
    after earlier: JournalFile? = nil,
    filter: Filter? = nil,
    report: @escaping @Sendable (OutputFailure) -> Void = { _ in },
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(OutputFailure) {
    let encoder = try JournalEncoder(path: path, filter: filter)
    dispatch = earlier?.dispatch ?? DispatchQueue(label: "apnsim.journal")
    state = Mutex(State(queue: JournalQueue(limit: encoder.isCostly ? Self.costlyLimit : Self.limit)))
    var place = RecordingPlace(path, keepsPrevious ? .movedAside : .emptied, continuation)
    let file =
      path == "-"
      ? try Self.standardOutput() : try place.open(continues: earlier != nil)
    writer = Mutex(JournalWriter(file, encoder, after: place.end))
    known = Atomic(place.end?.seq ?? 0)
    self.path = file.path
    remark = place.remark
    self.report = report
    self.notice = notice
    if file.isRegular { watch() }
  }

  private static func standardOutput() throws(OutputFailure) -> SystemFile {
    let name = "the standard output"
    return try OutputFailure.naming(name) { () throws(SystemError) in
      try SystemFile(copyOf: .standardOutput, path: name)
    }
  }

  /// Looks at the file again and again, until the recording is over.
  private func watch() {
    dispatch.asyncAfter(deadline: .now() + Self.lookTime) { [weak self] in
      guard let self, !self.state.withLock({ $0.isOver || $0.failure != nil }) else { return }
      self.look()
      self.watch()
    }
  }

  private func look() {
    settle(writer.withLock { $0.mend() })
    switch writer.withLock({ $0.change() }) {
    case .deleted:
      notice("\(path): the recording was deleted while it is written to; its lines are lost with it")
    case .renamed: notice("\(path): the recording was renamed; it goes on in the file that had this name")
    case nil: break
    }
  }

  /// The first error of writing.
  package var failure: OutputFailure? { state.withLock { $0.failure } }

  package func record(_ lines: UnsafeRawBufferPointer) {
    let lines = withoutKnown(lines)
    guard !lines.isEmpty else { return }
    if append(lines) { return }
    waitForRoom()
    if append(lines) { return }
    fail(
      OutputFailure(path: path, reason: "the disk cannot keep up"),
      losing: JournalWriter.lineCount(lines)
    )
  }

  /// Leaves out what the file has already: a recorder is given a header, and all that the history holds.
  private func withoutKnown(_ lines: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let seq = known.load(ordering: .relaxed)
    guard seq > 0 else { return lines }
    let newline = UInt8(ascii: "\n")
    // Most often none of many lines is new.
    let last = lines.dropLast().lastIndex(of: newline).map { $0 + 1 } ?? 0
    guard let event = RecordingCourse.event(of: lines[last...]), event > seq else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    var start = 0
    while let end = lines[start...].firstIndex(of: newline) {
      if let event = RecordingCourse.event(of: lines[start...]), event > seq { break }
      start = end + 1
    }
    known.store(0, ordering: .relaxed)
    return UnsafeRawBufferPointer(rebasing: lines[start...])
  }

  /// Writes everything that waits, unless the file hangs.
  func settle() {
    let done = DispatchSemaphore(value: 0)
    dispatch.async {
      self.write(.everything)
      done.signal()
    }
    _ = wait(for: done, Self.longestWait)
  }

  /// Writes the rest and returns what was lost. A file that accepts no more bytes, such as a pipe without a reader,
  /// is given up after some seconds.
  package func finish() -> Result { finish(within: Self.longestEnd) }

  /// - Parameter time: the time without progress after which the file is given up.
  func finish(within time: DispatchTimeInterval) -> Result {
    result(of: end(), within: time)
  }

  /// True if the file still has its name, and a new one under that name would be the same.
  var hasItsName: Bool { writer.withLock { $0.hasItsName } }

  /// Begins to write the rest; whatever is recorded to a later part of the recording is written after it.
  /// - Parameter isPart: true if the recording goes on in another file.
  /// - Returns: what is signalled at the end.
  func end(isPart: Bool = false) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    state.withLock { $0.isOver = true }
    dispatch.async {
      self.write(.everything)
      if !isPart { self.look() }
      if let failure = self.writer.withLock({ $0.end(isPart: isPart) }) { self.fail(failure, losing: 0) }
      done.signal()
    }
    return done
  }

  /// Waits for the end that has begun.
  func result(of done: DispatchSemaphore, within time: DispatchTimeInterval = longestEnd) -> Result {
    let isDone = wait(for: done, time)
    return state.withLock { state in
      if isDone { return Result(lostLines: state.lostLines, failure: state.failure) }
      let failure = state.failure ?? OutputFailure(path: path, reason: "it accepts no more bytes")
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

  private func write(_ portion: JournalQueue.Portion) { settle(writer.withLock { $0.write(portion) }) }

  /// Says what became of the file, and counts what was lost.
  private func settle(_ loss: JournalWriter.Loss?) {
    if let event = writer.withLock({ $0.takeBeginning() }) {
      let place = event > 0 ? ", from event \(event) on" : ""
      notice(
        "\(path): the recording was truncated by another program; what that has not copied is lost, and the recording "
          + "continues in the emptied file\(place)"
      )
    }
    guard let loss else { return }
    guard let failure = loss.failure else { return state.withLock { $0.lostLines += loss.lines } }
    fail(failure, losing: loss.lines)
  }

  private func fail(_ failure: OutputFailure, losing count: Int) {
    let isFirst = state.withLock { state in
      state.lostLines += count
      guard state.failure == nil else { return false }
      state.failure = failure
      return true
    }
    if isFirst { report(failure) }
  }
}
