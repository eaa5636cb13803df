import APNSimSystem
import CProcessor
import Synchronization

/// A file of the log that is written to, or was and is not all on the disk yet.
final class LogSegment: Sendable {
  let file: SystemFile
  /// Nil for one that is not written to any more.
  let mapping: SystemMapping?
  /// The bytes of head and entries.
  let used: Atomic<Int>
  /// True once no more entries follow.
  let isOver: Atomic<Bool>
  /// The bytes that are on the disk, where the file says so.
  let synced = Atomic(0)
  /// The bytes whose pages were made writable.
  private let warmed = Atomic(0)
  /// True once the disk has failed to take some of them: from there on nobody knows which it has.
  let isUnsure = Atomic(false)

  /// A segment that has been made and has not begun.
  init(_ file: SystemFile, byteCount: Int) throws(SystemError) {
    self.file = file
    mapping = try SystemMapping(file, byteCount: byteCount, isWritable: true)
    used = Atomic(0)
    isOver = Atomic(false)
  }

  /// One of an earlier run.
  init(_ file: SystemFile, used: Int) {
    self.file = file
    mapping = nil
    self.used = Atomic(used)
    isOver = Atomic(true)
  }

  /// The distance by which pages are made writable ahead of the entries.
  static let warmth = 4 << 20

  /// Makes pages writable before they are written to: what that takes is more than an entry does, and the simulator would
  /// wait for it. To be called on one queue.
  func warm() {
    guard let mapping else { return }
    let start = max(warmed.load(ordering: .relaxed), used.load(ordering: .relaxed)) & ~4095
    let end = min(mapping.byteCount, used.load(ordering: .relaxed) + Self.warmth)
    guard start < end else { return }
    apnsim_touch(mapping.start + start, end - start)
    warmed.store(end, ordering: .relaxed)
  }

  /// Waits until so many bytes are on the disk.
  func sync(to byteCount: Int) throws(SystemError) {
    // Only while it is written to are there pages ahead that are to stay writable.
    guard let mapping, !isOver.load(ordering: .relaxed) else { return try file.sync() }
    let start = synced.load(ordering: .relaxed)
    // The head has what was noted the last time.
    if start > 0 { try mapping.sync(0..<FileHead.byteCount) }
    try mapping.sync(start..<byteCount)
    #if canImport(Darwin)
      try file.sync()
    #endif
  }

  /// Makes a segment ahead, its place on the disk included.
  static func make(_ path: String, _ byteCount: Int) throws(SystemError) -> LogSegment {
    do throws(SystemError) {
      let file = try SystemFile(replacing: path)
      try file.allocate(byteCount)
      let segment = try LogSegment(file, byteCount: byteCount)
      segment.warm()
      return segment
    } catch {
      try? SystemPath.remove(path)
      throw error
    }
  }

  /// Notes in the file how far it is on the disk.
  func note(synced byteCount: Int) throws(SystemError) {
    try file.write(SyncMark.bytes(byteCount), at: Int64(SyncMark.place))
  }
}
