import APNSimCore
package import APNSimTLS
import APNSimWire

/// Provider tokens made anew for the captured ones, whose text no capture has: signed by given keys, as old as they were,
/// and as many.
package struct ReplayTokens {
  /// A key that signs.
  package struct Key {
    package var id: String
    /// Nil: the captured token's.
    package var team: String?
    package var key: ProviderKey

    package init(id: String, team: String?, key: ProviderKey) {
      (self.id, self.team, self.key) = (id, team, key)
    }
  }

  /// The source of a token: the same for requests that had the same one.
  private struct Original: Hashable {
    var number: UInt64
    /// An expired one is made as old as it was then.
    var isExpired: Bool
  }

  private let keys: [Key]
  /// The key that signs where the signature was wrong, or the key unknown.
  private let other: ProviderKey
  private var made: [Original: String] = [:]
  /// The captured keys in whose place another one signs, with that one's identifier.
  private(set) var replaced: [String: String] = [:]

  /// The most that are kept; a provider that makes one for each push needs no more.
  private static let most = 10_000
  /// A provider token is good for so many seconds ("Establishing a token-based connection").
  private static let lifetime: Int64 = 3600
  private static let usualTeam = PKIDirectory.defaultTeam

  /// - Parameter keys: tokens of a key that is not among them are signed by the first.
  package init(_ keys: [Key]) throws(TLSSetupError) {
    self.keys = keys
    other = try ProviderKey.generate()
  }

  /// The value of `authorization`; nil for a request that had none.
  /// - Parameters:
  ///   - time: of the request in the capture.
  ///   - now: in seconds since 1970.
  mutating func value(
    of authorization: RequestAuthorization,
    at time: Timestamp,
    now: Int64
  ) throws -> String? {
    switch authorization.scheme {
    case .none: return nil
    case .other: return "basic"
    case .bearer: break
    }
    guard let facts = authorization.token, facts.verdict != .malformed else { return "bearer malformed" }
    let (age, isOver) = time.seconds.subtractingReportingOverflow(facts.issuedAt)
    let original = Original(number: facts.number, isExpired: isOver || age.magnitude > Self.lifetime)
    if let known = made[original] { return known }
    // Beyond this a token is as good as any other that has expired.
    let bounded = isOver ? 2 * Self.lifetime : max(-(1 << 40), min(1 << 40, age))
    let value = "bearer " + (try sign(facts, issuedAt: now - bounded))
    if made.count >= Self.most { made.removeAll() }
    made[original] = value
    return value
  }

  private mutating func sign(_ facts: ProviderTokenFacts, issuedAt: Int64) throws -> String {
    let known = keys.first { $0.id == facts.keyID } ?? keys.first
    let id = facts.verdict == .unknownKey ? unknownID(facts.keyID) : known?.id ?? facts.keyID
    // Nobody knows the key of a token that was exported.
    let isKnown = facts.verdict != .unknownKey && !facts.keyID.isEmpty
    if let known, isKnown, known.id != facts.keyID { replaced[facts.keyID] = known.id }
    let team =
      [known?.team, facts.teamID].compactMap { $0 }
      .first { PKIDirectory.isProviderKeyID($0) } ?? Self.usualTeam
    let key = facts.verdict == .good ? known?.key : nil
    guard facts.verdict != .good || key != nil else { throw ReplayTokenFailure() }
    return try (key ?? other).token(
      id: id,
      team: team,
      issuedAt: issuedAt,
      isTimeText: facts.isTimeText,
      isDER: facts.isSignatureDER
    )
  }

  /// An identifier that no given key has.
  private func unknownID(_ id: String) -> String {
    let isFree = PKIDirectory.isProviderKeyID(id) && !keys.contains { $0.id == id }
    return isFree ? id : "UNKNOWNKEY"
  }
}

/// A capture has provider tokens, and there is no key to make them anew.
package struct ReplayTokenFailure: Error, CustomStringConvertible {
  package var description: String {
    "the capture has requests with provider tokens, and there is no key that signs them anew"
  }
}
