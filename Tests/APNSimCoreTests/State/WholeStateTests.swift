import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The whole state` {
  @Test(arguments: [UInt64(1), 2, 3, 4], [false, true])
  func `the whole state comes again from the log, and from a snapshot after any input`(
    seed: UInt64,
    isReal: Bool
  ) throws {
    var traffic = try Traffic(seed: seed, isReal: isReal)
    for _ in 0..<40 {
      traffic.step()
      traffic.run.snapshot()
    }
    try traffic.run.expectTheSameAgain()
  }

  @Test(arguments: [UInt64(11), 12])
  func `the whole state comes again after thousands of inputs`(seed: UInt64) throws {
    var traffic = try Traffic(seed: seed, isReal: false)
    for round in 0..<1000 {
      traffic.step()
      if round % 250 == 17 { traffic.run.snapshot() }
    }
    try traffic.run.expectTheSameAgain()
  }

  @Test(arguments: [false, true])
  func `the whole state goes on after a restart with nobody connected`(isReal: Bool) throws {
    var traffic = try Traffic(seed: 21, isReal: isReal)
    for _ in 0..<120 { traffic.step() }
    traffic.run.snapshot()
    let restored = try traffic.run.read(try #require(traffic.run.snapshots.last).bytes)
    #expect(restored.stock.openConnections > 0)
    let log = MemoryLog()
    restored.keep(in: log)
    let journal = MemoryJournal(restored)
    restored.goOn(at: traffic.now + .hours(24 * 31))
    #expect(restored.stock.openConnections == 0)
    #expect(journal.text.contains(#""reason":"simulatorKilled""#))
    let again = try traffic.run.read(try #require(traffic.run.snapshots.last).bytes)
    let second = MemoryJournal(again)
    try traffic.run.apply(log.entries, to: again)
    #expect(second.text == journal.text)
    again.wake(at: traffic.now + .hours(24 * 31))
    #expect(KeptRun.difference(KeptRun.bytes(of: again), KeptRun.bytes(of: restored)) == nil)
  }

  /// A state whose last moment is two hours after its beginning.
  private func state(_ rules: OutcomeRules) throws -> KeptRun {
    var configuration = Configuration()
    configuration.rules = rules
    let run = try KeptRun(configuration, Scenario())
    run.simulator.wake(at: Moment.start + .hours(2))
    run.snapshot()
    return run
  }

  @Test func `by the rules of before a clock that was set back goes on from where it stood`() throws {
    let run = try state(.first)
    let restored = try run.read(try #require(run.snapshots.last).bytes)
    #expect(restored.goOn(at: Moment.start) == .zero)
    #expect(restored.time(at: Moment.start) == Moment.start + .hours(2))
    #expect(restored.time(at: Moment.start + .seconds(5)) == Moment.start + .hours(2) + .seconds(5))
  }

  @Test func `one start by a wrong clock leaves no trace in a state's time`() throws {
    let run = try state(.second)
    let restored = try run.read(try #require(run.snapshots.last).bytes)
    let journal = MemoryJournal(restored)
    #expect(restored.goOn(at: Moment.start) == .hours(2))
    #expect(restored.time(at: Moment.start + .seconds(5)) == Moment.start + .seconds(5))
    #expect(journal.text.contains(#""event":"clockChanged""#))
    // The next start has the right clock again.
    #expect(restored.goOn(at: Moment.start + .hours(3)) == .zero)
    #expect(restored.time(at: Moment.start + .hours(3)) == Moment.start + .hours(3))
  }

  @Test func `what an operator moved the clock by outlives a wrong clock of the system`() throws {
    let run = try state(.second)
    let restored = try run.read(try #require(run.snapshots.last).bytes)
    _ = try restored.perform(.advanceClock(.hours(1)), at: Moment.start + .hours(2))
    restored.goOn(at: Moment.start)
    #expect(restored.time(at: Moment.start) == Moment.start + .hours(1))
    restored.goOn(at: Moment.start + .hours(4))
    #expect(restored.time(at: Moment.start + .hours(4)) == Moment.start + .hours(5))
  }

  @Test func `no byte of it can be missing`() throws {
    var traffic = try Traffic(seed: 3, isReal: false)
    for _ in 0..<40 { traffic.step() }
    let bytes = KeptRun.bytes(of: traffic.run.simulator)
    for count in stride(from: 0, to: bytes.count, by: 97) {
      #expect(throws: StateError.self) { try traffic.run.read(Array(bytes.prefix(count))) }
    }
    #expect(throws: StateError.self) { try traffic.run.read(bytes + [0]) }
  }

  @Test func `a damaged byte of it is refused or read, and nothing else`() throws {
    var traffic = try Traffic(seed: 4, isReal: false)
    for _ in 0..<40 { traffic.step() }
    let bytes = KeptRun.bytes(of: traffic.run.simulator)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<400 {
      var damaged = bytes
      damaged[Int.random(in: bytes.indices, using: &generator)] ^= UInt8(
        1 << Int.random(in: 0..<8, using: &generator)
      )
      _ = try? traffic.run.read(damaged)
    }
  }

  @Test func `an entry that is cut or of another kind is refused`() throws {
    var traffic = try Traffic(seed: 5, isReal: false)
    for _ in 0..<40 { traffic.step() }
    let fresh = try traffic.fresh()
    for entry in traffic.run.log.entries {
      var unknown = entry
      unknown[8] = 0xEE
      #expect(throws: StateError.self) { try traffic.run.apply([unknown], to: fresh) }
      #expect(throws: StateError.self) {
        try traffic.run.apply([Array(entry.dropLast(entry.count - 8))], to: fresh)
      }
      try traffic.run.apply([entry], to: fresh)
    }
  }
}

@Suite struct `While nothing can be kept` {
  @Test func `the gateway says status 10 with the last that was kept`() throws {
    let run = try KeptRun(Configuration(), Self.scenario)
    let provider = try CoreProvider(samples: run.simulator)
    provider.send(Samples.frame(1))
    run.log.leaveRoom(for: 0)
    provider.send(Samples.frame(2))
    #expect(provider.reply == [8, 10, 0, 0, 0, 1] && provider.ending == .drain)
    #expect(run.simulator.isSuspended)
    // Frames after the response are read: the provider has to send them again.
    #expect(run.simulator.outcomes == [.delivered, .discarded])
    #expect(throws: TurnedAway.suspended) { try CoreProvider(samples: run.simulator) }
  }

  @Test func `requests are answered 503, and commands refused, while nothing can be kept`() throws {
    let run = try KeptRun(Configuration(), Self.scenario)
    let provider = try CoreRequester(run.simulator)
    #expect(provider.send(provider.request())?.status == 200)
    run.log.leaveRoom(for: 0)
    let answer = provider.send(provider.request())
    #expect(answer?.status == 503 && answer?.reason == .serviceUnavailable)
    #expect(throws: CommandError.suspended) { try run.simulator.perform(.reset) }
    #expect(throws: TurnedAway.suspended) { try CoreRequester(run.simulator) }
    #expect(run.simulator.outcomes == [.delivered])
  }

  @Test func `time stands still while nothing can be kept, and goes on afterwards`() throws {
    var scenario = Self.scenario
    scenario.clock = .real
    let run = try KeptRun(Configuration(), scenario)
    let provider = try CoreProvider(samples: run.simulator)
    let expiry = UInt32(Moment.start.seconds) + 10
    provider.send(Samples.frame(1, to: Samples.offline, expiry: expiry))
    run.log.leaveRoom(for: 0)
    run.simulator.wake(at: Moment.start + .minutes(1))
    #expect(run.simulator.outcomes == [.stored] && run.simulator.isSuspended && run.simulator.nextWake == nil)
    run.log.leaveRoom(for: 100)
    run.simulator.resume()
    run.simulator.wake(at: Moment.start + .minutes(1))
    #expect(run.simulator.outcomes == [.expired])
    try run.expectTheSameAgain()
  }

  @Test func `what cannot be refused is a gap that a snapshot has to close`() throws {
    let run = try KeptRun(Configuration(), Self.scenario)
    let provider = try CoreProvider(samples: run.simulator)
    run.log.leaveRoom(for: 0)
    provider.close()
    #expect(run.log.gapCount == 1 && run.simulator.stock.openConnections == 0)
  }

  private static var scenario: Scenario {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    return scenario
  }
}
