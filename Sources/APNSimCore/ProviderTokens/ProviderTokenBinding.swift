/// The provider tokens of one connection: the first good one binds it to its team and to the scope of its key.
package struct ProviderTokenBinding: Sendable {
  /// The most that `iat` may differ from the time of the simulation, in either direction.
  package static let maximumAge = TimeSpan.hours(1)

  /// The team and the scope of the key of the first good push; nil before it.
  package private(set) var first: (team: String, keyID: String, scope: ProviderKeyScope)?

  package init() {}

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
    if first == nil { first = (token.teamID, token.keyID, token.scope) }
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

extension ProviderTokenBinding: Kept {
  func write(to state: inout StateWriter) {
    state.write(first != nil)
    if let first {
      state.write(first.team)
      state.write(first.keyID)
      state.write(first.scope)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    self.init()
    if try state.read(Bool.self) { first = try (state.read(), state.read(), state.read()) }
  }
}
