import APNSimWire
import Testing

@testable import APNSimCore

/// A provider lives by the real clock, whatever the simulator's shows.
@Suite struct `A provider whose clock is not the simulator's` {
  /// The simulated clock, in another year than the provider's.
  private static let simulated = Moment.start
  private static let real = Moment.start + .days(400)

  private func requester(
    virtual: Bool = true,
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> CoreRequester {
    var configuration = Configuration()
    change(&configuration)
    var scenario = Scenario()
    scenario.clock = virtual ? .virtual(start: Self.simulated) : .real
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 1,
      start: virtual ? Self.simulated : Self.real
    )
    return try CoreRequester(simulator, at: Self.real)
  }

  /// The answer to a request at a moment of the provider's clock, with a token that was issued then or earlier.
  private func push(
    _ provider: CoreRequester,
    _ number: UInt64,
    at moment: Timestamp = real,
    issuedAt: Timestamp = real
  ) -> Reason? {
    let request = provider.request(CoreRequester.token(number, issuedAt: issuedAt))
    return provider.connection.receive([request], at: moment, isLive: true).answers.first?.reason
  }

  @Test func `a token of the real time is good at first sight, and an hour of simulated time later no more`()
    throws
  {
    let provider = try requester()
    #expect(push(provider, 1) == nil)
    try provider.simulator.perform(.advanceClock(.minutes(60)), at: Self.real)
    #expect(push(provider, 1) == nil)
    try provider.simulator.perform(.advanceClock(.minutes(1)), at: Self.real)
    #expect(push(provider, 1) == .expiredProviderToken)
    // The library makes a new one, and goes on.
    #expect(push(provider, 2, at: Self.real + .seconds(1), issuedAt: Self.real + .seconds(1)) == nil)
  }

  @Test func `a token that is old by both clocks is expired, and one of the simulated time is good`() throws {
    let provider = try requester { $0.tokenUpdates = .off }
    #expect(push(provider, 1, issuedAt: Self.real + -.hours(2)) == .expiredProviderToken)
    #expect(push(provider, 2, issuedAt: Self.simulated) == nil)
    #expect(push(provider, 3, issuedAt: Self.real + -.minutes(59)) == nil)
  }

  @Test func `under a clock that stands, a provider that renews every fifty real minutes is never refused`()
    throws
  {
    let provider = try requester()
    for number in 0..<10 as Range<UInt64> {
      let moment = Self.real + .minutes(50 * Int64(number))
      #expect(push(provider, number, at: moment, issuedAt: moment) == nil)
    }
    let soon = Self.real + .minutes(50 * 9 + 19)
    #expect(push(provider, 99, at: soon, issuedAt: soon) == .tooManyProviderTokenUpdates)
  }

  @Test func `requests of a scenario and of a journal are judged by simulated time alone`() throws {
    let provider = try requester()
    let request = provider.request(CoreRequester.token(1, issuedAt: Self.real))
    #expect(provider.send(request)?.reason == .expiredProviderToken)
  }

  @Test func `a state of version 0.2 goes by simulated time alone`() throws {
    let provider = try requester { $0.rules = .first }
    #expect(push(provider, 1) == .expiredProviderToken)
  }

  @Test func `where all tokens are taken, no age is looked at`() throws {
    let provider = try requester()
    let token = CoreRequester.token(1, issuedAt: Timestamp(seconds: 0), .unverified)
    #expect(provider.send(provider.request(token))?.reason == nil)
  }

  @Test func `the real time stands in the evidence of a token's first request, and nowhere else`() throws {
    func evidence(_ provider: CoreRequester, _ number: UInt64) -> [UInt8] {
      provider.simulator.notification(number)?.evidence ?? []
    }
    let provider = try requester()
    for _ in 0..<2 { #expect(push(provider, 1) == nil) }
    #expect(push(provider, 2, at: Self.real + .hours(1), issuedAt: Self.real + .hours(1)) == nil)
    #expect((1...3).map { evidence(provider, $0).first } == [3, 1, 3])
    // A journal has it, and comes to the same.
    let again = try requester()
    for number in 1...3 as ClosedRange<UInt64> {
      let request = try #require(ProviderRequest(evidence: evidence(provider, number)))
      #expect(again.connection.receive([request], at: Self.simulated).answers.first?.reason == nil)
      #expect(evidence(again, number) == evidence(provider, number))
    }
    let real = try requester(virtual: false)
    #expect(push(real, 1) == nil && evidence(real, 1).first == 1)
  }

  @Test func `a reset forgets the first sights, and a restart keeps them`() throws {
    let provider = try requester()
    #expect(push(provider, 1) == nil)
    let kept = StateBytes.of { state in provider.simulator.withWorld { $0.firstSights.write(to: &state) } }
    let again = try StateBytes.read(kept) { try FirstSights(reading: &$0) }
    #expect(again.age(of: 1, at: Self.simulated + .minutes(5)) == .minutes(5))
    try provider.simulator.perform(.reset, at: Self.real)
    #expect(provider.simulator.withWorld { $0.firstSights.count } == 0)
  }

  @Test func `the oldest first sight gives way`() {
    var sights = FirstSights()
    for token in 0...UInt64(FirstSights.most) {
      _ = sights.see(token, issuedAt: Self.real, at: Self.simulated, real: Self.real)
    }
    #expect(sights.count == FirstSights.most)
    #expect(sights.age(of: 0, at: Self.simulated) == nil && sights.age(of: 1, at: Self.simulated) == .zero)
  }
}
