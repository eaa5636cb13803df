internal import APNSimScenario

/// Where a capture's lines are missing or misplaced.
package struct CaptureGaps: Hashable, Sendable {
  /// The first hundred of such places.
  package private(set) var places: [CaptureGap] = []
  /// How many there are.
  package private(set) var count = 0

  private static let most = 100
  /// So many of them are told.
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
