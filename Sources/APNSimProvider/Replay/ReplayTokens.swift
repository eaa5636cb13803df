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
  /// The ages of tokens whose provider's clock was not the recorded one.
  private var sights = FirstSights()
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
  ///   - real: the provider's own time, where the capture has it.
  ///   - now: in seconds since 1970.
  mutating func value(
    of authorization: RequestAuthorization,
    at time: Timestamp,
    real: Timestamp? = nil,
    now: Int64
  ) throws -> String? {
    switch authorization.scheme {
    case .none: return nil
    case .other: return "basic"
    case .bearer: break
    }
    guard let facts = authorization.token, facts.verdict != .malformed else { return "bearer malformed" }
    let (age, isOver) = age(of: facts, at: time, real: real)
    let original = Original(number: facts.number, isExpired: isOver || age.magnitude > Self.lifetime)
    if let known = made[original] { return known }
    // Beyond this a token is as good as any other that has expired.
    let bounded = isOver ? 2 * Self.lifetime : max(-(1 << 40), min(1 << 40, age))
    let value = "bearer " + (try sign(facts, issuedAt: now - bounded))
    if made.count >= Self.most { made.removeAll() }
    made[original] = value
    return value
  }

  /// The age of a token in seconds, as the simulator that recorded it took it, and true where no number says it.
  private mutating func age(
    of facts: ProviderTokenFacts,
    at time: Timestamp,
    real: Timestamp?
  ) -> (seconds: Int64, isOver: Bool) {
    let known =
      sights.age(of: facts.number, at: time)
      ?? real.map {
        sights.see(facts.number, issuedAt: Timestamp(seconds: facts.issuedAt), at: time, real: $0)
      }
    if let known { return (known.milliseconds / 1000, false) }
    let (seconds, isOver) = time.seconds.subtractingReportingOverflow(facts.issuedAt)
    return (seconds, isOver)
  }

  private mutating func sign(_ facts: ProviderTokenFacts, issuedAt: Int64) throws -> String {
    let known = keys.first { $0.id == facts.keyID } ?? keys.first
    let isOfUnknownKey = facts.verdict == .unknownKey || facts.verdict == .swapped
    let id = isOfUnknownKey ? unknownID(facts.keyID) : known?.id ?? facts.keyID
    // Nobody knows the key of a token that was exported.
    let isKnown = !isOfUnknownKey && !facts.keyID.isEmpty
    if let known, isKnown, known.id != facts.keyID { replaced[facts.keyID] = known.id }
    let team =
      [known?.team, facts.teamID].compactMap { $0 }
      .first { PKIDirectory.isProviderKeyID($0) } ?? Self.usualTeam
    let key = facts.isGood ? known?.key : nil
    guard !facts.isGood || key != nil else { throw ReplayTokenFailure() }
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
