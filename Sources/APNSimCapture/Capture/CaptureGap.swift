/// A place in a capture where the numbers of its lines do not go on: lines have been lost, or taken out or moved.
package struct CaptureGap: Hashable, Sendable, CustomStringConvertible {
  /// The line behind it, from 1.
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
