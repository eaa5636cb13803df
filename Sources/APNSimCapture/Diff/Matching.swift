import APNSimCore

/// Finds the counterparts of one capture's notifications, in their order, in another capture.
struct Matching {
  /// The notifications of the other capture.
  private let keys: Keys
  private var index: CandidateIndex
  private var isTaken: [Bool]
  private var assignment = ConnectionAssignment()
  /// The place in the other capture of the last match, by the pair of connections.
  private var lastPlace: [ConnectionPair: Int] = [:]
  /// Buffer for candidates.
  private var candidates: [Int] = []

  /// - Parameters:
  ///   - other: the notifications of the other capture.
  ///   - topics: the number in the one capture of each topic of the other.
  ///   - tokens: the same for tokens.
  init(in other: [DigestItems.Entry], topics: [UInt32], tokens: [UInt32]) {
    let keys = Keys(items: other, topics: topics, tokens: tokens)
    self.keys = keys
    index = CandidateIndex(count: other.count) { keys[$0].hashValue }
    isTaken = [Bool](repeating: false, count: other.count)
  }

  /// Takes the notification of the other capture that is most likely the item's counterpart.
  /// - Returns: its place; nil where there is none.
  mutating func take(for item: DigestItems.Entry) -> Int? {
    let keys = keys
    let wanted = Key(item, topic: item.topic, token: item.token)
    let hash = wanted.hashValue
    index.find(hash, most: ConnectionAssignment.window, into: &candidates) { keys[$0] == wanted }
    guard !candidates.isEmpty else { return nil }
    let match = assignment.choose(for: item, from: candidates, of: keys.items)
    index.remove(match, hash)
    isTaken[match] = true
    return match
  }

  /// True where an item, whose match was just taken, has changed places with others of its connection.
  mutating func changesPlaces(_ item: DigestItems.Entry, _ match: Int) -> Bool {
    let pair = ConnectionPair(one: item.connection, other: keys.items[match].connection)
    let last = lastPlace.updateValue(match, forKey: pair) ?? -1
    guard last > match else { return false }
    lastPlace[pair] = last
    return true
  }

  /// The notifications of the other capture that were not taken.
  var rest: some Sequence<Int> { isTaken.indices.lazy.filter { !isTaken[$0] } }

  /// The content that two notifications of two captures share, with the first one's numbers of topics and tokens.
  private struct Key: Hashable {
    var content: Fingerprint
    var topic: UInt32
    var token: UInt32
    var identifier: UInt32
    var hasIdentifier: Bool

    init(_ item: DigestItems.Entry, topic: UInt32, token: UInt32) {
      content = item.content
      (self.topic, self.token) = (topic, token)
      (identifier, hasIdentifier) = (item.identifier, item.hasIdentifier)
    }
  }

  /// The keys of the other capture's notifications.
  private struct Keys {
    let items: [DigestItems.Entry]
    let topics: [UInt32]
    let tokens: [UInt32]

    subscript(place: Int) -> Key {
      let item = items[place]
      return Key(item, topic: topics[Int(item.topic)], token: tokens[Int(item.token)])
    }
  }

  private struct ConnectionPair: Hashable {
    var one: ConnectionID
    var other: ConnectionID
  }
}

/// The pairs of connections of two captures, as far as their notifications have shown them.
///
/// Providers often send the same to the same device over several connections, with identifiers that begin anew on each.
/// Which is which shows in the other notifications of a connection, and in the outcomes.
struct ConnectionAssignment {
  /// The most candidates that are compared.
  static let window = 64

  private var assigned: [ConnectionID: ConnectionID] = [:]
  private var taken: Set<ConnectionID> = []

  /// Chooses the most likely counterpart: one on the connection that the item's is assigned to, else one with the same
  /// outcome, preferably on a connection that none is assigned to.
  /// - Parameters:
  ///   - candidates: places in `items`, in their order; at least one.
  mutating func choose(
    for item: DigestItems.Entry,
    from candidates: [Int],
    of items: [DigestItems.Entry]
  ) -> Int {
    let chosen = candidates.count == 1 ? candidates[0] : likeliest(for: item, candidates, items)
    let connection = items[chosen].connection
    if assigned.updateValue(connection, forKey: item.connection) != connection {
      taken.insert(connection)
    }
    return chosen
  }

  private func likeliest(
    for item: DigestItems.Entry,
    _ candidates: [Int],
    _ items: [DigestItems.Entry]
  ) -> Int {
    func isSame(_ place: Int) -> Bool {
      items[place].outcome == item.outcome && items[place].status == item.status
    }
    if let connection = assigned[item.connection],
      let place = candidates.first(where: { items[$0].connection == connection })
    {
      return place
    }
    return candidates.first { isSame($0) && !taken.contains(items[$0].connection) }
      ?? candidates.first(where: isSame) ?? candidates[0]
  }
}
