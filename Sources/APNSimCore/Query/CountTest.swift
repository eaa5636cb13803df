/// The number of matches that is wanted: `exactly`, `atLeast`, `atMost`; `never` is exactly none.
package struct CountTest: Hashable, Sendable, CustomStringConvertible {
  package var atLeast: Int?
  package var atMost: Int?

  package init(atLeast: Int? = nil, atMost: Int? = nil) {
    self.atLeast = atLeast
    self.atMost = atMost
  }

  package static func exactly(_ count: Int) -> CountTest { CountTest(atLeast: count, atMost: count) }

  package func holds(for count: Int) -> Bool {
    (atLeast.map { count >= $0 } ?? true) && (atMost.map { count <= $0 } ?? true)
  }

  /// True if the result stands even where the `count` notifications that were not examined match as well.
  package func isKnown(missing count: UInt64) -> Bool { count == 0 || atMost == nil }

  /// True where one thing is counted, so that its name in a text is singular.
  package var isOne: Bool { (atMost ?? atLeast) == 1 }

  package var description: String {
    switch (atLeast, atMost) {
    case (let low?, let high?) where low == high: "exactly \(low)"
    case (let low?, let high?): "\(low) to \(high)"
    case (let low?, nil): "at least \(low)"
    case (nil, let high?): "at most \(high)"
    case (nil, nil): "any number"
    }
  }
}
