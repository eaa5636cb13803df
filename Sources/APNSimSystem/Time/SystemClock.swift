#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A time as the system tells it.
package struct SystemTime: Hashable, Sendable {
  package let seconds: Int64
  package let nanoseconds: Int64

  init(_ time: timespec) { (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec)) }

  package var inMilliseconds: Int64 { seconds &* 1000 &+ nanoseconds / 1_000_000 }

  package var inNanoseconds: Int64 { seconds &* 1_000_000_000 &+ nanoseconds }
}

/// The clocks of the system.
package enum SystemClock {
  /// The time since 1970-01-01T00:00:00Z by the real-time clock, which people and programs may set.
  package static var realTime: SystemTime { time(CLOCK_REALTIME) }

  /// The nanoseconds since some moment, by a clock that is never set and counts the time of a suspended system.
  package static var elapsedTime: Int64 {
    #if canImport(Darwin)
      time(CLOCK_MONOTONIC).inNanoseconds
    #else
      time(CLOCK_BOOTTIME).inNanoseconds
    #endif
  }

  /// The nanoseconds since some moment, by a clock that is never set and stands still while the system is suspended.
  package static var wakingTime: Int64 { time(CLOCK_MONOTONIC).inNanoseconds }

  private static func time(_ clock: clockid_t) -> SystemTime {
    var now = timespec()
    clock_gettime(clock, &now)
    return SystemTime(now)
  }
}
