import APNSimCore
import APNSimSystem
import Synchronization

/// The real time for every input of the simulator, taken once per read. It does not go back: see ``SteadyTime``.
enum WallClock {
  private static let steady = Mutex(SteadyTime(reading()))
  /// The offset of `steady`, to be read without its lock.
  private static let offset = Atomic<Int64>(steady.withLock { $0.offset })

  @inline(__always)
  static func now() -> Timestamp {
    let elapsed = SystemClock.elapsedTime &+ offset.load(ordering: .relaxed)
    return Timestamp(rawValue: elapsed / 1_000_000)
  }

  /// Looks whether the system's clock has stepped; a step is told to whoever asks first.
  static func takeStep() -> SteadyTime.Step? {
    // The offset is made on first use, with the lock.
    _ = offset.load(ordering: .relaxed)
    return steady.withLock { steady in
      let step = steady.look(at: reading())
      offset.store(steady.offset, ordering: .relaxed)
      return step
    }
  }

  /// Reads both clocks so shortly after each other that the time between is no step, however busy the machine is.
  private static func reading() -> SteadyTime.Reading {
    var best = SteadyTime.Reading(wall: 0, elapsed: 0)
    var shortest = Int64.max
    for _ in 0..<8 where shortest > SteadyTime.tolerance / 50 {
      let before = SystemClock.elapsedTime
      let wall = SystemClock.realTime.inNanoseconds
      let between = SystemClock.elapsedTime &- before
      guard between < shortest else { continue }
      shortest = between
      best = SteadyTime.Reading(wall: wall, elapsed: before)
    }
    return best
  }
}
