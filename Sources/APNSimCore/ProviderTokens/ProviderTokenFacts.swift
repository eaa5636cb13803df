package import APNSimWire

/// All that judging and recording need of a provider token; never the token itself.
package struct ProviderTokenFacts: Hashable, Sendable {
  /// The facts of a token's bytes under the keys of the server, whatever the time.
  package enum Verdict: String, Hashable, Sendable {
    /// Signed by the key it names; of version 0.2, also any well-formed token, where all are taken.
    case good
    /// Not a JSON Web Token with ES256, a key and a team.
    case malformed
    case unknownKey
    case badSignature
    /// Taken as it is, where all are (`--provider-tokens any`): neither its signature nor its age is looked at.
    case unverified
    /// As ``unknownKey``, and the team that it names is a key that is known: the two are swapped.
    case swapped

    /// The word of the control API: `good`, `malformed`, `unknownKey` or `badSignature`.
    package var name: String {
      switch self {
      case .unverified: Self.good.rawValue
      case .swapped: Self.unknownKey.rawValue
      case .good, .malformed, .unknownKey, .badSignature: rawValue
      }
    }
  }

  /// Tells tokens apart by their bytes: two with the same number have the same bytes.
  package var number: UInt64
  /// The key and the team that the token names; empty where it is malformed.
  package var keyID: String
  package var teamID: String
  /// The claim `iat`, in seconds since 1970.
  package var issuedAt: Int64
  package var verdict: Verdict
  /// The scope of the key that signed; that of a key for everything where tokens are not verified.
  package var scope: ProviderKeyScope
  /// Oddities that are accepted here and not everywhere: `iat` as a text, a signature in DER, and the forms that Apple takes and
  /// documents nowhere.
  package var remarks: ProviderToken.Remarks
  /// The expectation that one that is malformed fails, and what was found; empty in recordings of version 0.2.
  package var problem = ""

  package init(
    number: UInt64,
    keyID: String,
    teamID: String,
    issuedAt: Int64,
    verdict: Verdict,
    scope: ProviderKeyScope = ProviderKeyScope(),
    remarks: ProviderToken.Remarks = []
  ) {
    self.number = number
    self.keyID = keyID
    self.teamID = teamID
    self.issuedAt = issuedAt
    self.verdict = verdict
    self.scope = scope
    self.remarks = remarks
  }
}

extension ProviderTokenFacts {
  package var isTimeText: Bool { remarks.contains(.textIssuedAt) }
  package var isSignatureDER: Bool { remarks.contains(.derSignature) }
  /// It has ES384 or ES512, or a part in plain Base64.
  package var isOtherForm: Bool { !remarks.isDisjoint(with: [.otherAlgorithm, .plainBase64]) }

  /// The findings about a token that can be read, whose key is another matter.
  package init(_ token: ProviderToken, number: UInt64) {
    self.init(
      number: number,
      keyID: token.keyID,
      teamID: token.teamID,
      issuedAt: token.issuedAt,
      verdict: .good,
      remarks: token.remarks.intersection([.textIssuedAt, .derSignature, .otherAlgorithm, .plainBase64])
    )
  }

  /// The findings about one that cannot be read.
  package static func malformed(number: UInt64, problem: String = "") -> ProviderTokenFacts {
    var facts = ProviderTokenFacts(number: number, keyID: "", teamID: "", issuedAt: 0, verdict: .malformed)
    facts.problem = problem
    return facts
  }

  /// True where it is good as far as its bytes tell.
  package var isGood: Bool { verdict == .good || verdict == .unverified }
}

/// The uses that a key is good for. Legacy keys: all topics of the team in both environments; team-scoped keys: one
/// environment; topic-specific keys: one environment and some topics ("Establishing a token-based connection", 2025).
package struct ProviderKeyScope: Hashable, Sendable {
  /// Nil: the key is good for any `iss`.
  package var team: String?
  /// Nil: both environments.
  package var environment: PushEnvironment?
  /// Empty: all topics of the team.
  package var topics: [String]

  package init(team: String? = nil, environment: PushEnvironment? = nil, topics: [String] = []) {
    self.team = team
    self.environment = environment
    self.topics = topics
  }

  package func allows(topic: String) -> Bool { topics.isEmpty || topics.contains(topic) }

  /// True if a connection that this key bound may use a token of `other`: topic-specific keys are related if they
  /// have a topic in common, and a topic-specific key and one of the team never are.
  package func isRelated(to other: ProviderKeyScope) -> Bool {
    topics.isEmpty == other.topics.isEmpty
      && (topics.isEmpty || topics.contains { other.topics.contains($0) })
  }
}

/// A reason that a provider token is refused with, as sent.
package enum ProviderTokenReason: String, Hashable, Sendable {
  case expired = "ExpiredProviderToken"
  case invalid = "InvalidProviderToken"
  case unrelatedKey = "UnrelatedKeyIdInToken"
  /// Documented as BadEnvironmentKeyIdInToken.
  case otherEnvironment = "BadEnvironmentKeyInToken"
  case tooManyUpdates = "TooManyProviderTokenUpdates"
}

extension ProviderKeyScope: KeptByMembers {
  static let members = Members(Self.init, \.team, \.environment, \.topics)
}
