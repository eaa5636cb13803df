import APNSimSystem
import Synchronization

extension FileLog {
  /// The present place; to be called under the simulator's lock.
  func mark() -> LogMark {
    LogMark(
      number: place.pointee.number,
      written: place.pointee.written,
      gaps: shared.withLock { $0.gaps }
    )
  }

  /// Removes the segments all of whose inputs are in a snapshot.
  func removeSegments(before number: UInt64) throws(StateFailure) {
    while let ordinal = shared.withLock({ shared -> UInt64? in
      guard shared.segments.count > 1, shared.segments[1].first <= number + 1 else { return nil }
      return shared.segments[0].ordinal
    }) {
      let path = directory.path(.log(ordinal))
      do throws(SystemError) {
        try directory.checkPlace()
        try SystemPath.remove(path)
      } catch {
        throw StateFailure(path, error)
      }
      shared.withLock { _ = $0.segments.removeFirst() }
    }
  }

  /// Forgets the segments that the disk failed to take, once a snapshot that it took stands for them.
  func forgetUnsure() {
    shared.withLock { shared in
      shared.unsynced.removeAll { segment in
        segment.isUnsure.load(ordering: .relaxed) && segment.isOver.load(ordering: .relaxed)
      }
    }
  }
}
