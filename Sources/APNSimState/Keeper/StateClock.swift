package import APNSimCore

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
    now: { Timestamp(rawValue: Machine.realTime()) },
    elapsed: Machine.elapsedTime
  )

  func duration(since start: Int64) -> Duration { .nanoseconds(elapsed() - start) }
}
