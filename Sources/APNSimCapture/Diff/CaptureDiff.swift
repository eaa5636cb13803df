import APNSimCore
import APNSimWire

/// The differences between two captures, in the providers' terms. Times and connection numbers are ignored unless asked
/// for.
package struct CaptureDiff: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A notification that only the first capture has, or only the second.
    case onlyInA
    case onlyInB
    /// Its outcome differs.
    case outcome
    /// The answer to a request differs: status, reason, or an `apns-id` that its provider chose.
    case answer
    /// Its command, priority or kind of expiry (none, zero or a time) differs, and the time of expiry where times are
    /// compared.
    case fields
    /// Its place among others of its connection differs.
    case order
    /// Its connection differs.
    case connection
    /// Its time differs.
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
  /// True where the captures have other tokens for the same devices, as redaction makes them.
  package let isPairingTokens: Bool

  package var isSame: Bool { differences.isEmpty }

  package init(_ a: CaptureDigest, _ b: CaptureDigest, comparesTimes: Bool, comparesConnections: Bool) {
    let topics = Self.numbers(ofTopics: b.items.topics, in: a.items.topics)
    let tokens = TokenPairs(a.items, b.items, areSame: TokenPairs.areSame(a, b), topics: topics)
    isPairingTokens = !tokens.areSame
    let itemsOfB = b.items.entries
    var matching = Matching(in: itemsOfB, topics: topics, tokens: tokens.numbers)
    for (place, item) in a.items.entries.enumerated() {
      guard let match = matching.take(for: item) else {
        differences.append(Difference(kind: .onlyInA, a: place))
        continue
      }
      if item.isNotification { matched += 1 }
      let other = itemsOfB[match]
      func differ(_ kind: Kind) { differences.append(Difference(kind: kind, a: place, b: match)) }
      if let one = a.items.request(item), let two = b.items.request(other) {
        if !one.isAnsweredAs(two) {
          differ(.answer)
        } else if let one = item.outcome, let two = other.outcome, one != two {
          differ(.outcome)
        }
        if !one.changes(to: two, comparesTimes: comparesTimes).isEmpty { differ(.fields) }
      } else if let one = item.outcome, let two = other.outcome, one != two || item.status != other.status {
        differ(.outcome)
      }
      if Self.isSentOtherwise(item, other, comparesTimes) { differ(.fields) }
      if matching.changesPlaces(item, match) { differ(.order) }
      if comparesConnections, item.connection != other.connection { differ(.connection) }
      if comparesTimes, item.time != other.time { differ(.time) }
    }
    for place in matching.rest { differences.append(Difference(kind: .onlyInB, b: place)) }
    for (error, isInA) in Self.unmatched(a.errors, b.errors) {
      differences.append(Difference(kind: isInA ? .errorOnlyInA : .errorOnlyInB, error: error))
    }
    // Of the pseudonyms of two keys only their numbers can be compared.
    let hidden = { (tuple: CaptureDigest.TupleItem) in
      tokens.areSame ? tuple : CaptureDigest.TupleItem(topic: tuple.topic, token: [])
    }
    let unmatched = Self.unmatched(a.tuples.map(hidden), b.tuples.map(hidden))
    for (tuple, isInA) in unmatched {
      differences.append(Difference(kind: isInA ? .tupleOnlyInA : .tupleOnlyInB, tuple: tuple))
    }
    matchedTuples = a.tuples.count - unmatched.count { $0.isInA }
  }

  private static func isSentOtherwise(
    _ one: DigestItems.Entry,
    _ other: DigestItems.Entry,
    _ comparesTimes: Bool
  ) -> Bool {
    guard one.isWhole, other.isWhole, one.request == 0 else { return false }
    if one.command != other.command || one.priority != other.priority || one.hasExpiry != other.hasExpiry {
      return true
    }
    return comparesTimes ? one.expiry != other.expiry : (one.expiry == 0) != (other.expiry == 0)
  }

  /// The number in the first capture of each topic of the second; topics that only the second has get further numbers.
  private static func numbers(ofTopics topics: TextTable, in known: TextTable) -> [UInt32] {
    (0..<topics.count).map { UInt32(truncatingIfNeeded: known.known(topics[$0]) ?? known.count + $0) }
  }

  /// The elements that only one of two lists has, each as often as it has it more; in the order of the lists.
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
