internal import APNSimCore

/// The real time, for everything that comes in by the simulator's door: asked once per read.
enum WallClock {
  @inline(__always)
  static func now() -> Timestamp {
    let (seconds, nanoseconds) = Platform.realTime()
    return Timestamp(rawValue: seconds &* 1000 &+ nanoseconds / 1_000_000)
  }
}
