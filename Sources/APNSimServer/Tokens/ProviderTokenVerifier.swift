import APNSimCore
import APNSimTLS
import APNSimWire
import Synchronization

/// Finds out what is true of provider tokens under the keys of the server. What a token's time and connection make of it
/// is the simulator's to judge.
///
/// Verifying takes 45 µs, so verdicts are remembered, bad ones too; tokens are not: they are told apart by their digests.
final class ProviderTokenVerifier: Sendable {
  private let keys: Mutex<ProviderKeyRing>
  /// Any well-formed token is good, whoever signed it.
  private let acceptsAny: Bool
  /// Tokens of other forms than documented are taken, as Apple takes them.
  private let takesOtherForms: Bool
  private let log: ServerLog
  private let verdicts = Mutex(RecentMap<SHA256Digest, ProviderTokenFacts>(count: 1024))

  init(_ keys: ProviderKeyRing, acceptsAny: Bool, rules: OutcomeRules = .current, _ log: ServerLog) {
    self.keys = Mutex(keys)
    takesOtherForms = rules.have(.formsOfProviderTokens)
    self.acceptsAny = acceptsAny
    self.log = log
  }

  /// The facts of a token.
  /// - Parameter token: what follows the scheme in the value of `authorization`.
  func facts(of token: UnsafeRawBufferPointer) -> ProviderTokenFacts {
    guard let digest = SHA256Digest(token) else { return .malformed(number: 0) }
    if let known = verdicts.withLock({ $0.value(of: digest) }) { return known }
    let facts = examine(Array(token), number: digest.first)
    // The key may be made later.
    if facts.verdict != .unknownKey { verdicts.withLock { $0.insert(facts, for: digest) } }
    return facts
  }

  private func examine(_ bytes: [UInt8], number: UInt64) -> ProviderTokenFacts {
    let token: ProviderToken
    do throws(ProviderTokenProblem) {
      token = try acceptsAny && takesOtherForms ? .parseUnverified(bytes) : .parse(bytes)
      if !takesOtherForms { try token.expectDocumentedForm() }
    } catch {
      return .malformed(number: number, problem: error.description)
    }
    var facts = ProviderTokenFacts(token, number: number)
    if acceptsAny {
      facts.verdict = takesOtherForms ? .unverified : .good
      return facts
    }
    guard let entry = key(token.keyID) else {
      facts.verdict = isKnown(token.teamID) ? .swapped : .unknownKey
      return facts
    }
    facts.scope = entry.scope
    let isSigned = entry.key.verifies(
      bytes.prefix(token.signedSize),
      signature: token.signature,
      isRaw: !token.remarks.contains(.derSignature),
      hash: ProviderKey.Hash(token.algorithm)
    )
    if !isSigned { facts.verdict = .badSignature }
    return facts
  }

  private func isKnown(_ id: String) -> Bool { keys.withLock { (try? $0.find(id)) ?? nil } != nil }

  private func key(_ id: String) -> ProviderKeyRing.Entry? {
    keys.withLock { keys in
      do throws(TLSSetupError) {
        if let entry = try keys.find(id) { return entry }
        log.write(
          .providerToken,
          "a provider token names a key that is not known; known are "
            + keys.identifiers.joined(separator: ", ")
        )
      } catch {
        log.write(.providerToken, "a provider token names a key that cannot be used: \(error)")
      }
      return nil
    }
  }
}

extension ProviderKey.Hash {
  fileprivate init(_ algorithm: ProviderToken.Algorithm) {
    self =
      switch algorithm {
      case .es256: .sha256
      case .es384: .sha384
      case .es512: .sha512
      }
  }
}
