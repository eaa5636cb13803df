import APNSimWire

/// Watches one app's providers send again what had been accepted before an error: it stands, and is delivered twice.
///
/// Nothing is noted while all goes well. A connection that meets an error is remembered, and once a later connection
/// sends something, the notifications that the first one had accepted are looked for in the history, the latest first.
/// Two are the same if identifier, token and the meaning of the payload are: what has no identifier may be repeated on
/// purpose.
struct DuplicateWatch {
  /// A notification that stands, and the connection that it came on.
  struct Accepted: BitwiseCopyable {
    let number: UInt64
    let connection: ConnectionID
    /// The hash of its ``NotificationContent``, once it has been worked out.
    var content: UInt64?
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

  /// A hash of token and identifier, by which notifications that stand are found.
  static func key(_ token: UInt64, _ identifier: NotificationIdentifier) -> UInt64 {
    var hash = Hash64(seed: token)
    hash.combine(UInt64(identifier.rawValue))
    return hash.finalize()
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
    losePatience()
    return nil
  }

  // MARK: Requests

  /// The most requests of one name, or to one token, that are looked at.
  private static let mostOfOne = 64

  /// A request stands whose answer its provider may not have. Where there is no room, earlier ones are not expected again.
  /// - Parameter key: the hash of its name, or that of its token.
  mutating func mayComeAgain(_ accepted: Accepted, key: UInt64) {
    others = 0
    if standing.count >= Self.mostNotifications { standing = StandingNotifications() }
    let keys = keys(from: key)
    if keys.count < Self.mostOfOne { standing.put(accepted, keys.last.map(Self.next(after:)) ?? key) }
  }

  /// The keys of the requests that stand under one: the first has it, and each further one the next.
  func keys(from key: UInt64) -> [UInt64] {
    var keys: [UInt64] = []
    var key = key
    while keys.count < Self.mostOfOne, standing.find(key) != nil {
      keys.append(key)
      key = Self.next(after: key)
    }
    return keys
  }

  private static func next(after key: UInt64) -> UInt64 { Hash64(seed: key).finalize() }

  func standing(under key: UInt64) -> Accepted? { standing.find(key) }

  /// Takes a request that has come again; the last one of its keys moves to its place.
  mutating func take(_ key: UInt64, of keys: [UInt64]) {
    others = 0
    guard let last = keys.last, let accepted = standing.find(last) else { return }
    standing.put(accepted, key)
    standing.remove(last)
  }

  /// A request was accepted that none of those is like.
  mutating func noteOther() {
    others += 1
    losePatience()
  }

  private mutating func losePatience() {
    if others > Self.patience { (standing, unread, others) = (StandingNotifications(), [], 0) }
  }

  /// The content of one that stands has been worked out.
  mutating func note(_ content: UInt64, of key: UInt64) { standing.note(content, of: key) }

  /// It is one: a third would be its duplicate as well.
  mutating func noteDuplicate() { others = 0 }
}

/// Notifications that stand, by keys that are hashes already.
struct StandingNotifications {
  private var rows: [Row] = []
  /// The row of each key.
  private var queues = HashQueues()

  private struct Row: BitwiseCopyable {
    let key: UInt64
    var accepted: DuplicateWatch.Accepted
  }

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }

  func find(_ key: UInt64) -> DuplicateWatch.Accepted? {
    queues.first(key).map { rows[Int($0)].accepted }
  }

  mutating func put(_ accepted: DuplicateWatch.Accepted, _ key: UInt64) {
    if let known = queues.first(key) {
      rows[Int(known)].accepted = accepted
    } else {
      queues.append(UInt32(rows.count), to: key)
      rows.append(Row(key: key, accepted: accepted))
    }
  }

  /// Takes a notification away; the last row takes its place.
  mutating func remove(_ key: UInt64) {
    guard let row = queues.first(key) else { return }
    let last = UInt32(rows.count - 1)
    queues.remove(row)
    if row != last {
      rows[Int(row)] = rows[Int(last)]
      queues.remove(last)
      queues.append(row, to: rows[Int(row)].key)
    }
    rows.removeLast()
  }

  /// Notes the content of a notification that is there.
  mutating func note(_ content: UInt64, of key: UInt64) {
    if let row = queues.first(key) { rows[Int(row)].accepted.content = content }
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
  static let members = Members({ Self(number: $0, connection: $1) }, \.number, \.connection)
}

extension DuplicateWatch.Failed: KeptByMembers {
  static let members = Members(Self.init, \.connection, \.accepted)
}

/// The queues are made again from the keys.
extension StandingNotifications: KeptByMembers {
  static let members = Members(Self.init(byKey:), \.byKey)

  private var byKey: [UInt64: DuplicateWatch.Accepted] {
    Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.accepted) })
  }

  private init(byKey: [UInt64: DuplicateWatch.Accepted]) {
    for (key, accepted) in byKey { put(accepted, key) }
  }
}
