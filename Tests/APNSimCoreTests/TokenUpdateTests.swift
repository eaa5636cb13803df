import APNSimWire
import Testing

@testable import APNSimCore

/// The counts of changes of the provider token.
@Suite struct `Updates of provider tokens` {
  /// The reasons of two tokens of one team on two connections, one after the other on each.
  private func reasons(_ counting: TokenUpdateCounting) throws -> [Reason?] {
    var configuration = Configuration()
    configuration.tokenUpdates = counting
    let simulator = try Simulator(configuration: configuration, seed: 1, start: Moment.start)
    let connections = try [CoreRequester(simulator), CoreRequester(simulator)]
    return [(0, 1), (0, 1), (1, 2), (1, 1), (0, 2)].map { (connection: Int, token: UInt64) in
      let provider = connections[connection]
      return provider.send(provider.request(CoreRequester.token(token)))?.reason
    }
  }

  @Test func `updates of provider tokens are counted by connection`() throws {
    #expect(
      try reasons(.connection) == [nil, nil, nil, .tooManyProviderTokenUpdates, .tooManyProviderTokenUpdates]
    )
  }

  @Test func `updates of provider tokens are counted by team`() throws {
    #expect(
      try reasons(.team) == [nil, nil, .tooManyProviderTokenUpdates, nil, .tooManyProviderTokenUpdates]
    )
  }

  @Test func `updates of provider tokens are not counted`() throws {
    #expect(try reasons(.off) == [nil, nil, nil, nil, nil])
  }

  @Test func `updates of provider tokens of more teams than are told apart are counted together`() {
    var updates = TeamTokenUpdates()
    for team in 0..<TeamTokenUpdates.maximumTeams + 10 {
      #expect(updates["T\(team)"]?.admits(UInt64(team), of: "KEY", at: Moment.start) == (team <= 1024))
    }
  }

  @Test func `updates of provider tokens are named by a journal only where somebody chose`() throws {
    for counting in TokenUpdateCounting.allCases {
      var configuration = Configuration()
      configuration.tokenUpdates = counting
      let header = JournalHeader(
        seed: 1,
        start: Moment.start,
        isVirtual: true,
        scenario: Scenario(),
        configuration: configuration,
        now: Moment.start
      )
      let isNamed = String(decoding: header.line, as: UTF8.self).contains("tokenUpdates")
      #expect(isNamed == (counting != .connection))
    }
  }
}
