extension FixedWidthInteger {
  /// Adds to a count, which stays at the largest number rather than go beyond it: what is added may be anybody's word.
  /// - Parameter more: 0 or more.
  package mutating func add(saturating more: Self) { self = Swift.min(self, .max - more) + more }
}
