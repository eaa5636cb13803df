package import APNSimCore
import APNSimSystem

/// The time by which a state is kept.
package struct StateClock: Sendable {
  /// The wall time.
  package var now: @Sendable () -> Timestamp
  /// Nanoseconds by a clock that is never set.
  package var elapsed: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Int64) {
    (self.now, self.elapsed) = (now, elapsed)
  }

  package static let system = StateClock(
    now: { Timestamp(rawValue: SystemClock.realTime.inMilliseconds) },
    elapsed: { SystemClock.wakingTime }
  )

  func duration(since start: Int64) -> Duration { .nanoseconds(elapsed() - start) }
}
