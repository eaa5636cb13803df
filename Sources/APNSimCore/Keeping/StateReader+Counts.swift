extension StateReader {
  /// Expects numbers that count on from here. Those that nothing could have counted to are refused, so that counting on
  /// does not come to its end.
  func expectCounted<Number: FixedWidthInteger>(_ numbers: Number...) throws(StateError) {
    for number in numbers where number < 0 || number > Number.max / 2 {
      throw error("nothing has counted to \(number)")
    }
  }

  /// Expects numbers of things that were counted one by one: so few that sums of such numbers are numbers.
  func expectTallies<Number: BinaryInteger>(_ tallies: Number...) throws(StateError) {
    for tally in tallies where !(0..<1 << 60).contains(tally) {
      throw error("a count was expected, and \(tally) found")
    }
  }
}
