internal import APNSimCore
internal import Dispatch
internal import Synchronization

/// Records the journal to a file, from a background queue; compressed where the file's name ends in `.gz`.
///
/// The simulator hands lines over under its lock, so they are copied into a bounded buffer and written soon after;
/// a process that is killed loses a tenth of a second. When the buffer is full the simulator waits for the disk, up
/// to a limit. When the disk fails, the file ends with its last whole line, what follows is counted, and the
/// simulator serves on.
package final class JournalFile: JournalRecorder {
  /// Changes whole lines on their way to the file; used by one queue.
  package typealias Filter = @Sendable (UnsafeRawBufferPointer) -> [UInt8]

  private struct State {
    var buffer: [UInt8] = []
    var isScheduled = false
    /// Bytes in the file that whole lines came to.
    var written: Int64 = 0
    var failure: OutputFile.Failure?
    /// The file itself failed, so that nothing may be written behind what it has.
    var isBroken = false
    var lostLines = 0
  }

  /// What became of a recording.
  package struct Result {
    package var lostLines: Int
    package var failure: OutputFile.Failure?
  }

  private let file: OutputFile
  /// Used on the queue.
  private let encoder: Mutex<JournalEncoder>
  private let limit: Int
  private let queue = DispatchQueue(label: "apnsim.journal")
  private let state = Mutex(State())
  private let report: @Sendable (OutputFile.Failure) -> Void
  private static let delay = DispatchTimeInterval.milliseconds(100)
  private static let writeAt = 1 << 20
  /// Most bytes that wait; fewer where the writing itself takes time, which the simulator has to wait for.
  private static let limit = 32 << 20
  private static let costlyLimit = 4 << 20
  private static let longestWait = DispatchTimeInterval.seconds(2)

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
    limit = encoder.isCostly ? Self.costlyLimit : Self.limit
    self.encoder = Mutex(encoder)
    file = path == "-" ? try OutputFile(standardOutput: "the standard output") : try OutputFile(path: path)
    self.report = report
  }

  /// The first error of writing.
  package var failure: OutputFile.Failure? { state.withLock { $0.failure } }

  package func record(_ lines: UnsafeRawBufferPointer) {
    if !append(lines) {
      waitForRoom()
      if !append(lines) { lose(lines) }
    }
  }

  /// Writes out what is left and says what was lost.
  package func finish() -> Result {
    queue.sync {
      write()
      end()
    }
    return state.withLock { Result(lostLines: $0.lostLines, failure: $0.failure) }
  }

  /// False when there is no room.
  private func append(_ lines: UnsafeRawBufferPointer) -> Bool {
    let (hasRoom, schedule) = state.withLock { state -> (Bool, DispatchTimeInterval?) in
      guard state.failure == nil else {
        state.lostLines += Self.count(lines)
        return (true, nil)
      }
      guard state.buffer.isEmpty || state.buffer.count + lines.count <= limit else {
        return (false, nil)
      }
      let before = state.buffer.count
      state.buffer.append(contentsOf: lines)
      let isLarge = before < Self.writeAt && state.buffer.count >= Self.writeAt
      guard !state.isScheduled || isLarge else { return (true, nil) }
      state.isScheduled = true
      return (true, isLarge ? .seconds(0) : Self.delay)
    }
    if let schedule { queue.asyncAfter(deadline: .now() + schedule) { self.write() } }
    return hasRoom
  }

  /// Holds the simulator up until the disk has caught up, unless it hangs.
  private func waitForRoom() {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.longestWait)
  }

  private func lose(_ lines: UnsafeRawBufferPointer) {
    let count = Self.count(lines)
    fail(OutputFile.Failure(path: file.path, reason: "the disk does not keep up"), losing: count)
  }

  /// Writes what has gathered; only on the queue.
  private func write() {
    let (bytes, isBroken) = state.withLock { state in
      state.isScheduled = false
      defer { state.buffer = [] }
      return (state.buffer, state.isBroken)
    }
    guard !bytes.isEmpty else { return }
    guard !isBroken else { return state.withLock { $0.lostLines += bytes.withUnsafeBytes(Self.count) } }
    switch encoder.withLock({ encoder in bytes.withUnsafeBytes { encoder.encode($0) { file.write($0) } } }) {
    case .success(let count): state.withLock { $0.written += Int64(count) }
    case .failure(let failure):
      giveUp()
      bytes.withUnsafeBytes { fail(failure, losing: Self.count($0)) }
    }
  }

  /// Writes what belongs behind the last line; only on the queue.
  private func end() {
    guard !state.withLock({ $0.isBroken }) else { return }
    if let failure = encoder.withLock({ $0.ending.withUnsafeBytes { file.write($0) } }) {
      giveUp()
      fail(failure, losing: 0)
    }
  }

  /// The file ends with the last line that stands in it as a whole.
  private func giveUp() {
    let written = state.withLock { state in
      state.isBroken = true
      return state.written
    }
    file.truncate(to: written)
    // There may be room for these few bytes now.
    if encoder.withLock({ $0.ending.withUnsafeBytes { file.write($0) } }) != nil {
      file.truncate(to: written)
    }
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

  private static func count(_ lines: UnsafeRawBufferPointer) -> Int {
    lines.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }
}
