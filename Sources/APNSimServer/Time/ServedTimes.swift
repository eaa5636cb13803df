import APNSimCore
import Synchronization

/// Counts how long requests took to be answered, on all connections of a server: from the read that brought a request to its
/// end, to the write of its answer. An answer that a script has come later counts from the moment when it was due.
final class ServedTimes: Sendable {
  private let counted = Mutex(DurationCounts())

  var counts: DurationCounts { counted.withLock { $0 } }

  /// Adds answers that left in one write.
  func add(_ nanoseconds: Int64, count: Int) {
    counted.withLock { $0.add(nanoseconds / 1000, count: count) }
  }

  /// Begins anew, as the simulator has.
  func reset() { counted.withLock { $0 = DurationCounts() } }
}
