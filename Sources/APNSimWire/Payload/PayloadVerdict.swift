/// The judge's verdict on one payload.
package struct PayloadVerdict: BitwiseCopyable, Hashable, Sendable {
  /// The facts, which are meaningless unless ``PayloadProblem/isJSON``.
  package var facts: PayloadFacts
  /// The problem; `.none` when the payload is accepted.
  package var problem: PayloadProblem
  /// True for JSON of only ASCII and without escapes: the payload then contains the text of its strings byte for
  /// byte.
  package var isPlain = false
  /// The offset of the problem in bytes from the start of the payload as it was sent: the payload's length when it
  /// ends too early, 0 when there is no problem.
  package var offset: Int

  package init(problem: PayloadProblem, offset: Int, facts: PayloadFacts) {
    self.problem = problem
    self.offset = offset
    self.facts = facts
  }
}
