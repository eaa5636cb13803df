/// Where a capture's lines are missing or misplaced.
package struct CaptureGaps: Hashable, Sendable {
  /// The first hundred of such places.
  package private(set) var places: [CaptureGap] = []
  /// How many there are.
  package private(set) var count = 0

  private static let most = 100

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The first place in words, and how many more there are; nil where there are none.
  package var summary: String? {
    guard let first = places.first else { return nil }
    let rest = count == 1 ? "" : ", and at \(count - 1) more place\(count == 2 ? "" : "s")"
    return "line \(first.line): \(first)\(rest)"
  }

  mutating func add(_ gap: CaptureGap) {
    count += 1
    if places.count < Self.most { places.append(gap) }
  }
}
