/// The side results of scanning a text: the error, and counts of what the judge asks for.
struct JSONNotes {
  /// The reason for which the last step failed, and its offset.
  private(set) var problem = PayloadProblem.none
  private(set) var place = 0
  /// The number of steps within strings that were over an escape or a character beyond ASCII.
  var unusual = 0
  /// The number of bytes of white space between tokens.
  var whitespace = 0

  /// Records an error and returns false, for the caller to return.
  @inline(__always)
  mutating func fail(_ problem: PayloadProblem, at place: Int) -> Bool {
    self.problem = problem
    self.place = place
    return false
  }

  /// Records an error and returns nil, for the caller to return.
  @inline(__always)
  mutating func fail(_ problem: PayloadProblem, at place: Int) -> Int? {
    _ = fail(problem, at: place) as Bool
    return nil
  }
}
