import APNSimWire
import Testing

@testable import APNSimCore

/// Libraries make a new provider token where one is refused, as they must: a script that refuses one has to let them.
@Suite struct `A provider token that a script refuses` {
  private func simulator(
    _ counting: TokenUpdateCounting = .connection,
    rules: OutcomeRules = .current,
    _ reason: Reason = .expiredProviderToken,
    times: Int = 1
  ) throws -> Simulator {
    var configuration = Configuration()
    configuration.tokenUpdates = counting
    configuration.rules = rules
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    let rule = Rule(name: "refuse", times: times, action: .answer(ScriptedAnswer(reason: reason)))
    scenario.rules = times > 0 ? [rule] : []
    return try Simulator(configuration: configuration, scenario: scenario, seed: 1, start: Moment.start)
  }

  private func reasons(_ provider: CoreRequester, _ tokens: [UInt64]) -> [Reason?] {
    tokens.map { provider.send(provider.request(CoreRequester.token($0)))?.reason }
  }

  @Test(
    arguments: [TokenUpdateCounting.connection, .team],
    [Reason.expiredProviderToken, .invalidProviderToken]
  )
  func `the next good token after a scripted refusal is no update, and a further one is`(
    counting: TokenUpdateCounting,
    reason: Reason
  ) throws {
    let provider = try CoreRequester(simulator(counting, reason))
    #expect(reasons(provider, [1, 2, 2, 1, 3]) == [reason, nil, nil, nil, .tooManyProviderTokenUpdates])
  }

  @Test func `however many requests had a refused token, it exempts one new token`() throws {
    let provider = try CoreRequester(simulator(times: 3))
    let expired = Reason.expiredProviderToken
    #expect(
      reasons(provider, [1, 1, 1, 2, 3]) == [expired, expired, expired, nil, .tooManyProviderTokenUpdates]
    )
  }

  @Test func `each token that is refused exempts one`() throws {
    let provider = try CoreRequester(simulator(times: 2))
    let expired = Reason.expiredProviderToken
    #expect(reasons(provider, [1, 2, 3, 4]) == [expired, expired, nil, .tooManyProviderTokenUpdates])
  }

  @Test func `another reason of a script exempts none, and neither does the judge's own`() throws {
    let provider = try CoreRequester(simulator(.connection, .internalServerError))
    #expect(reasons(provider, [1, 2]) == [.internalServerError, .tooManyProviderTokenUpdates])
    let judged = try CoreRequester(simulator(times: 0))
    let stale = CoreRequester.token(9, issuedAt: Moment.start + -.hours(2))
    #expect(judged.send(judged.request())?.reason == nil)
    #expect(judged.send(judged.request(stale))?.reason == .expiredProviderToken)
    #expect(reasons(judged, [2]) == [.tooManyProviderTokenUpdates])
  }

  @Test func `a state of version 0.2 goes on counting the new token`() throws {
    let provider = try CoreRequester(simulator(rules: .first))
    #expect(reasons(provider, [1, 2]) == [.expiredProviderToken, .tooManyProviderTokenUpdates])
  }

  @Test func `advice does not blame a provider for what scripts answer`() throws {
    let provider = try CoreRequester(simulator(times: 5))
    _ = reasons(provider, [1, 1, 1])
    #expect(!provider.simulator.advice().contains { $0.kind == .staleProviderToken })
  }
}
