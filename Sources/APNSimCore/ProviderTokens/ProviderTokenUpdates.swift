/// Counts the tokens that a connection, or a team, changes to: distinct ones by their bytes, per key.
package struct ProviderTokenUpdates: Sendable {
  /// The least time between two good tokens of a key.
  package static let interval = TimeSpan.minutes(20)
  /// The refused changes within ``interval`` that are answered with their own reason.
  package static let refusedChanges = 2
  /// The most keys that are told apart; those beyond are counted as one.
  package static let maximumKeys = 64
  /// The most good tokens that are remembered of a key, the newest.
  package static let maximumKnown = 16

  /// The reasons for which a new token of a key is no update: another that a script has refused, since libraries heal that way and a token
  /// that the service calls stale is an hour old in life; and when the last one was issued.
  struct Renewal: Sendable {
    /// The newest that scripts have refused: each exempts one new token.
    private(set) var refused: [UInt64] = []
    private(set) var exemptions = 0
    /// The `iat` of the last good token.
    var issuedAt: Int64?

    /// True where a token was issued so near to the last one that it counts as made too soon.
    func isNear(_ issuedAt: Int64?) -> Bool {
      guard let issuedAt, let last = self.issuedAt else { return true }
      let (distance, isFar) = issuedAt.subtractingReportingOverflow(last)
      return !isFar && distance.magnitude < ProviderTokenUpdates.interval.milliseconds / 1000
    }

    mutating func refuse(_ token: UInt64) {
      guard !refused.contains(token) else { return }
      if refused.count >= ProviderTokenUpdates.maximumKnown { refused.removeFirst() }
      refused.append(token)
      exemptions += 1
    }

    /// True where a new token is no update.
    mutating func takeExemption() -> Bool {
      guard exemptions > 0 else { return false }
      exemptions -= 1
      return true
    }
  }

  struct Key: Sendable {
    var known: [UInt64] = []
    var lastGood: Timestamp?
    var lastRefused: UInt64?
    var refused = 0
    var firstRefused: Timestamp?
    var renewal = Renewal()
  }

  private var keys: [String: Key]
  /// The token that was admitted last, which its key knows: only what is admitted after it could take its place there.
  private var latest: UInt64?

  package init() { self.init([:]) }

  private init(_ keys: [String: Key]) { self.keys = keys }

  /// Counts a token that is good otherwise; false where it comes too soon after the one before, and is hardly newer.
  /// - Parameter issuedAt: its `iat`; nil where that does not count.
  mutating func admits(
    _ token: UInt64,
    of keyID: String,
    issuedAt: Int64? = nil,
    at now: Timestamp
  ) -> Bool {
    if token == latest { return true }
    let isAdmitted = change(keyID) { key in
      if key.known.contains(token) { return true }
      let isHealing = key.renewal.takeExemption()
      if !isHealing, let last = key.lastGood, now - last < Self.interval, key.renewal.isNear(issuedAt) {
        return false
      }
      if key.known.count >= Self.maximumKnown { key.known.removeFirst() }
      key.known.append(token)
      if !isHealing || key.lastGood == nil { (key.lastGood, key.renewal.issuedAt) = (now, issuedAt) }
      return true
    }
    if isAdmitted { latest = token }
    return isAdmitted
  }

  /// Counts a token that is refused; false from the third change on.
  mutating func admitsRefusal(_ token: UInt64, of keyID: String, at now: Timestamp) -> Bool {
    change(keyID) { key in
      if key.known.contains(token) { return true }
      if key.firstRefused.map({ now - $0 >= Self.interval }) ?? true {
        key.firstRefused = now
        key.refused = 0
        key.lastRefused = nil
      }
      if key.lastRefused != token {
        key.lastRefused = token
        key.refused = min(key.refused + 1, Self.refusedChanges + 1)
      }
      return key.refused <= Self.refusedChanges
    }
  }

  /// Takes note of a token that a script has refused as expired or invalid: the next good one of its key is no update.
  mutating func refusedByScript(_ token: UInt64, of keyID: String) {
    change(keyID) { key in
      key.renewal.refuse(token)
      return true
    }
  }

  @discardableResult
  private mutating func change(_ keyID: String, _ body: (inout Key) -> Bool) -> Bool {
    let name = keys[keyID] != nil || keys.count < Self.maximumKeys ? keyID : ""
    return body(&keys[name, default: Key()])
  }
}

extension ProviderTokenUpdates: KeptByMembers {
  static let members = Members(Self.init, \.keys)
}

extension ProviderTokenUpdates.Key: KeptByMembers {
  static let members = Members(
    Self.init,
    \.known,
    \.lastGood,
    \.lastRefused,
    \.refused,
    \.firstRefused,
    \.renewal
  )

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectTallies(refused)
  }
}

/// Version 1 of the state has none.
extension ProviderTokenUpdates.Renewal: Kept {
  func write(to state: inout StateWriter) {
    refused.write(to: &state)
    exemptions.write(to: &state)
    issuedAt.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    guard state.version > 1 else { return }
    (refused, exemptions) = (try state.read(), try state.read())
    issuedAt = try state.read()
    try state.expectTallies(exemptions)
  }
}
