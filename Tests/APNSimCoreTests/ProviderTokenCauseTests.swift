import APNSimWire
import Testing

@testable import APNSimCore

/// The first error of every provider: each cause of it has its sentence.
@Suite struct `The cause of a refused provider token` {
  /// A request that is refused, and what is said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let authorization: RequestAuthorization
    let reason: Reason
    let found: String

    var testDescription: String { found }
  }

  private static func facts(
    _ verdict: ProviderTokenFacts.Verdict = .good,
    key: String = "KEY",
    team: String = "TEAM",
    age: TimeSpan = .zero,
    scope: ProviderKeyScope = ProviderKeyScope(),
    problem: String = ""
  ) -> RequestAuthorization {
    var facts = ProviderTokenFacts(
      number: 7,
      keyID: key,
      teamID: team,
      issuedAt: (Moment.start + -age).seconds,
      verdict: verdict,
      scope: scope
    )
    facts.problem = problem
    return .bearer(facts)
  }

  static let cases = [
    Case(
      authorization: RequestAuthorization(),
      reason: .missingProviderToken,
      found: "no authorization header, or nothing after bearer"
    ),
    Case(
      authorization: RequestAuthorization(scheme: .other),
      reason: .missingProviderToken,
      found: "an authorization of another scheme than bearer"
    ),
    Case(
      authorization: facts(
        .malformed,
        key: "",
        team: "",
        problem: #"header: expected alg ES256, found "HS256""#
      ),
      reason: .invalidProviderToken,
      found: #"a token that cannot be read (header: expected alg ES256, found "HS256")"#
    ),
    Case(
      authorization: facts(.unknownKey),
      reason: .invalidProviderToken,
      found: #"a token of the key "KEY", which is not known here"#
    ),
    Case(
      authorization: facts(.swapped),
      reason: .invalidProviderToken,
      found: #"a token of the key "KEY" and the team "TEAM", which are swapped"#
    ),
    Case(
      authorization: facts(.badSignature),
      reason: .invalidProviderToken,
      found: #"a token of the key "KEY", which this key did not sign"#
    ),
    Case(
      authorization: facts(team: "MINE", scope: ProviderKeyScope(team: "APNSIMTEAM")),
      reason: .invalidProviderToken,
      found: #"a token of the team "MINE", and its key "KEY" belongs to the team "APNSIMTEAM""#
    ),
    Case(
      authorization: facts(scope: ProviderKeyScope(environment: .sandbox)),
      reason: .badEnvironmentKeyIdInToken,
      found: #"a token of the key "KEY", which is for the sandbox, on a production port"#
    ),
    Case(
      authorization: facts(age: .seconds(7500)),
      reason: .expiredProviderToken,
      found:
        "a token that was issued 2h5m before the request by the simulator's clock (iat \(Moment.start + -.seconds(7500)))"
    ),
    Case(
      authorization: facts(age: -.seconds(3661)),
      reason: .expiredProviderToken,
      found:
        "a token that was issued 1h1m1s after the request by the simulator's clock (iat \(Moment.start + .seconds(3661)))"
    ),
  ]

  @Test(arguments: cases)
  func `a refused request says what was found of its token, and what to do`(_ refused: Case) throws {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request(refused.authorization))?.reason == refused.reason)
    let view = try #require(provider.simulator.notification(1))
    let line = try #require(view.explanations.last)
    #expect(line.check == "authorization" && !line.isPassed && line.hint?.isEmpty == false)
    let detail = try #require(line.detail)
    #expect(detail.contains("found \(refused.found): \(refused.reason.name())"), "\(detail)")
    #expect(provider.simulator.refusedAuthorization(of: 1) == detail)
    // The finding that is kept says the same after a restart, and in a replay.
    refused.authorization.finding.withUnsafeBytes { finding in
      guard !finding.isEmpty else { return }
      let again = RequestAuthorization(scheme: .bearer, hasCertificate: false, finding: finding)
      #expect(again.token == refused.authorization.token)
    }
  }

  @Test
  func
    `a second token within twenty minutes is told from a third refused one, and both from a rule's answer`()
    throws
  {
    let provider = try CoreRequester(Samples.simulator())
    #expect(provider.send(provider.request())?.status == 200)
    #expect(provider.send(provider.request(CoreRequester.token(2)))?.status == 429)
    #expect(
      provider.simulator.refusedAuthorization(of: 2)?.contains("a second token of the key \"KEY\"") == true
    )
    for number: UInt64 in 3...5 {
      provider.send(provider.request(CoreRequester.token(number, .badSignature)))
    }
    #expect(provider.simulator.refusedAuthorization(of: 5)?.contains("the third refused token") == true)
    let other = CoreRequester.token(6, team: "OTHER")
    provider.send(provider.request(other))
    #expect(provider.simulator.refusedAuthorization(of: 1) == nil)
  }

  @Test func `a token of another team than the connection's says so`() throws {
    let provider = try CoreRequester(Samples.simulator())
    provider.send(provider.request())
    provider.send(provider.request(CoreRequester.token(3, team: "OTHER")))
    let said = provider.simulator.refusedAuthorization(of: 2)
    #expect(said?.contains("on a connection whose first push was another team's") == true)
  }

  @Test func `a wait that misses a refused request has the cause among what is otherwise`() throws {
    let provider = try CoreRequester(Samples.simulator())
    provider.send(provider.request(Self.facts(.unknownKey)))
    let query = Query([Query.Condition(path: "outcome", matcher: .equals(.string("delivered")))])
    let miss = try #require(provider.simulator.nearMisses(query, from: 1).first)
    #expect(miss.differences.map(\.path) == ["outcome", "authorization"])
    #expect(miss.differences.last?.actual?.stringValue?.contains("which is not known here") == true)
  }
}
