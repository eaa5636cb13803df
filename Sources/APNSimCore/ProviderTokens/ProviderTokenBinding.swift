/// The provider tokens of one connection: the first good one binds it to its team and to the scope of its key.
package struct ProviderTokenBinding: Sendable {
  /// The most that `iat` may differ from the time of the simulation, in either direction.
  package static let maximumAge = TimeSpan.hours(1)

  /// The time of a request, and the age of its token then.
  package struct Moment: Sendable {
    var now: Timestamp
    var age: TimeSpan
    /// A change counts as too soon only where the tokens were issued within twenty minutes, too.
    var countsIssue: Bool

    package init(now: Timestamp, age: TimeSpan, countsIssue: Bool = true) {
      (self.now, self.age, self.countsIssue) = (now, age, countsIssue)
    }
  }

  /// The team and the key of a push.
  package struct Holder: Sendable {
    package var team: String
    package var keyID: String
    package var scope: ProviderKeyScope
  }

  /// The holder of the first good push's token; nil before it.
  package private(set) var first: Holder?

  package init() { self.init(nil) }

  private init(_ first: Holder?) { self.first = first }

  /// Judges the token of a request, in the order: signature and team, environment, related key, age, updates.
  ///
  /// - Parameter updates: the counts of this connection or of the team; nil where updates are not counted.
  /// - Returns: nil where the token is good.
  package mutating func judge(
    _ token: ProviderTokenFacts,
    in environment: PushEnvironment,
    at moment: Moment,
    updates: inout ProviderTokenUpdates?
  ) -> ProviderTokenReason? {
    if let reason = reason(token, in: environment, moment.age) {
      let isCounted = updates?.admitsRefusal(token.number, of: token.keyID, at: moment.now) ?? true
      return isCounted ? reason : .tooManyUpdates
    }
    let issuedAt = moment.countsIssue ? token.issuedAt : nil
    guard updates?.admits(token.number, of: token.keyID, issuedAt: issuedAt, at: moment.now) ?? true else {
      return .tooManyUpdates
    }
    if first == nil { first = Holder(team: token.teamID, keyID: token.keyID, scope: token.scope) }
    return nil
  }

  private func reason(
    _ token: ProviderTokenFacts,
    in environment: PushEnvironment,
    _ age: TimeSpan
  ) -> ProviderTokenReason? {
    guard token.isGood else { return .invalid }
    if let team = token.scope.team, team != token.teamID { return .invalid }
    if let first, first.team != token.teamID { return .invalid }
    if let own = token.scope.environment, own != environment { return .otherEnvironment }
    if let first, first.keyID != token.keyID, !first.scope.isRelated(to: token.scope) { return .unrelatedKey }
    if token.verdict == .unverified { return nil }
    if age > Self.maximumAge || age < -Self.maximumAge { return .expired }
    return nil
  }
}

extension ProviderTokenBinding: KeptByMembers {
  static let members = Members(Self.init, \.first)
}

extension ProviderTokenBinding.Holder: KeptByMembers {
  static let members = Members(Self.init, \.team, \.keyID, \.scope)
}
