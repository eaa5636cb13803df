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

  struct Key: Sendable {
    var known: [UInt64] = []
    var lastGood: Timestamp?
    var lastRefused: UInt64?
    var refused = 0
    var firstRefused: Timestamp?
  }

  private var keys: [String: Key]

  package init() { self.init([:]) }

  private init(_ keys: [String: Key]) { self.keys = keys }

  /// Counts a token that is good otherwise; false where it comes too soon after the one before.
  mutating func admits(_ token: UInt64, of keyID: String, at now: Timestamp) -> Bool {
    change(keyID) { key in
      if key.known.contains(token) { return true }
      if let last = key.lastGood, now - last < Self.interval { return false }
      if key.known.count >= Self.maximumKnown { key.known.removeFirst() }
      key.known.append(token)
      key.lastGood = now
      return true
    }
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

  private mutating func change(_ keyID: String, _ body: (inout Key) -> Bool) -> Bool {
    let name = keys[keyID] != nil || keys.count < Self.maximumKeys ? keyID : ""
    return body(&keys[name, default: Key()])
  }
}

extension ProviderTokenUpdates: KeptByMembers {
  static let members = Members(Self.init, \.keys)
}

extension ProviderTokenUpdates.Key: KeptByMembers {
  static let members = Members(Self.init, \.known, \.lastGood, \.lastRefused, \.refused, \.firstRefused)

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectTallies(refused)
  }
}
