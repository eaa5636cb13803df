package import APNSimCore
import APNSimSystem

extension Timestamp {
  /// The machine's time.
  package static var now: Timestamp { Timestamp(rawValue: SystemClock.realTime.inMilliseconds) }
}
