/// The bounds beyond which a file is refused unread.
package enum DocumentLimits {
  /// Bytes of one file: tens of thousands of devices fit.
  package static let bytes = 4 * 1024 * 1024
  /// Lists and mappings inside one another; no file needs ten.
  package static let depth = 64
  /// Lines that begin with `%`, as directives do.
  static let directives = 100
  /// Anchors; no file needs a hundred.
  package static let anchors = 1000
  /// Values after every alias is replaced by what it stands for.
  package static let values = 1_000_000
  /// Bytes of a scenario written out in full, as journals have it in one line.
  package static let scenario = 16 << 20
  /// Bytes of a journal's line, the longest of which holds a scenario.
  package static let journalLine = 2 * scenario
}
