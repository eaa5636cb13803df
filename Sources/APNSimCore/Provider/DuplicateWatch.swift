/// Watches one app's providers send again what had been accepted before an error: it stands, and is delivered twice.
///
/// Nothing is noted while all goes well. A connection that meets an error is remembered, and once a later connection
/// sends something, the notifications that the first one had accepted are looked for in the history, the latest first.
/// Two are the same if identifier, token and the meaning of the payload are: what has no identifier may be repeated on
/// purpose.
struct DuplicateWatch {
  /// A notification that stands, and the connection that it came on.
  struct Accepted {
    let number: UInt64
    let connection: ConnectionID
  }

  /// A connection that met an error, and how many notifications it had accepted: at least one.
  struct Failed {
    let connection: ConnectionID
    var accepted: UInt64
  }

  /// Connections whose notifications have not been looked for yet.
  private var unread: [Failed] = []
  private var standing = StandingNotifications()
  /// Notifications since the last duplicate.
  private var others = 0

  /// At most so many connections and notifications are remembered.
  private static let mostConnections = 16
  static let mostNotifications = 10_000
  /// After so many others, nothing is expected to come twice any more.
  private static let patience = 100_000

  /// True while there is something that may come twice.
  var isWatching: Bool { !unread.isEmpty || !standing.isEmpty }

  /// A connection has met an error, after notifications that stand.
  mutating func connectionFailed(_ id: ConnectionID, accepted: UInt64) {
    others = 0
    guard !unread.contains(where: { $0.connection == id }) else { return }
    if unread.count == Self.mostConnections { unread.removeFirst() }
    unread.append(Failed(connection: id, accepted: accepted))
  }

  /// True if notifications of another connection than this are to be looked for.
  func hasUnread(besides id: ConnectionID) -> Bool {
    unread.contains { $0.connection.rawValue < id.rawValue }
  }

  /// Takes the connections whose notifications are to be looked for now. Where there is no room for more of them, those of
  /// earlier ones are not expected any more.
  mutating func takeUnread(before id: ConnectionID) -> [Failed] {
    let taken = unread.filter { $0.connection.rawValue < id.rawValue }
    unread.removeAll { $0.connection.rawValue < id.rawValue }
    let coming = taken.reduce(UInt64(standing.count)) { $0.addingReportingOverflow($1.accepted).partialValue }
    if coming > Self.mostNotifications { standing = StandingNotifications() }
    return taken
  }

  /// A notification that stands, by a hash of its identifier and token. Of several the latest does.
  mutating func stands(_ accepted: Accepted, key: UInt64) {
    if let known = standing.find(key) {
      if known.number < accepted.number { standing.put(accepted, key) }
      return
    }
    guard standing.count < Self.mostNotifications else { return }
    standing.put(accepted, key)
  }

  /// The notification that one which has been accepted may be a duplicate of: one of an earlier connection.
  mutating func candidate(_ key: UInt64, on id: ConnectionID) -> Accepted? {
    others += 1
    if let found = standing.find(key), found.connection.rawValue < id.rawValue { return found }
    if others > Self.patience { (standing, unread, others) = (StandingNotifications(), [], 0) }
    return nil
  }

  /// It is one: a third would be its duplicate as well.
  mutating func noteDuplicate() { others = 0 }
}

/// Notifications that stand, by keys that are hashes already.
///
/// Every notification is looked up while they are watched, and hardly one is among them: most are told so by a bit.
struct StandingNotifications {
  private var byKey: [UInt64: DuplicateWatch.Accepted] = [:]
  /// A bit for each key, by its lowest bits; no words where there is none.
  private var bits: [UInt64] = []

  /// So many that one in thirteen keys of others has its bit set, when all places are taken.
  private static let bitCount: UInt64 = 1 << 17

  var count: Int { byKey.count }
  var isEmpty: Bool { byKey.isEmpty }

  func find(_ key: UInt64) -> DuplicateWatch.Accepted? {
    let (word, bit) = Self.place(of: key)
    guard word < bits.count, bits[word] & bit != 0 else { return nil }
    return byKey[key]
  }

  mutating func put(_ accepted: DuplicateWatch.Accepted, _ key: UInt64) {
    if bits.isEmpty { bits = [UInt64](repeating: 0, count: Int(Self.bitCount / 64)) }
    let (word, bit) = Self.place(of: key)
    bits[word] |= bit
    byKey[key] = accepted
  }

  private static func place(of key: UInt64) -> (word: Int, bit: UInt64) {
    (Int((key & (bitCount - 1)) / 64), 1 << (key % 64))
  }
}

extension DuplicateWatch: KeptByMembers {
  static let members = Members(Self.init, \.unread, \.standing, \.others)

  func complete(_ state: StateReader) throws(StateError) {
    guard unread.count <= Self.mostConnections, unread.allSatisfy({ $0.accepted > 0 }) else {
      throw state.error(
        "at most \(Self.mostConnections) connections were expected that had accepted something"
      )
    }
    try state.expectTallies(others)
  }
}

extension DuplicateWatch.Accepted: KeptByMembers {
  static let members = Members(Self.init, \.number, \.connection)
}

extension DuplicateWatch.Failed: KeptByMembers {
  static let members = Members(Self.init, \.connection, \.accepted)
}

/// The bits are made again from the keys: what has a key keeps its bit.
extension StandingNotifications: KeptByMembers {
  static let members = Members(Self.init(byKey:), \.byKey)

  private init(byKey: [UInt64: DuplicateWatch.Accepted]) {
    for (key, accepted) in byKey { put(accepted, key) }
  }
}
