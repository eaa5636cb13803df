import APNSimScenario

/// The places at which a capture's lines are missing or misplaced.
package struct CaptureGaps: Hashable, Sendable {
  /// The first hundred of such places.
  package private(set) var places: [CaptureGap] = []
  /// The number of such places.
  package private(set) var count = 0

  private static let most = 100
  /// The most places in a text.
  private static let mostTold = 10

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// `events 42 to 44 are missing, event 57 is missing and 3 more such places`; nil where there are none.
  package var text: String? {
    guard !isEmpty else { return nil }
    let told = places.prefix(Self.mostTold).map(\.description).joined(separator: ", ")
    let rest = count - Self.mostTold
    return rest > 0 ? "\(told) and \(rest.counted("more such place"))" : told
  }

  /// The same, with the line of the first: `line 6: events 42 to 44 are missing`.
  package var placedText: String? {
    places.first.flatMap { first in text.map { "line \(first.line): \($0)" } }
  }

  mutating func add(_ gap: CaptureGap) {
    count += 1
    if places.count < Self.most { places.append(gap) }
  }
}

/// A place where the sequence numbers of a capture's lines do not go on: lines were lost, removed or moved.
package struct CaptureGap: Hashable, Sendable, CustomStringConvertible {
  /// The line after it, from 1.
  package var line: Int
  /// The number that line should have had, and the one it has.
  package var expected: UInt64
  package var found: UInt64

  package var description: String {
    guard found >= expected else {
      let last = expected - 1
      return found == last
        ? "event \(found) is there twice"
        : "event \(found) comes after event \(last): the lines are out of order"
    }
    return found - expected <= 1
      ? "event \(expected) is missing" : "events \(expected) to \(found - 1) are missing"
  }
}
