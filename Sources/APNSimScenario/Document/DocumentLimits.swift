/// How large and how deep a file may be before it is refused unread.
package enum DocumentLimits {
  /// Bytes of one file: tens of thousands of devices fit.
  package static let bytes = 4 * 1024 * 1024
  /// Lists and mappings within one another; no file needs ten.
  package static let depth = 64
  /// Anchors: as deep may aliases of aliases go, and a tree is let go of by recursion.
  package static let anchors = 1000
  /// Values once every alias is replaced by what it stands for.
  package static let values = 1_000_000
  /// Bytes of a scenario with all that it stands for written out, as journals have it in one line.
  package static let scenario = 16 << 20
  /// Bytes of a journal's line: a scenario, and what stands around it.
  package static let journalLine = 2 * scenario
}
