package import APNSimWire

/// The cause for which a request's provider token was refused, in words: one table for explanations, near misses, pages, the log
/// and `send`. The token itself is in none of them.
package struct ProviderTokenCause: Hashable, Sendable {
  /// The finding: `a token of the key "ABC", which is not known here`.
  package var found: String
  /// The remedy.
  package var hint: String

  init(_ found: String, _ hint: String) { (self.found, self.hint) = (found, hint) }

  /// The circumstances that a token was judged in.
  package struct Circumstances: Sendable {
    var environment: PushEnvironment
    var time: Timestamp
    /// The clock that its age was taken by, in words.
    var clock: String
    /// Its age from its first sight, where its provider's clock was another.
    var seenAge: TimeSpan?

    package init(environment: PushEnvironment, time: Timestamp, clock: String = "the simulator's clock") {
      (self.environment, self.time, self.clock) = (environment, time, clock)
    }
  }

  /// Nil for a reason that is no token's doing.
  package init?(_ authorization: RequestAuthorization, _ reason: Reason, _ circumstances: Circumstances) {
    guard !authorization.hasCertificate else { return nil }
    if reason == .missingProviderToken {
      self = Self.missing(authorization.scheme)
      return
    }
    guard let token = authorization.token else { return nil }
    switch reason {
    case .invalidProviderToken: self = Self.invalid(token)
    case .expiredProviderToken: self = Self.expired(token, circumstances)
    case .badEnvironmentKeyIdInToken: self = Self.otherEnvironment(token, circumstances.environment)
    case .unrelatedKeyIdInToken: self = Self.unrelated(token)
    case .tooManyProviderTokenUpdates: self = Self.tooMany(token, circumstances)
    default: return nil
    }
  }

  private static func missing(_ scheme: Request.Scheme) -> ProviderTokenCause {
    let hint = "send `authorization: bearer TOKEN`; `apnsim certs jwt` prints a token"
    return scheme == .other
      ? ProviderTokenCause("an authorization of another scheme than bearer", hint)
      : ProviderTokenCause("no authorization header, or nothing after bearer", hint)
  }

  private static func invalid(_ token: ProviderTokenFacts) -> ProviderTokenCause {
    let (key, team) = ("\"\(token.keyID)\"", "\"\(token.teamID)\"")
    switch token.verdict {
    case .malformed:
      let problem = token.problem.isEmpty ? "" : " (\(token.problem))"
      return ProviderTokenCause(
        "a token that cannot be read\(problem)",
        "it is a JSON Web Token with alg ES256 and kid, iss and iat, signed with the key's .p8 file"
      )
    case .unknownKey:
      return ProviderTokenCause(
        "a token of the key \(key), which is not known here",
        "sign with the simulator's key and its key ID, or start with --auth-key AuthKey_<ID>.p8 or --provider-tokens any"
      )
    case .swapped:
      return ProviderTokenCause(
        "a token of the key \(key) and the team \(team), which are swapped",
        "kid is the key ID, \(team), and iss the team ID, \(key)"
      )
    case .badSignature:
      return ProviderTokenCause(
        "a token of the key \(key), which this key did not sign",
        "sign with the .p8 file of that key, with ES256, header and claims as they are sent"
      )
    case .good, .unverified: break
    }
    guard let owner = token.scope.team, owner != token.teamID else {
      return ProviderTokenCause(
        "a token of the team \(team), on a connection whose first push was another team's",
        "open a connection for each team"
      )
    }
    return ProviderTokenCause(
      "a token of the team \(team), and its key \(key) belongs to the team \"\(owner)\"",
      "iss is \"\(owner)\" with this key; \"apnsim certs key --team TEAM\" makes one for another team"
    )
  }

  private static func expired(_ token: ProviderTokenFacts, _ now: Circumstances) -> ProviderTokenCause {
    let issued = Timestamp(seconds: token.issuedAt)
    let age = now.seenAge ?? now.time - issued
    let isAhead = age < .zero
    let distance = Self.words(isAhead ? -age : age)
    if now.seenAge != nil, !isAhead {
      return ProviderTokenCause(
        "a token that is \(distance) old: its age at first sight, and the simulated time since (iat \(issued))",
        "make a new token at least once an hour of simulated time; that old is the most"
      )
    }
    return ProviderTokenCause(
      "a token that was issued \(distance) \(isAhead ? "after" : "before") the request by \(now.clock) (iat \(issued))",
      isAhead
        ? "iat is the present time in seconds; an hour ahead is the most"
        : "make a new token at least once an hour; that old is the most"
    )
  }

  /// `2h5m`, without what is less than a second.
  private static func words(_ span: TimeSpan) -> String { "\(TimeSpan.seconds(span.milliseconds / 1000))" }

  private static func otherEnvironment(
    _ token: ProviderTokenFacts,
    _ environment: PushEnvironment
  ) -> ProviderTokenCause {
    let own = token.scope.environment?.rawValue ?? "other environment"
    return ProviderTokenCause(
      "a token of the key \"\(token.keyID)\", which is for the \(own), on a \(environment.rawValue) port",
      "take the key of the environment, or the environment of the key"
    )
  }

  private static func unrelated(_ token: ProviderTokenFacts) -> ProviderTokenCause {
    ProviderTokenCause(
      "a token of the key \"\(token.keyID)\", which has no topic in common with the key of the connection's first push",
      "open a connection for each key"
    )
  }

  private static func tooMany(_ token: ProviderTokenFacts, _ now: Circumstances) -> ProviderTokenCause {
    let hint = "make one token, and use it for 20 to 60 minutes on all connections"
    let isRefused = !token.isGood || Self.invalid(token).found.contains("belongs to")
    return isRefused
      ? ProviderTokenCause("the third refused token of the key \"\(token.keyID)\" within 20 minutes", hint)
      : ProviderTokenCause(
        "a second token of the key \"\(token.keyID)\" within 20 minutes (iat \(Timestamp(seconds: token.issuedAt)))",
        hint
      )
  }
}
