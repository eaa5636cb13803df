package import APNSimCore
package import APNSimScenario
package import APNSimTLS

/// The keys that sign the provider tokens of a script. They live in memory, for one run, but for those that the directory
/// of certificates has under the same identifier.
package struct TrafficKeys: Sendable {
  /// A script whose tokens cannot be signed.
  package struct Problem: Error, CustomStringConvertible { package var description: String }

  /// A key that the server is to know, and what it may be used for.
  package struct Entry: Sendable {
    package let key: ProviderKey
    package fileprivate(set) var scope: ProviderKeyScope
  }

  /// The keys that the server is to know, by their identifiers.
  package private(set) var entries: [String: Entry] = [:]
  /// The key that signs where the signature is to be wrong, or the key unknown.
  private let other: ProviderKey
  private let directory: PKIDirectory

  /// No JSON Web Token.
  private static let malformed = "malformed"
  /// The identifier of an unknown key, where the script has one that the server knows.
  private static let unknownKey = "UNKNOWNKEY"

  /// - Throws: `Problem` for tokens that no keys can sign so; `TLSSetupError` for a directory's key that cannot be read.
  package init(_ script: ScenarioScript, _ directory: PKIDirectory) throws {
    other = try ProviderKey.generate()
    self.directory = directory
    for token in script.tokens where token.signature != .malformed {
      for text in [token.key, token.team] where !PKIDirectory.isProviderKeyID(text) {
        throw Problem(
          description:
            "a provider token has \"\(text)\": over a network, keys and teams are 1 to 64 letters and digits"
        )
      }
      if token.signature != .unknownKey { try add(token) }
    }
  }

  private mutating func add(_ token: TrafficToken) throws {
    let scope = ProviderKeyScope(team: token.team, environment: token.environment, topics: token.topics)
    guard var known = entries[token.key] else {
      let file = directory.existingProviderKey(token.key)
      entries[token.key] = Entry(key: try file.map { try .read($0) } ?? .generate(), scope: scope)
      return
    }
    guard known.scope.environment == scope.environment, known.scope.topics == scope.topics else {
      throw Problem(
        description:
          "provider tokens have the key \"\(token.key)\" for different environments or topics: over a network, give each its own key"
      )
    }
    if known.scope.team != scope.team { known.scope.team = nil }
    entries[token.key] = known
  }

  /// Signs a token.
  func sign(_ token: TrafficToken, issuedAt: Timestamp) throws -> String {
    if token.signature == .malformed { return Self.malformed }
    let isGood = token.signature == .good || token.signature == .der
    let key = isGood ? entries[token.key]?.key : nil
    return try (key ?? other).token(
      id: token.signature == .unknownKey && isKnown(token.key) ? Self.unknownKey : token.key,
      team: token.team,
      issuedAt: issuedAt.seconds,
      isTimeText: token.isTimeText,
      isDER: token.signature == .der
    )
  }

  private func isKnown(_ id: String) -> Bool {
    entries[id] != nil || directory.existingProviderKey(id) != nil
  }
}

extension ScenarioScript {
  /// The provider tokens of the traffic, in the order of their first use.
  fileprivate var tokens: [TrafficToken] {
    var current: [String: TrafficToken] = [:]
    var tokens: [TrafficToken] = []
    for step in traffic {
      guard case .push(_, let given) = step.action, providers[step.connection]?.hasCertificate != true else {
        continue
      }
      let token = given ?? current[step.connection] ?? TrafficToken()
      current[step.connection] = token
      if token.isThere, !tokens.contains(token) { tokens.append(token) }
    }
    return tokens
  }
}
