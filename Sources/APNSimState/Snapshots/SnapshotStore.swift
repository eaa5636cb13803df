import APNSimCore
import APNSimSystem

/// The snapshots in a directory: the newest, and the one before it, which stays with its log in case the newest is
/// damaged.
struct SnapshotStore: Sendable {
  private let directory: StateDirectory
  private static let kept = 2

  init(_ directory: StateDirectory) { self.directory = directory }

  /// Writes a snapshot and puts it in place when it is on the disk.
  func write(_ bytes: UnsafeRawBufferPointer, number: UInt64, time: Timestamp) throws(StateFailure) {
    let draft = directory.path(.snapshotDraft(number))
    let head = SnapshotHead(
      number: number,
      byteCount: bytes.count,
      time: time,
      origin: directory.origin,
      sum: Checksum.of(bytes)
    )
    do throws(SystemError) { try directory.checkPlace() } catch { throw StateFailure(directory.path, error) }
    do throws(SystemError) {
      let file = try SystemFile(replacing: draft)
      try file.write(head.bytes)
      try file.write(bytes, at: Int64(FileHead.byteCount))
      try file.sync()
      try SystemPath.move(draft, to: directory.path(.snapshot(number)))
    } catch {
      try? SystemPath.remove(draft)
      throw StateFailure(directory.path(.snapshot(number)), error)
    }
    try directory.sync()
  }

  /// Removes all snapshots but the newest and the one before it.
  /// - Returns: the number of the oldest that is left, whose log is needed.
  func removeOld() throws(StateFailure) -> UInt64? {
    let numbers = try directory.numbers.snapshots
    for number in numbers.dropLast(Self.kept) { try remove(number) }
    return numbers.suffix(Self.kept).first
  }

  func remove(_ number: UInt64) throws(StateFailure) {
    let path = directory.path(.snapshot(number))
    do throws(SystemError) {
      try directory.checkPlace()
      try SystemPath.remove(path)
    } catch {
      throw StateFailure(path, error)
    }
  }

  /// The newest snapshot that is whole, and why newer ones are not.
  /// - Throws: what is wrong with the newest where none is; nil is returned where there are none.
  func newest() throws(StateFailure) -> (snapshot: Snapshot, damage: [(UInt64, StateFailure)])? {
    var damage: [(number: UInt64, failure: StateFailure)] = []
    for number in try directory.numbers.snapshots.reversed() {
      do throws(StateFailure) {
        let path = directory.path(.snapshot(number))
        return (try Snapshot(path, number: number, origin: directory.origin), damage)
      } catch {
        guard case .damaged = error else { throw error }
        damage.append((number, error))
      }
    }
    if let first = damage.first { throw first.failure }
    return nil
  }
}
