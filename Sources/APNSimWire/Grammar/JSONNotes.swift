/// What the steps over the tokens of a text leave behind, beside the places they lead to.
struct JSONNotes {
  /// Why the last step failed, and where.
  private(set) var problem = PayloadProblem.none
  private(set) var place = 0
  /// How many steps within strings were not over plain characters.
  var unusual = 0
  /// How many bytes of white space there were.
  var whitespace = 0

  /// Always false, to be returned.
  @inline(__always)
  mutating func fail(_ problem: PayloadProblem, at place: Int) -> Bool {
    self.problem = problem
    self.place = place
    return false
  }

  /// Always nil, to be returned.
  @inline(__always)
  mutating func fail(_ problem: PayloadProblem, at place: Int) -> Int? {
    _ = fail(problem, at: place) as Bool
    return nil
  }
}
