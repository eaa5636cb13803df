/// Where a capture's lines are missing or misplaced.
package struct CaptureGaps: Hashable, Sendable {
  /// The first hundred of such places.
  package private(set) var places: [CaptureGap] = []
  /// How many there are.
  package private(set) var count = 0

  private static let most = 100

  package init() {}

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ gap: CaptureGap) {
    count += 1
    if places.count < Self.most { places.append(gap) }
  }
}
