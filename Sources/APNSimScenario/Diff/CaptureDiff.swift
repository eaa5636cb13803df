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
    /// It changed places with others of its connection.
    case order
    /// It came on another connection.
    case connection
    /// It came at another time.
    case time
    /// Error responses that only one of the captures has.
    case errorOnlyInA
    case errorOnlyInB
  }

  package struct Difference: Sendable {
    package var kind: Kind
    package var a: CaptureDigest.Item?
    package var b: CaptureDigest.Item?
    package var error: CaptureDigest.ErrorItem?
  }

  package private(set) var differences: [Difference] = []
  /// Notifications that both captures have.
  package private(set) var matched = 0
  /// Whether the tokens of the captures are other ones for the same devices, as redaction makes them.
  package let isPairingTokens: Bool

  package var isSame: Bool { differences.isEmpty }

  package init(_ a: CaptureDigest, _ b: CaptureDigest, comparesTimes: Bool, comparesConnections: Bool) {
    let pairs = TokenPairs(a, b)
    isPairingTokens = !pairs.areSame
    var waiting: [Key: ArraySlice<Int>] = [:]
    for (index, item) in b.items.enumerated() {
      waiting[Key(item, pairs.token(ofB: item.token)), default: []].append(index)
    }
    var isTaken = [Bool](repeating: false, count: b.items.count)
    /// The place in the second capture of the last match, by connection of the first and the second.
    var lastPlace: [Pair: Int] = [:]
    var partners = Partners()
    for item in a.items {
      guard let index = partners.take(item, from: &waiting[Key(item, item.token), default: []], of: b.items)
      else {
        differences.append(Difference(kind: .onlyInA, a: item))
        continue
      }
      isTaken[index] = true
      matched += 1
      let other = b.items[index]
      if let one = item.outcome, let two = other.outcome, one != two || item.status != other.status {
        differences.append(Difference(kind: .outcome, a: item, b: other))
      }
      let pair = Pair(a: item.connection, b: other.connection)
      if let last = lastPlace[pair], last > index {
        differences.append(Difference(kind: .order, a: item, b: other))
      } else {
        lastPlace[pair] = index
      }
      if comparesConnections, item.connection != other.connection {
        differences.append(Difference(kind: .connection, a: item, b: other))
      }
      if comparesTimes, item.time != other.time {
        differences.append(Difference(kind: .time, a: item, b: other))
      }
    }
    for (index, item) in b.items.enumerated() where !isTaken[index] {
      differences.append(Difference(kind: .onlyInB, b: item))
    }
    compare(a.errors, b.errors)
  }

  /// What makes two notifications of two captures the same.
  private struct Key: Hashable {
    var topic: String
    var identifier: UInt32?
    var token: [UInt8]
    var content: [UInt64]

    init(_ item: CaptureDigest.Item, _ token: [UInt8]) {
      (topic, identifier) = (item.topic, item.identifier?.rawValue)
      (self.token, content) = (token, item.content)
    }
  }

  private struct Pair: Hashable {
    var a: ConnectionID
    var b: ConnectionID
  }

  private mutating func compare(_ a: [CaptureDigest.ErrorItem], _ b: [CaptureDigest.ErrorItem]) {
    var left: [CaptureDigest.ErrorItem: Int] = [:]
    for error in b { left[error, default: 0] += 1 }
    for error in a {
      if let count = left[error], count > 0 {
        left[error] = count - 1
      } else {
        differences.append(Difference(kind: .errorOnlyInA, error: error))
      }
    }
    for error in b {
      guard let count = left[error], count > 0 else { continue }
      left[error] = count - 1
      differences.append(Difference(kind: .errorOnlyInB, error: error))
    }
  }
}
