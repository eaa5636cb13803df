import APNSimCore
import Testing

@testable import APNSimServer

@Suite struct `The real clock` {
  private static let second: Int64 = 1_000_000_000

  /// Both clocks at a moment, in seconds: the system's, and the time elapsed.
  private static func reading(wall: Int64, elapsed: Int64) -> SteadyTime.Reading {
    .init(wall: wall * second, elapsed: elapsed * second)
  }

  private static func seconds(_ time: SteadyTime, elapsed: Int64) -> Int64 {
    time.time(elapsed: elapsed * second).rawValue / 1000
  }

  @Test func `the real clock begins with the system's clock and goes on with the time that elapses`() {
    var time = SteadyTime(Self.reading(wall: 1000, elapsed: 5))
    #expect(time.look(at: Self.reading(wall: 1060, elapsed: 65)) == nil)
    #expect(Self.seconds(time, elapsed: 65) == 1060)
  }

  @Test func `the real clock does not go back with the system's clock, which is told once for each step`() {
    var time = SteadyTime(Self.reading(wall: 10_000, elapsed: 0))
    #expect(time.look(at: Self.reading(wall: 6410, elapsed: 10)) == .back(.seconds(3600)))
    #expect(time.look(at: Self.reading(wall: 6411, elapsed: 11)) == nil)
    #expect(Self.seconds(time, elapsed: 11) == 10_011)
    #expect(time.look(at: Self.reading(wall: 6352, elapsed: 12)) == .back(.seconds(3660)))
    #expect(Self.seconds(time, elapsed: 12) == 10_012)
  }

  @Test func `the real clock follows a step forward, from where a step back is one again`() {
    var time = SteadyTime(Self.reading(wall: 1000, elapsed: 0))
    #expect(time.look(at: Self.reading(wall: 8210, elapsed: 10)) == .forward(.seconds(7200)))
    #expect(Self.seconds(time, elapsed: 10) == 8210)
    #expect(time.look(at: Self.reading(wall: 1020, elapsed: 20)) == .back(.seconds(7200)))
    // Set right again, it is where this time has gone on to.
    #expect(time.look(at: Self.reading(wall: 8230, elapsed: 30)) == nil)
    #expect(Self.seconds(time, elapsed: 30) == 8230)
  }

  @Test func `the real clock takes no notice of what is no step`() {
    var time = SteadyTime(Self.reading(wall: 1000, elapsed: 0))
    for offset in [Self.second / 2, -Self.second / 2] {
      let reading = SteadyTime.Reading(wall: 1010 * Self.second + offset, elapsed: 10 * Self.second)
      #expect(time.look(at: reading) == nil)
    }
    #expect(Self.seconds(time, elapsed: 10) == 1010)
  }

  @Test func `the real clock goes on while it is read`() {
    let before = WallClock.now()
    #expect(WallClock.takeStep() == nil)
    #expect(WallClock.now() >= before)
  }
}
