import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Provider tokens that are kept` {
  private static let start = Timestamp(seconds: 1_800_000_000)

  /// Two teams, one of them with so many keys.
  static func teams(_ keys: Int) -> TeamTokenUpdates {
    var teams = TeamTokenUpdates()
    for key in 0..<keys {
      _ = teams["MANY"]?.admits(UInt64(key), of: "KEY\(key)", at: start)
    }
    for number in 0..<20 {
      _ = teams["ONE"]?.admits(UInt64(number), of: "KEY", at: start + .hours(Int64(number)))
    }
    for number in 0..<2 { _ = teams["ONE"]?.admitsRefusal(UInt64(100 + number), of: "BAD", at: start) }
    return teams
  }

  private static func bytes(_ teams: TeamTokenUpdates) -> [UInt8] {
    var state = StateWriter()
    teams.write(to: &state)
    return state.array
  }

  private static func read(_ bytes: [UInt8]) throws -> TeamTokenUpdates {
    try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      return try TeamTokenUpdates(reading: &state)
    }
  }

  @Test func `provider tokens that are kept go on being counted`() throws {
    // More than are told apart.
    var teams = Self.teams(ProviderTokenUpdates.maximumKeys + 3)
    var again = try Self.read(Self.bytes(teams))
    let later = [(19, "KEY", 0), (99, "KEY", 1), (102, "BAD", 1), (3, "KEY2", 30), (4, "NEW", 1)]
    for (number, key, minutes) in later {
      for team in ["ONE", "MANY"] {
        let now = Self.start + .minutes(Int64(minutes))
        let one = teams[team]?.admits(UInt64(number), of: key, at: now)
        #expect(again[team]?.admits(UInt64(number), of: key, at: now) == one)
        let other = teams[team]?.admitsRefusal(UInt64(number), of: key, at: now)
        #expect(again[team]?.admitsRefusal(UInt64(number), of: key, at: now) == other)
      }
    }
    #expect(Self.bytes(teams) == Self.bytes(again))
  }

  @Test func `provider tokens that are kept bind a connection as before`() throws {
    let scope = ProviderKeyScope(team: "TEAM", environment: .sandbox, topics: ["com.example.sim"])
    var facts = ProviderTokenFacts(
      number: 1,
      keyID: "KEY",
      teamID: "TEAM",
      issuedAt: Self.start.seconds,
      verdict: .good,
      scope: scope,
      remarks: .textIssuedAt
    )
    var (binding, updates) = (ProviderTokenBinding(), ProviderTokenUpdates?.none)
    #expect(
      binding.judge(
        facts,
        in: .sandbox,
        at: ProviderTokenBinding.Moment(now: Self.start, age: .zero),
        updates: &updates
      ) == nil
    )
    let bytes = StateBytes.of { binding.write(to: &$0) }
    var again = try StateBytes.read(bytes) { try ProviderTokenBinding(reading: &$0) }
    facts.keyID = "OTHER"
    facts.scope.topics = []
    #expect(
      again.judge(
        facts,
        in: .sandbox,
        at: ProviderTokenBinding.Moment(now: Self.start, age: .zero),
        updates: &updates
      ) == .unrelatedKey
    )
  }
}
