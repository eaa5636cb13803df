import Testing

@testable import APNSimCore

@Suite struct `Time that is written down and read back` {
  private static let start = Timestamp(seconds: 1_338_508_800)

  private static let device = MagicDevice(registration: 7, serial: .max)

  /// One of each task that is kept.
  static let tasks: [Deadline.Task] = [
    .expireStored(registration: 1), .expireCollapsed(registration: 2), .expireToken(registration: .max),
    .timeline(index: 4), .addFeedback(number: 5), .sendReply(ConnectionID(rawValue: 6), exchange: .max),
    .closeIdle(ConnectionID(rawValue: .max)), .comeOnline(device), .refuse(device), .arrive(place: 10),
    .expireBroadcast(place: 11), .endActivity(.max),
  ]

  private static func copy(of schedule: Schedule) throws -> Schedule {
    try StateBytes.read(StateBytes.of { schedule.write(to: &$0) }) { try Schedule(reading: &$0) }
  }

  /// Everything that comes due from here on, in order.
  private static func run(_ schedule: inout Schedule, to end: Timestamp) -> [String] {
    var found: [String] = []
    guard let target = schedule.arrive(at: end) else { return found }
    while let next = schedule.next(until: target) { found.append("\(schedule.now) \(next.at) \(next.task)") }
    return found
  }

  /// A schedule with many deadlines, among them some of one moment, that has come a part of its way.
  private static func schedule(of setting: ClockSetting = .real) -> Schedule {
    var schedule = Schedule(setting, start: start)
    var random = SeededGenerator(seed: 3)
    for number in 0..<600 {
      schedule.add(tasks[number % tasks.count], at: start + .seconds(.random(in: 0..<100, using: &random)))
    }
    _ = run(&schedule, to: start + .seconds(30))
    return schedule
  }

  @Test func `deadlines come due at the same moments in the same order`() throws {
    var schedule = Self.schedule()
    var copy = try Self.copy(of: schedule)
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { schedule.write(to: &$0) })
    #expect(copy.count == schedule.count)
    #expect(copy.nextDeadline == schedule.nextDeadline)
    #expect(copy.nextWake == schedule.nextWake)
    for task in Self.tasks {
      schedule.add(task, at: Self.start + .seconds(50))
      copy.add(task, at: Self.start + .seconds(50))
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { schedule.write(to: &$0) })
    let expected = Self.run(&schedule, to: Self.start + .seconds(200))
    #expect(expected.count > 400)
    #expect(Self.run(&copy, to: Self.start + .seconds(200)) == expected)
    #expect(copy.now == schedule.now)
  }

  @Test func `each task is kept with what it is about`() {
    for (number, task) in Self.tasks.enumerated() {
      let order = (UInt64(1) << 56) - 1 - UInt64(number)
      let deadline = Deadline(at: Timestamp(rawValue: .min), order: order, task: task)
      let row = DeadlineRow(deadline)
      #expect(row?.order == order)
      #expect(row?.deadline == deadline)
      #expect(row?.deadline.map { "\($0.task)" } == "\(task)")
    }
  }

  @Test func `reminders are left out, and nothing else`() throws {
    var schedule = Self.schedule()
    for number in 0..<UInt32(40) {
      schedule.add(Reminder(rawValue: number), at: Self.start + .seconds(20 + Int64(number) * 2))
    }
    var copy = try Self.copy(of: schedule)
    #expect(copy.count == schedule.count - 40)
    #expect(copy.remindersLeft.isEmpty)
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { schedule.write(to: &$0) })
    let expected = Self.run(&schedule, to: Self.start + .seconds(200)).filter { !$0.contains("remind") }
    #expect(Self.run(&copy, to: Self.start + .seconds(200)) == expected)
  }

  @Test func `a schedule looks for stale deadlines at the same number`() throws {
    var schedule = Schedule(.real, start: Self.start)
    schedule.keep(
      (0..<3000).map { Deadline(at: Self.start, order: $0, task: .timeline(index: 1)) }
    )
    for number in 0..<3000 { schedule.add(.arrive(place: UInt32(number)), at: Self.start + .seconds(1)) }
    var copy = try Self.copy(of: schedule)
    #expect(schedule.isFull)
    #expect(copy.isFull)
    copy = try Self.copy(of: Self.schedule())
    #expect(!copy.isFull)
  }

  @Test func `a clock runs on, stands still, and resumes as it would have`() throws {
    var clocks = [
      SimulationClock(.real, start: Self.start), SimulationClock(.virtual(start: nil), start: Self.start),
      SimulationClock(.virtual(start: Timestamp(seconds: 5)), start: Self.start),
    ]
    for index in clocks.indices {
      _ = clocks[index].target(wall: Self.start + .seconds(3))
      clocks[index].set(Timestamp(seconds: 77))
      if index == 2 { clocks[index].resume() }
    }
    for var clock in clocks {
      var copy = try StateBytes.read(StateBytes.of { clock.write(to: &$0) }) { state in
        try SimulationClock(reading: &state)
      }
      #expect(copy.isVirtual == clock.isVirtual)
      #expect(copy.isRunning == clock.isRunning)
      for step in 4..<9 {
        let wall = Self.start + .seconds(Int64(step))
        #expect(copy.target(wall: wall) == clock.target(wall: wall))
        #expect(copy.wallTime(of: Timestamp(seconds: 90)) == clock.wallTime(of: Timestamp(seconds: 90)))
        clock.reach(clock.target(wall: wall))
        copy.reach(copy.target(wall: wall))
        #expect(copy.now == clock.now)
        #expect(copy.wall == clock.wall)
        if step == 6 {
          clock.resume()
          copy.resume()
        }
      }
    }
  }

  @Test func `durations are counted within the bounds that there are`() {
    let fewer = StateBytes.of {
      ([1, 2] as [UInt64]).write(to: &$0)
      $0.write(raw: 3 as UInt64)
    }
    #expect(throws: StateError.self) {
      _ = try StateBytes.read(fewer) { try DurationCounts(reading: &$0) }
    }
  }

  @Test func `what has been read from other bytes comes due without a trap`() {
    var schedule = Schedule(.virtual(start: nil), start: Self.start)
    for task in Self.tasks { schedule.add(task, at: Self.start + .seconds(5)) }
    let written = StateBytes.of { schedule.write(to: &$0) }
    for place in written.indices {
      for byte in [0, 1, 13, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = written
        changed[place] = byte
        guard
          var copy = try? StateBytes.read(changed, { try Schedule(reading: &$0) })
        else { continue }
        copy.add(.timeline(index: 1), at: Self.start)
        _ = copy.advance(to: Timestamp(rawValue: .max))
        while copy.next(until: Timestamp(rawValue: .max)) != nil {}
      }
    }
  }
}
