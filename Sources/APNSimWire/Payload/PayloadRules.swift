/// The rules by which a payload is judged. Lenience is not a rule: a lenient gateway judges in the same way and then
/// lets the device cope with the result.
package struct PayloadRules: BitwiseCopyable, Hashable, Sendable {
  /// The maximum number of open arrays and objects; more than 512 is taken as 512.
  ///
  /// RFC 4627, section 4, lets an implementation choose. 512 is Foundation's own limit, so nothing that a device
  /// could have parsed is refused; a payload of 2,048 bytes can nest 1,024 deep.
  package var depthLimit: Int
  /// True if the values of `aps` and `alert` must have the types of tables 3-1 and 3-2.
  package var tables: Bool

  package static let maximumDepth = JSONNesting.maximumDepth

  package init(depthLimit: Int = PayloadRules.maximumDepth, tables: Bool = true) {
    self.depthLimit = depthLimit
    self.tables = tables
  }
}
