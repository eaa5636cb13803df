internal import APNSimCore
internal import APNSimWire

/// What differs between two captures, in the providers' terms. Times and connection numbers are ignored unless asked.
package struct CaptureDiff: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A notification that only the first capture has, or only the second.
    case onlyInA
    case onlyInB
    /// Something else became of it.
    case outcome
    /// It was sent with another command or priority, or with another kind of expiry: none, zero, or a time. Which time
    /// matters where times are compared.
    case fields
    /// It changed places with others of its connection.
    case order
    /// It came on another connection.
    case connection
    /// It came at another time.
    case time
    /// Error responses that only one of the captures has.
    case errorOnlyInA
    case errorOnlyInB
    /// Feedback tuples that only one of the captures has.
    case tupleOnlyInA
    case tupleOnlyInB
  }

  package struct Difference: Sendable {
    package var kind: Kind
    /// Places in `items` of the captures' digests.
    package var a: Int?
    package var b: Int?
    package var error: CaptureDigest.ErrorItem?
    package var tuple: CaptureDigest.TupleItem?
  }

  package private(set) var differences: [Difference] = []
  /// Notifications that both captures have.
  package private(set) var matched = 0
  /// Feedback tuples that both have.
  package private(set) var matchedTuples = 0
  /// Whether the tokens of the captures are other ones for the same devices, as redaction makes them.
  package let isPairingTokens: Bool

  package var isSame: Bool { differences.isEmpty }

  package init(_ a: CaptureDigest, _ b: CaptureDigest, comparesTimes: Bool, comparesConnections: Bool) {
    let topics = Self.numbers(ofTopics: b.items.topics, in: a.items.topics)
    let tokens = TokenPairs(a.items, b.items, areSame: TokenPairs.areSame(a, b), topics: topics)
    isPairingTokens = !tokens.areSame
    let (itemsOfA, itemsOfB) = (a.items.entries, b.items.entries)
    func look(ofB place: Int) -> Look {
      let item = itemsOfB[place]
      return Look(item, topic: topics[Int(item.topic)], token: tokens.numbers[Int(item.token)])
    }
    var waiting = Lookalikes(count: itemsOfB.count) { look(ofB: $0).hashValue }
    var candidates: [Int] = []
    var isTaken = [Bool](repeating: false, count: itemsOfB.count)
    /// The place in the second capture of the last match, by connection of the first and the second.
    var lastPlace: [Pair: Int] = [:]
    var partners = Partners()
    for (place, item) in itemsOfA.enumerated() {
      let wanted = Look(item, topic: item.topic, token: item.token)
      let hash = wanted.hashValue
      waiting.find(hash, most: Partners.window, into: &candidates) { look(ofB: $0) == wanted }
      guard !candidates.isEmpty else {
        differences.append(Difference(kind: .onlyInA, a: place))
        continue
      }
      let match = partners.choose(for: item, from: candidates, of: itemsOfB)
      waiting.remove(match, hash)
      isTaken[match] = true
      if item.isNotification { matched += 1 }
      let other = itemsOfB[match]
      func differ(_ kind: Kind) { differences.append(Difference(kind: kind, a: place, b: match)) }
      if let one = item.outcome, let two = other.outcome, one != two || item.status != other.status {
        differ(.outcome)
      }
      if Self.isSentOtherwise(item, other, comparesTimes) { differ(.fields) }
      let last = lastPlace.updateValue(match, forKey: Pair(a: item.connection, b: other.connection)) ?? -1
      if last > match {
        lastPlace[Pair(a: item.connection, b: other.connection)] = last
        differ(.order)
      }
      if comparesConnections, item.connection != other.connection { differ(.connection) }
      if comparesTimes, item.time != other.time { differ(.time) }
    }
    for place in itemsOfB.indices where !isTaken[place] {
      differences.append(Difference(kind: .onlyInB, b: place))
    }
    for (error, isInA) in Self.unmatched(a.errors, b.errors) {
      differences.append(Difference(kind: isInA ? .errorOnlyInA : .errorOnlyInB, error: error))
    }
    // Pseudonyms of two keys say nothing of each other but how many there are.
    let hidden = { (tuple: CaptureDigest.TupleItem) in
      tokens.areSame ? tuple : CaptureDigest.TupleItem(topic: tuple.topic, token: [])
    }
    let unmatched = Self.unmatched(a.tuples.map(hidden), b.tuples.map(hidden))
    for (tuple, isInA) in unmatched {
      differences.append(Difference(kind: isInA ? .tupleOnlyInA : .tupleOnlyInB, tuple: tuple))
    }
    matchedTuples = a.tuples.count - unmatched.count { $0.isInA }
  }

  /// What makes two notifications of two captures the same, with the first one's numbers of topics and tokens.
  private struct Look: Hashable {
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

  private static func isSentOtherwise(
    _ one: DigestItems.Entry,
    _ other: DigestItems.Entry,
    _ comparesTimes: Bool
  ) -> Bool {
    guard one.isWhole, other.isWhole else { return false }
    if one.command != other.command || one.priority != other.priority || one.hasExpiry != other.hasExpiry {
      return true
    }
    return comparesTimes ? one.expiry != other.expiry : (one.expiry == 0) != (other.expiry == 0)
  }

  private struct Pair: Hashable {
    var a: ConnectionID
    var b: ConnectionID
  }

  /// For each topic of the second capture its number in the first one; those that are not there are counted on.
  private static func numbers(ofTopics topics: TextTable, in known: TextTable) -> [UInt32] {
    (0..<topics.count).map { UInt32(truncatingIfNeeded: known.known(topics[$0]) ?? known.count + $0) }
  }

  /// What only one of two lists has, each as often as it has it more; in the order of the lists.
  private static func unmatched<Item: Hashable>(_ a: [Item], _ b: [Item]) -> [(item: Item, isInA: Bool)] {
    var left: [Item: Int] = [:]
    for item in b { left[item, default: 0] += 1 }
    var found: [(Item, Bool)] = []
    for item in a {
      if let count = left[item], count > 0 {
        left[item] = count - 1
      } else {
        found.append((item, true))
      }
    }
    for item in b {
      guard let count = left[item], count > 0 else { continue }
      left[item] = count - 1
      found.append((item, false))
    }
    return found
  }
}
