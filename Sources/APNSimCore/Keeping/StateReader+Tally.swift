extension StateReader {
  /// Reads a number of things that were counted one by one: so few that sums of such numbers are numbers.
  mutating func tally() throws(StateError) -> Int {
    let tally = try raw(Int.self)
    try expectTallies(tally)
    return tally
  }

  /// Expects numbers of things that were counted one by one.
  func expectTallies<Number: BinaryInteger>(_ tallies: Number...) throws(StateError) {
    for tally in tallies where !(0..<1 << 60).contains(tally) {
      throw error("a count was expected, and \(tally) found")
    }
  }
}
