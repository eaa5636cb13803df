import APNSimCore

/// The real time for every input of the simulator, taken once per read.
enum WallClock {
  @inline(__always)
  static func now() -> Timestamp {
    let (seconds, nanoseconds) = Platform.realTime()
    return Timestamp(rawValue: seconds &* 1000 &+ nanoseconds / 1_000_000)
  }
}
