import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Counts of requests` {
  private static func provider(_ action: Rule.Action, token: String = Hex.encode(Samples.online)) throws
    -> CoreRequester
  {
    var match = RuleMatch()
    match.listener = .interfaces
    match.token = .equals(.string(token))
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = [Rule(when: match, action: action)]
    return try CoreRequester(Simulator(scenario: scenario, seed: 1, start: Moment.start))
  }

  private static func text(_ tally: RequestTally) -> [String] {
    tally.answers.map { "\($0.status) \($0.reason?.name() ?? "-"): \($0.count)" }
  }

  private static var late: Rule.Action {
    var answer = ScriptedAnswer(reason: .serviceUnavailable)
    answer.delay = .seconds(2)
    return .answer(answer)
  }

  /// Received is answered, unanswered and in flight together.
  private static func expectSum(_ simulator: Simulator) {
    let tally = simulator.tally.exchanges
    let flying = UInt64(simulator.stock.requestsInFlight)
    #expect(tally.received == tally.answered + tally.unanswered + flying)
  }

  @Test func `counts of requests are by status and reason`() throws {
    let provider = try Self.provider(Self.late)
    let simulator = provider.simulator
    provider.send(provider.request(to: Hex.encode(Samples.offline)))
    provider.send(provider.request(headers: [("apns-priority", "7")]))
    provider.send(provider.request(to: Hex.encode(Samples.offline)))
    #expect(Self.text(simulator.tally.exchanges) == ["200 -: 2", "400 BadPriority: 1"])
    Self.expectSum(simulator)
  }

  @Test func `counts of requests have what is in flight, and how long scripts keep answers back`() throws {
    let provider = try Self.provider(Self.late)
    let simulator = provider.simulator
    provider.send(provider.request(), provider.request())
    #expect(simulator.stock.requestsInFlight == 2 && simulator.tally.exchanges.answered == 0)
    Self.expectSum(simulator)
    try simulator.perform(.advanceClock(.seconds(2)))
    #expect(simulator.stock.requestsInFlight == 0)
    #expect(Self.text(simulator.tally.exchanges) == ["503 ServiceUnavailable: 2"])
    let delays = simulator.tally.exchanges.delays
    #expect(delays.count == 2 && delays.sum == 4_000_000)
    Self.expectSum(simulator)
  }

  @Test func `counts of requests have what a connection took with it`() throws {
    let provider = try Self.provider(Self.late)
    provider.send(provider.request(), provider.request(to: Hex.encode(Samples.offline)))
    provider.close()
    #expect(provider.simulator.tally.exchanges.unanswered == 1)
    Self.expectSum(provider.simulator)
  }

  @Test func `counts of requests begin anew with a reset, and leave out answers to what came before`() throws
  {
    let provider = try Self.provider(Self.late)
    let simulator = provider.simulator
    provider.send(provider.request(), provider.request())
    try simulator.perform(.reset)
    try simulator.perform(.advanceClock(.seconds(2)))
    #expect(provider.answers.count == 2)
    let tally = simulator.tally.exchanges
    #expect(tally.received == 0 && tally.answered == 0 && tally.unanswered == 0)
  }

  @Test func `counts of durations are by bounds, of which each counts for itself`() {
    var counts = DurationCounts()
    counts.add(100)
    counts.add(101, count: 2)
    counts.add(.max)
    #expect(counts.counts.first == 1 && counts.counts[1] == 2 && counts.counts.last == 1)
    #expect(counts.count == 4)
    #expect(DurationCounts.bounds == DurationCounts.bounds.sorted())
  }
}
