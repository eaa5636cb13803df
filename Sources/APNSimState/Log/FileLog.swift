import APNSimCore
import APNSimSystem
import Dispatch
import Synchronization

/// A log in segments: files of one size that are made ahead and mapped, so that an input is kept by copying it, without
/// a call of the system, and survives the process from then on.
///
/// The next segment is made by a queue of the log's own as soon as one begins, so that a full disk shows while there is
/// still room. Once a second another queue waits for the disk and notes how far the log is on it.
package final class FileLog: InputLog, @unchecked Sendable {
  struct Settings {
    /// The bytes of a segment.
    var segmentByteCount: Int
    /// True if the log waits for the disk once a second.
    var isSynced = true
    var make: @Sendable (_ path: String, _ byteCount: Int) throws(SystemError) -> LogSegment = LogSegment.make
    /// The time that an input waits for a segment that is being made.
    var patience = DispatchTimeInterval.seconds(2)
    /// After how long the making is tried again for the first time, in milliseconds.
    var retry = 100
    var boot = MachineBoot.current
    /// Nanoseconds by a clock that is never set.
    var elapsed: @Sendable () -> Int64 = { SystemClock.wakingTime }

    /// - Parameter logSize: the bytes of the log between two snapshots.
    init(logSize: Int) {
      segmentByteCount = min(64 << 20, max(4 << 20, (logSize / 4 + 4095) & ~4095))
    }
  }

  /// The place where entries are written. It is touched under the simulator's lock, and while there is a gap, when the
  /// simulator is suspended.
  struct Place {
    var base: UnsafeMutableRawPointer
    var used: Int
    var end: Int
    var number: UInt64
    var written: Int
    /// The place from which the next pages are made writable.
    var warming: Int
    var segment: Unmanaged<LogSegment>
  }

  struct Shared {
    /// All segments on the disk, the present one last.
    var segments: [(ordinal: UInt64, first: UInt64)]
    var present: LogSegment
    /// The segment that comes next; nil while it is being made.
    var next: LogSegment?
    /// The segments that are not certainly on the disk, oldest first.
    var unsynced: [LogSegment]
    /// True if a segment got its name, which is not certainly on the disk.
    var hasNewNames = true
    var gaps = 0
    /// True if no segment could be made when it was last tried.
    var hasFailed = false
    var isClosed = false
    /// The listener that hears what becomes of the log. It may be called under the simulator's lock, and returns at
    /// once.
    var listener: (@Sendable (LogEvent) -> Void)?
    var lastSync: Int64?
  }

  let directory: StateDirectory
  let settings: Settings
  let place: UnsafeMutablePointer<Place>
  let shared: Mutex<Shared>
  private let position: Atomic<UInt64>
  private let written: Atomic<Int>
  /// True from an input that found no room until a snapshot has it.
  let gapped = Atomic<Bool>(false)
  let short = Atomic<Bool>(false)
  let making = DispatchQueue(label: "apnsim.state.segments")
  let warming = DispatchQueue(label: "apnsim.state.pages")
  let syncing = DispatchQueue(label: "apnsim.state.sync")

  /// Begins a segment after what was read.
  /// - Parameters:
  ///   - number: the number of the last input.
  ///   - end: what there is of the log; nil for a new one.
  ///   - open: the segments of it that may not be on the disk yet.
  init(
    _ directory: StateDirectory,
    after number: UInt64,
    continuing end: LogReader.End?,
    unsynced open: [LogSegment] = [],
    _ settings: Settings
  ) throws(StateFailure) {
    self.directory = directory
    self.settings = settings
    let ordinal = end?.nextOrdinal ?? 1
    let head = SegmentHead(ordinal: ordinal, first: number + 1, origin: directory.origin, boot: settings.boot)
    let draft = directory.path(.logDraft(ordinal))
    let segment: LogSegment
    do throws(SystemError) {
      segment = try settings.make(draft, settings.segmentByteCount)
      try Self.begin(segment, head, directory.path(.log(ordinal)))
    } catch {
      throw StateFailure(directory.path(.log(ordinal)), error)
    }
    guard let mapping = segment.mapping else {
      throw .unusable(path: draft, reason: "it is not in memory")
    }
    place = .allocate(capacity: 1)
    place.initialize(
      to: Place(
        base: mapping.start,
        used: FileHead.byteCount,
        end: mapping.byteCount,
        number: number,
        written: end?.byteCount ?? 0,
        warming: Self.warmthStep,
        segment: Unmanaged.passRetained(segment)
      )
    )
    position = Atomic(number)
    written = Atomic(end?.byteCount ?? 0)
    shared = Mutex(
      Shared(
        segments: (end?.segments.map { ($0.head.ordinal, $0.head.first) } ?? []) + [(ordinal, number + 1)],
        present: segment,
        unsynced: settings.isSynced ? open + [segment] : []
      )
    )
    making.async { self.makeNext() }
  }

  deinit {
    place.pointee.segment.release()
    place.deinitialize(count: 1)
    place.deallocate()
  }

  /// Gives a segment its head and its name.
  private static func begin(_ segment: LogSegment, _ head: SegmentHead, _ path: String) throws(SystemError) {
    guard let start = segment.mapping?.start else {
      throw SystemError("mmap", path, finding: "it is not in memory")
    }
    head.bytes.withUnsafeBytes { bytes in
      if let from = bytes.baseAddress { start.copyMemory(from: from, byteCount: bytes.count) }
    }
    segment.used.store(FileHead.byteCount, ordering: .releasing)
    try SystemPath.move(segment.file.path, to: path)
  }

  // MARK: Keeping

  @inline(__always)
  package func makeRoom(for byteCount: Int) -> Bool {
    if byteCount <= place.pointee.end - place.pointee.used - (LogEntry.headByteCount + 7),
      !gapped.load(ordering: .relaxed)
    {
      return true
    }
    return makeRoomSlowly(for: byteCount)
  }

  @inline(__always)
  package func append(_ head: UnsafeRawBufferPointer, _ bulk: UnsafeRawBufferPointer) {
    let size = LogEntry.byteCount(of: head.count + bulk.count)
    // An entry for which no room was asked is not written beyond it.
    guard size <= place.pointee.end - place.pointee.used, !gapped.load(ordering: .relaxed) else {
      return noteGap()
    }
    let number = place.pointee.number + 1
    LogEntry.write(number, head, bulk, to: place.pointee.base + place.pointee.used)
    place.pointee.number = number
    place.pointee.used += size
    place.pointee.written += size
    let used = place.pointee.used
    place.pointee.segment._withUnsafeGuaranteedRef { $0.used.store(used, ordering: .releasing) }
    position.store(number, ordering: .relaxed)
    written.store(place.pointee.written, ordering: .relaxed)
    if used >= place.pointee.warming { warm() }
  }

  /// The interval at which pages are made writable, in bytes of entries.
  private static let warmthStep = 1 << 20

  @inline(never)
  private func warm() {
    place.pointee.warming = place.pointee.used + Self.warmthStep
    let segment = place.pointee.segment.takeUnretainedValue()
    warming.async { segment.warm() }
  }

  package func noteGap() {
    shared.withLock { shared in
      shared.gaps += 1
      place.pointee.number += 1
      position.store(place.pointee.number, ordering: .relaxed)
      gapped.store(true, ordering: .relaxed)
    }
    runShort()
  }

  @inline(never)
  private func makeRoomSlowly(for byteCount: Int) -> Bool {
    guard byteCount <= LogEntry.mostBytes, !gapped.load(ordering: .relaxed) else { return runShort() }
    let needed = FileHead.byteCount + LogEntry.byteCount(of: byteCount)
    if needed <= place.pointee.end - place.pointee.used { return true }
    let hasRoom = needed <= settings.segmentByteCount ? beginNext() : beginLarge(needed)
    return hasRoom || runShort()
  }

  /// - Returns: false.
  @discardableResult
  private func runShort() -> Bool {
    if !short.exchange(true, ordering: .relaxed) { tell(.ranShort) }
    return false
  }

  /// Begins the segment that was made ahead.
  private func beginNext() -> Bool {
    if shared.withLock({ $0.next == nil && !$0.hasFailed }) { waitForSegment() }
    guard let next = shared.withLock({ $0.next.take() }) else { return false }
    if begin(next, after: place.pointee.number) { return true }
    giveUp(next)
    return false
  }

  private func waitForSegment() {
    let done = DispatchSemaphore(value: 0)
    making.async { done.signal() }
    _ = done.wait(timeout: .now() + settings.patience)
  }

  /// Begins a segment for an input that is larger than segments are.
  private func beginLarge(_ byteCount: Int) -> Bool {
    // The draft of the segment that is made ahead has the number after the present one's.
    guard let present = shared.withLock({ $0.segments.last?.ordinal }) else { return false }
    let draft = directory.path(.logDraft(present + 2))
    do throws(SystemError) {
      let segment = try settings.make(draft, (byteCount + 4095) & ~4095)
      if begin(segment, after: place.pointee.number) { return true }
      try? SystemPath.remove(draft)
    } catch {
      fail(.making, "a segment of \(byteCount) bytes could not be made: \(error.words)")
    }
    return false
  }

  /// Goes on in another segment.
  func begin(_ segment: LogSegment, after number: UInt64) -> Bool {
    guard let mapping = segment.mapping, let present = shared.withLock({ $0.segments.last?.ordinal }) else {
      return false
    }
    let ordinal = present + 1
    let head = SegmentHead(ordinal: ordinal, first: number + 1, origin: directory.origin, boot: settings.boot)
    do throws(SystemError) {
      try directory.checkPlace()
      try Self.begin(segment, head, directory.path(.log(ordinal)))
    } catch {
      fail(.making, "\(segment.file.path): \(error.words)")
      return false
    }
    let old = place.pointee.segment
    place.pointee.segment = Unmanaged.passRetained(segment)
    (place.pointee.base, place.pointee.end) = (mapping.start, mapping.byteCount)
    (place.pointee.used, place.pointee.warming) = (FileHead.byteCount, Self.warmthStep)
    shared.withLock { shared in
      shared.segments.append((ordinal, number + 1))
      shared.present = segment
      shared.hasNewNames = true
      if settings.isSynced { shared.unsynced.append(segment) }
    }
    old._withUnsafeGuaranteedRef { $0.isOver.store(true, ordering: .releasing) }
    let past = old.takeRetainedValue()
    making.async {
      self.makeNext()
      // To let go of so much memory takes time, which the simulator does not wait for.
      withExtendedLifetime(past) {}
    }
    tell(.began)
    return true
  }

  func fail(_ failure: LogEvent.Failure, _ reason: String, isRepeated: Bool = false) {
    tell(.failed(failure, reason: reason, isRepeated: isRepeated))
  }

  // MARK: Looking

  func setListener(_ listener: @escaping @Sendable (LogEvent) -> Void) {
    shared.withLock { $0.listener = listener }
  }

  func tell(_ event: LogEvent) { shared.withLock { $0.listener }?(event) }

  /// The number of the last input.
  var lastNumber: UInt64 { position.load(ordering: .relaxed) }

  /// The bytes of entries since the log was opened, those that were read included.
  var writtenBytes: Int { written.load(ordering: .relaxed) }

  var segmentCount: Int { shared.withLock { $0.segments.count } }

  /// The duration of the last wait for the disk, in nanoseconds.
  var lastSync: Int64? { shared.withLock { $0.lastSync } }

  // MARK: Ending

  /// Ends the log; nothing is kept any more. The present segment gives back what it has not used.
  func close() {
    shared.withLock { $0.isClosed = true }
    syncing.sync { if settings.isSynced { sync() } }
    // No page is touched any more that is about to go.
    warming.sync {}
    making.sync {
      let (present, next) = shared.withLock { ($0.present, $0.next.take()) }
      if let next, next.file.isInPlace(followsLinks: false) { try? SystemPath.remove(next.file.path) }
      // An entry that comes all the same finds no room.
      let used = place.pointee.used
      place.pointee.end = used
      try? present.file.resize(to: Int64(used))
      if settings.isSynced { try? present.file.sync() }
    }
  }

  /// Leaves the files as they are.
  func abandon() {
    shared.withLock { $0.isClosed = true }
    syncing.sync {}
    making.sync {}
  }
}
