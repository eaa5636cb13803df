/// What a payload is held to. Lenience is not a rule: a lenient gateway asks the same question and then lets the
/// device cope with the answer.
package struct PayloadRules: BitwiseCopyable, Hashable, Sendable {
  /// How many arrays and objects may be open at once; more than 512 is taken as 512.
  ///
  /// RFC 4627, section 4, lets an implementation choose. 512 is Foundation's own limit, so nothing that a device
  /// could have parsed is refused; a payload of 2,048 bytes can nest 1,024 deep.
  package var depthLimit: Int
  /// Whether the values of `aps` and `alert` must have the types of tables 3-1 and 3-2.
  package var tables: Bool

  package static let maximumDepth = JSONNesting.maximumDepth

  package init(depthLimit: Int = PayloadRules.maximumDepth, tables: Bool = true) {
    self.depthLimit = depthLimit
    self.tables = tables
  }
}
