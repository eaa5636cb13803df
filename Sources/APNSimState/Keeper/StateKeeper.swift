import APNSimCore
import Dispatch
import Synchronization

/// Keeps a simulator's state in a directory: every input in a log, and the whole of it in a snapshot now and then.
package final class StateKeeper: Sendable {
  private struct Content {
    var snapshot: SnapshotReport?
    /// The place of the last snapshot in the log.
    var mark = LogMark(number: 0, written: 0, gaps: 0)
    var errors = 0
    var lastError: String?
    /// True if snapshots are taken without being asked for.
    var isStarted = false
    /// True while a snapshot that nobody asked for waits for its turn.
    var isPlanned = false
    /// The time that the next snapshot waits after one that failed, in milliseconds; 0 after one that did not.
    var delay = 0
    /// The same for the end of a shortage.
    var reliefDelay = 0
    var isSnapshotFailing = false
    var isShortTold = false
    var isClosed = false
  }

  private let directory: StateDirectory
  private let log: FileLog
  private let snapshots: SnapshotStore
  private let simulator: any KeptSimulator
  private let options: StateOptions
  private let restored: RestoredState?
  private let process: StateProcess
  private let content: Mutex<Content>
  /// Snapshots are taken one after the other.
  private let queue = DispatchQueue(label: "apnsim.state.snapshots")

  /// The longest that snapshots wait after failures, in milliseconds.
  private static let longestDelay = 60_000
  /// The number of times that a gap is closed anew because more found no room meanwhile, before that has to wait.
  private static let gapAttempts = 8

  init(
    _ directory: StateDirectory,
    _ log: FileLog,
    _ simulator: any KeptSimulator,
    _ options: StateOptions,
    restored: RestoredState?,
    snapshot: SnapshotReport?,
    _ process: StateProcess
  ) {
    (self.directory, self.log, self.simulator) = (directory, log, simulator)
    (self.options, self.restored, self.process) = (options, restored, process)
    snapshots = SnapshotStore(directory)
    content = Mutex(Content(snapshot: snapshot))
    log.setListener { [weak self] event in self?.hear(event) }
    simulator.keep(in: log)
  }

  /// Begins to wait for the disk, and to take snapshots, without being asked.
  package func start() {
    content.withLock { $0.isStarted = true }
    log.start()
    planSnapshot()
  }

  /// The state as it is now.
  package var status: StateStatus {
    let content = content.withLock { $0 }
    return StateStatus(
      directory: directory.path,
      position: log.lastNumber,
      logBytes: log.writtenBytes - content.mark.written,
      logSegments: log.segmentCount,
      snapshot: content.snapshot,
      restored: restored,
      sync: options.sync,
      lastSync: log.lastSync.map { .nanoseconds($0) },
      errors: content.errors,
      lastError: content.lastError,
      isShort: log.isShort
    )
  }

  // MARK: Snapshots

  /// Takes a snapshot, after one that is being taken.
  @discardableResult
  package func snapshot() async throws(StateFailure) -> SnapshotReport {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.tryToTakeSnapshot()) }
    }
    return try result.get()
  }

  /// Takes a snapshot, and blocks until it is taken.
  @discardableResult
  package func snapshotNow() throws(StateFailure) -> SnapshotReport {
    try queue.sync { tryToTakeSnapshot() }.get()
  }

  private func tryToTakeSnapshot() -> Result<SnapshotReport, StateFailure> {
    do throws(StateFailure) { return .success(try takeSnapshot()) } catch { return .failure(error) }
  }

  /// Takes a snapshot; called on the queue.
  @discardableResult
  func takeSnapshot() throws(StateFailure) -> SnapshotReport {
    do throws(StateFailure) {
      guard !content.withLock({ $0.isClosed }) else {
        throw StateFailure.unusable(path: directory.path, reason: "the state is closed")
      }
      let report = try writeSnapshot()
      content.withLock { content in
        content.delay = 0
        content.isSnapshotFailing = false
      }
      return report
    } catch {
      note(error)
      throw error
    }
  }

  private func writeSnapshot() throws(StateFailure) -> SnapshotReport {
    let start = process.clock.elapsed()
    let time = process.clock.now()
    let (mark, pause, byteCount) = try writeState(at: time)
    let report = SnapshotReport(
      number: mark.number,
      byteCount: byteCount,
      time: time,
      pause: pause,
      duration: process.clock.duration(since: start)
    )
    content.withLock { content in
      content.snapshot = report
      content.mark = mark
    }
    if log.hasGap { _ = log.closeGap(mark) }
    // The snapshot is in place: what stays because it cannot be removed does no harm.
    do throws(StateFailure) {
      log.forgetUnsure()
      if let oldest = try snapshots.removeOld() { try log.removeSegments(before: oldest) }
    } catch {
      note(error)
    }
    return report
  }

  /// Writes the state to the disk; its memory is let go of in the end.
  private func writeState(at time: Timestamp) throws(StateFailure) -> (LogMark, Duration, byteCount: Int) {
    let room = content.withLock { $0.snapshot?.byteCount ?? 0 }
    var mark: LogMark?
    var (start, pause) = (process.clock.elapsed(), Duration.zero)
    let state = simulator.writeState(room: room + room / 8) {
      start = process.clock.elapsed()
    } _: {
      mark = log.mark()
      pause = process.clock.duration(since: start)
    }
    guard let mark else {
      throw .unusable(path: directory.path, reason: "the simulator has not written its state")
    }
    try state.withBytes { (bytes) throws(StateFailure) in
      try snapshots.write(bytes, number: mark.number, time: time)
    }
    return (mark, pause, state.count)
  }

  /// Counts an error of snapshots, and tells the first of several.
  private func note(_ failure: StateFailure) {
    let isFirst = content.withLock { content in
      content.errors += 1
      content.lastError = failure.description
      defer { content.isSnapshotFailing = true }
      return !content.isSnapshotFailing
    }
    if isFirst { process.notice(.snapshotFailed(failure.description)) }
  }

  /// Takes a snapshot soon if the log has become too long.
  private func planSnapshot() {
    let delay = content.withLock { content -> Int? in
      guard content.isStarted, !content.isPlanned, !content.isClosed,
        log.writtenBytes - content.mark.written >= options.logSize
      else { return nil }
      content.isPlanned = true
      return content.delay
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in self?.takePlannedSnapshot() }
  }

  private func takePlannedSnapshot() {
    let isNeeded = content.withLock { content in
      content.isPlanned = false
      return !content.isClosed && log.writtenBytes - content.mark.written >= options.logSize
    }
    guard isNeeded else { return }
    do throws(StateFailure) { try takeSnapshot() } catch {
      content.withLock { $0.delay = min(max(1000, $0.delay * 2), Self.longestDelay) }
    }
    planSnapshot()
  }

  // MARK: Shortage

  /// Goes on where something can be kept again; a gap is closed before that. Called on the queue.
  private func relieve() {
    guard log.isShort, log.hasRoom, !content.withLock({ $0.isClosed }) else { return }
    let hadGap = log.hasGap
    var attempts = 0
    while log.hasGap {
      attempts += 1
      do throws(StateFailure) { try takeSnapshot() } catch { return relieveLater() }
      if log.hasGap, attempts == Self.gapAttempts || !log.hasRoom { return relieveLater() }
    }
    // Under the lock, so that nothing comes in between that leaves a gap.
    let goesOn = simulator.resume {
      guard !log.hasGap else { return false }
      log.endShortage()
      return true
    }
    guard goesOn else { return relieveLater() }
    content.withLock { content in
      content.reliefDelay = 0
      content.isShortTold = false
    }
    // However short it was: time stood still, and whoever waits for it has to look again.
    process.notice(.hasRoom(gap: hadGap))
  }

  private func relieveLater() {
    let delay = content.withLock { content in
      content.reliefDelay = min(max(100, content.reliefDelay * 2), 1000)
      return content.reliefDelay
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in self?.relieve() }
  }

  // MARK: Ending

  /// Takes a last snapshot where anything came in since the last one, ends the log and gives the directory up.
  /// Nothing is taken in from there on.
  /// - Returns: the snapshot; nil if it could not be written: the log has everything then, but for what found no room.
  @discardableResult
  package func close() -> SnapshotReport? {
    queue.sync {
      guard !content.withLock({ $0.isClosed }) else { return content.withLock { $0.snapshot } }
      let last = content.withLock { $0.snapshot }
      let report = last?.number == log.lastNumber ? last : try? takeSnapshot()
      simulator.suspend()
      content.withLock { $0.isClosed = true }
      log.close()
      directory.close()
      return report
    }
  }

  /// Waits until the log is on the disk.
  func syncLog() { log.sync() }

  /// Leaves the files as a process does that is killed, for tests: what is under way is finished, and nothing begun.
  func abandon() {
    queue.sync {
      content.withLock { $0.isClosed = true }
      simulator.keep(in: nil)
      log.abandon()
      directory.close()
    }
  }
}

extension StateKeeper {
  private func hear(_ event: LogEvent) {
    switch event {
    case .began: planSnapshot()
    case .ranShort:
      queue.async {
        self.tellShortage()
        self.relieve()
      }
    case .foundRoom: queue.async { self.relieve() }
    case .failed(let failure, let reason, let isRepeated):
      content.withLock { content in
        content.errors += 1
        content.lastError = reason
      }
      guard !isRepeated else { return }
      switch failure {
      case .making: process.notice(.segmentFailed(reason))
      case .syncing: process.notice(.syncFailed(reason))
      }
    }
  }

  private func tellShortage() {
    guard log.isShort else { return }
    let reason = content.withLock { content -> String? in
      guard !content.isShortTold else { return nil }
      content.isShortTold = true
      return content.lastError ?? "the next segment of the log is not made yet"
    }
    if let reason { process.notice(.isShort(reason)) }
  }
}
