extension FixedWidthInteger {
  /// Adds to a count and saturates at the maximum: the summand may come from untrusted input.
  /// - Parameter more: 0 or more.
  package mutating func add(saturating more: Self) { self = Swift.min(self, .max - more) + more }
}
