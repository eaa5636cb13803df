/// The provider tokens of one connection: the first good one binds it to its team and to the scope of its key.
package struct ProviderTokenBinding: Sendable {
  /// The most that `iat` may differ from the time of the simulation, in either direction.
  package static let maximumAge = TimeSpan.hours(1)

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
    at now: Timestamp,
    updates: inout ProviderTokenUpdates?
  ) -> ProviderTokenReason? {
    if let reason = reason(token, in: environment, at: now) {
      let isCounted = updates?.admitsRefusal(token.number, of: token.keyID, at: now) ?? true
      return isCounted ? reason : .tooManyUpdates
    }
    guard updates?.admits(token.number, of: token.keyID, at: now) ?? true else { return .tooManyUpdates }
    if first == nil { first = Holder(team: token.teamID, keyID: token.keyID, scope: token.scope) }
    return nil
  }

  private func reason(
    _ token: ProviderTokenFacts,
    in environment: PushEnvironment,
    at now: Timestamp
  ) -> ProviderTokenReason? {
    guard token.verdict == .good else { return .invalid }
    if let team = token.scope.team, team != token.teamID { return .invalid }
    if let first, first.team != token.teamID { return .invalid }
    if let own = token.scope.environment, own != environment { return .otherEnvironment }
    if let first, first.keyID != token.keyID, !first.scope.isRelated(to: token.scope) { return .unrelatedKey }
    let age = now - Timestamp(seconds: token.issuedAt)
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
