/// The judge's answer for one payload.
package struct PayloadVerdict: BitwiseCopyable, Hashable, Sendable {
  /// Meaningless unless ``PayloadProblem/isJSON``.
  package var facts: PayloadFacts
  /// `.none` when the payload is fine.
  package var problem: PayloadProblem
  /// It is JSON with nothing but ASCII and no escape in it: what its strings say stands in it byte for byte.
  package var isPlain = false
  /// Where the problem lies, in bytes from the start of the payload as it was sent; its length when the payload ends
  /// too early, 0 when there is no problem.
  package var offset: Int

  package init(problem: PayloadProblem, offset: Int, facts: PayloadFacts) {
    self.problem = problem
    self.offset = offset
    self.facts = facts
  }
}
