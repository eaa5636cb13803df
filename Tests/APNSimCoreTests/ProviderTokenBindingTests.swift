import Testing

@testable import APNSimCore

@Suite
struct ProviderTokenBindingTests {
  private let start = Timestamp(seconds: 1_800_000_000)
  private var updates: ProviderTokenUpdates? = ProviderTokenUpdates()
  private var binding = ProviderTokenBinding()

  private func token(
    _ number: UInt64,
    key: String = "APNSIMKEY1",
    team: String = "APNSIMTEAM",
    age: Int64 = 0,
    verdict: ProviderTokenFacts.Verdict = .good,
    scope: ProviderKeyScope = ProviderKeyScope(team: "APNSIMTEAM")
  ) -> ProviderTokenFacts {
    ProviderTokenFacts(
      number: number,
      keyID: key,
      teamID: team,
      issuedAt: start.seconds - age,
      verdict: verdict,
      scope: scope
    )
  }

  private mutating func judge(_ token: ProviderTokenFacts, after minutes: Int64 = 0) -> ProviderTokenReason? {
    let now = start + .minutes(minutes)
    let moment = ProviderTokenBinding.Moment(now: now, age: now - Timestamp(seconds: token.issuedAt))
    return binding.judge(token, in: .production, at: moment, updates: &updates)
  }

  @Test
  mutating func `a token is good for an hour of its iat in either direction`() {
    updates = nil
    #expect(judge(token(1, age: 3600)) == nil)
    #expect(judge(token(2, age: 3601)) == .expired)
    #expect(judge(token(3, age: -3600)) == nil)
    #expect(judge(token(4, age: -3601)) == .expired)
    #expect(judge(token(5, age: .min / 2)) == .expired)
  }

  @Test
  mutating func `a second good token within 20 minutes is too many, and a known one is no update`() {
    #expect(judge(token(1)) == nil)
    #expect(judge(token(2), after: 19) == .tooManyUpdates)
    #expect(judge(token(1), after: 19) == nil)
    #expect(judge(token(2), after: 20) == nil)
    #expect(judge(token(1), after: 21) == nil)
    #expect(judge(token(3), after: 39) == .tooManyUpdates)
    #expect(judge(token(4, key: "OTHERKEY01"), after: 39) == nil)
  }

  @Test
  mutating func
    `a new token is no update where it was issued 20 minutes from the last, however fast the clock`()
  {
    #expect(judge(token(1, age: 1200)) == nil)
    #expect(judge(token(2, age: 1)) == .tooManyUpdates)
    #expect(judge(token(3)) == nil)
    #expect(judge(token(4, age: -1199)) == .tooManyUpdates)
    #expect(judge(token(5, age: -1200)) == nil)
    #expect(judge(token(6, age: -1201)) == .tooManyUpdates)
    #expect(judge(token(6, age: -1201), after: 20) == nil)
  }

  @Test
  mutating func `refused tokens are too many from the third change on, for 20 minutes`() {
    #expect(judge(token(1, verdict: .badSignature)) == .invalid)
    #expect(judge(token(1, verdict: .badSignature)) == .invalid)
    #expect(judge(token(2, verdict: .badSignature)) == .invalid)
    #expect(judge(token(3, verdict: .badSignature)) == .tooManyUpdates)
    #expect(judge(token(4, verdict: .badSignature), after: 20) == .invalid)
  }

  @Test
  mutating func `the first good token binds the connection to its team and the kind of its key`() {
    updates = nil
    #expect(judge(token(1, verdict: .unknownKey)) == .invalid)
    #expect(judge(token(1, verdict: .malformed)) == .invalid)
    #expect(judge(token(2, team: "OTHERTEAM1")) == .invalid)
    #expect(binding.first == nil)
    #expect(judge(token(3)) == nil)
    #expect(binding.first?.team == "APNSIMTEAM")
    #expect(judge(token(4, key: "K2", team: "OTHERTEAM1", scope: ProviderKeyScope())) == .invalid)
    #expect(judge(token(5, key: "K3", scope: ProviderKeyScope(environment: .sandbox))) == .otherEnvironment)
    #expect(judge(token(6, key: "K4", scope: ProviderKeyScope(topics: ["a"]))) == .unrelatedKey)
    #expect(judge(token(7, key: "K5")) == nil)
  }

  @Test
  mutating func `topic keys with a common topic are related`() {
    updates = nil
    let first = ProviderKeyScope(environment: .production, topics: ["a", "b"])
    #expect(judge(token(1, key: "K1", scope: first)) == nil)
    #expect(judge(token(2, key: "K2", scope: ProviderKeyScope(topics: ["b", "c"]))) == nil)
    #expect(judge(token(3, key: "K3", scope: ProviderKeyScope(topics: ["c"]))) == .unrelatedKey)
    #expect(judge(token(4, key: "K4")) == .unrelatedKey)
    #expect(first.allows(topic: "a"))
    #expect(!first.allows(topic: "c"))
    #expect(ProviderKeyScope().allows(topic: "c"))
  }

  @Test
  mutating func `more keys than are told apart are counted as one`() {
    for number in 0..<UInt64(ProviderTokenUpdates.maximumKeys) {
      #expect(judge(token(number, key: "K\(number)", scope: ProviderKeyScope())) == nil)
    }
    #expect(judge(token(1000, key: "X", scope: ProviderKeyScope())) == nil)
    #expect(judge(token(1001, key: "Y", scope: ProviderKeyScope())) == .tooManyUpdates)
  }
}
