import APNSimCore
import APNSimWire
import Testing

@Suite struct `A shutdown that takes its time` {
  @Test func `stays open until the packet leaves`() throws {
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
