import APNSimCore
import APNSimWire
import Testing

@Suite struct `A shutdown that takes its time` {
  @Test func `a delayed shutdown comes with the error that waits, and ends what has had its error`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    let late = Reply(status: .processingError, afterFrames: 3, delay: .seconds(5))
    scenario.rules = [Rule(when: RuleMatch(), action: .reply(late))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Moment.start)
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1) + Samples.frame(2))
    #expect(provider.reply.isEmpty && provider.ending == .none)
    provider.shutdown()
    #expect(provider.reply == [8, 1, 0, 0, 0, 1])
    #expect(provider.ending == .drain)
    try simulator.perform(.advanceClock(.seconds(10)))
    #expect(provider.reply.count == 6)
    let mute = try CoreProvider(samples: simulator)
    mute.send(Samples.frame(1, to: [1, 2, 3]))
    #expect(mute.connection.shutdown(at: mute.now).response == nil)
    #expect(mute.connection.shutdown(at: mute.now).ending == .drain)
  }

  @Test func `a delayed shutdown stays open until the packet leaves`() throws {
    var nth = RuleMatch()
    nth.nth = .equals(.number("2"))
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = [Rule(when: nth, action: .reply(Reply(status: .shutdown, delay: .milliseconds(50))))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Moment.start)
    let provider = try CoreProvider(samples: simulator)
    provider.send((UInt32(1)...3).flatMap { Samples.frame($0) })
    #expect(provider.reply.isEmpty)
    #expect(provider.ending == .none)
    try simulator.perform(.advanceClock(.milliseconds(50)))
    #expect(provider.reply == [8, 10, 0, 0, 0, 2])
    #expect(provider.ending == .drain)
  }
}
