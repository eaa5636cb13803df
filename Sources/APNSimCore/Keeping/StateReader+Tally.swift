extension StateReader {
  /// Reads a number of things that were counted one by one: so few that sums of such numbers are numbers.
  mutating func tally() throws(StateError) -> Int {
    let tally = try raw(Int.self)
    guard (0..<1 << 60).contains(tally) else { throw error("a count was expected, and \(tally) found") }
    return tally
  }
}
