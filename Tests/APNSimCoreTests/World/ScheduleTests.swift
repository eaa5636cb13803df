import Testing

@testable import APNSimCore

@Suite struct `The schedule` {
  private static let start = Moment.start

  private var schedule = Schedule(.virtual(start: start), start: start)
  private var running = Schedule(.real, start: start)

  private static func after(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

  /// The numbers of the feedback deadlines that come until the schedule has nothing more, each with the clock then.
  private static func follow(_ schedule: inout Schedule, until moment: Timestamp) -> [(UInt32, Timestamp)] {
    var found: [(UInt32, Timestamp)] = []
    while let next = schedule.next(until: moment) {
      if case .addFeedback(let number) = next.task { found.append((number, schedule.now)) }
    }
    return found
  }

  @Test mutating func `deadlines come by their moments, and those of one moment as they were set`() throws {
    for (number, seconds) in [(1, 5), (2, 3), (3, 5), (4, 3)] as [(UInt32, Int64)] {
      schedule.add(.addFeedback(number: number), at: Self.after(seconds))
    }
    let way = schedule.advance(to: Self.after(9))
    let target = try #require(way)
    let found = Self.follow(&schedule, until: target)
    #expect(found.map(\.0) == [2, 4, 1, 3])
    #expect(found.map(\.1) == [3, 3, 5, 5].map { Self.after($0) })
    #expect(schedule.now == Self.after(9))
  }

  @Test mutating func `a clock is at an input's time at once where nothing is due before it`() {
    running.add(.addFeedback(number: 1), at: Self.after(5))
    let near = running.arrive(at: Self.after(4))
    #expect(near == nil)
    #expect(running.now == Self.after(4))
    let far = running.arrive(at: Self.after(6))
    #expect(far == Self.after(6))
    let found = Self.follow(&running, until: Self.after(6))
    #expect(found.map(\.1) == [Self.after(5)])
    #expect(running.now == Self.after(6))
  }

  @Test mutating func `an advance on the way makes the way longer`() throws {
    schedule.add(.addFeedback(number: 1), at: Self.after(1))
    schedule.add(.addFeedback(number: 2), at: Self.after(8))
    let way = schedule.advance(to: Self.after(2))
    let target = try #require(way)
    let first = schedule.next(until: target)
    #expect(first != nil)
    let farther = schedule.advance(to: Self.after(9))
    #expect(farther == nil)
    let found = Self.follow(&schedule, until: target)
    #expect(found.map(\.0) == [2])
    #expect(schedule.now == Self.after(9))
  }

  @Test mutating func `a clock that is set back on its way stays there`() throws {
    schedule.add(.addFeedback(number: 1), at: Self.after(5))
    schedule.add(.addFeedback(number: 2), at: Self.after(6))
    let way = schedule.advance(to: Self.after(9))
    let target = try #require(way)
    let first = schedule.next(until: target)
    #expect(first != nil)
    schedule.goBack(to: Self.after(2))
    let second = schedule.next(until: target)
    #expect(second == nil)
    #expect(schedule.now == Self.after(2))
    #expect(schedule.count == 1)
  }

  @Test mutating func `a reminder is taken once, and not after it was forgotten`() {
    let reminder = Reminder(rawValue: 7)
    schedule.add(reminder, at: Self.after(1))
    #expect(schedule.isWaited(for: reminder))
    #expect(schedule.remindersLeft.map(\.span) == [.seconds(1)])
    let times = [schedule.take(reminder), schedule.take(reminder)]
    #expect(times == [true, false])
    #expect(!schedule.isWaited(for: reminder))
  }

  @Test mutating func `stale deadlines are looked for when there are twice as many as were left`() {
    for number in 0..<10_000 as Range<UInt32> {
      schedule.add(.addFeedback(number: number), at: Self.after(1))
    }
    #expect(schedule.isFull)
    schedule.keep(Array(schedule.unordered.prefix(9000)))
    #expect(schedule.count == 9000)
    #expect(!schedule.isFull)
    for number in 0..<9000 as Range<UInt32> { schedule.add(.addFeedback(number: number), at: Self.after(2)) }
    #expect(schedule.isFull)
  }
}
