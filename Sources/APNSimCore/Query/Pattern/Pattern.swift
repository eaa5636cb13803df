/// A regular expression that takes no more time than its length times the text's: safe to take from anybody.
///
/// The syntax is the common one without what needs backtracking: literals, `.`, classes (`[a-z]`, `[^0-9]`, `\d`,
/// `\w`, `\s` and their opposites), groups, `|`, `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`, `^`, `$`, and `(?i)` at the
/// beginning for either case. It is searched anywhere in the text unless it is anchored. A `?` after a repetition is
/// allowed and changes nothing, since only whether it is found matters. There are no back references and no look
/// around.
package struct Pattern: Hashable, Sendable, CustomStringConvertible {
  private let search: PatternSearch

  /// Characters of the longest expression.
  package static let longestSource = 1000

  /// - Throws: what is wrong with the expression, and where.
  package init(_ source: String) throws(PatternError) {
    search = PatternSearch(source, try PatternProgram(source))
  }

  package var source: String { search.source }

  /// Longer texts are not searched: no payload that is accepted is as long.
  package static let longestText = 4096

  package func isFound(in text: String) -> Bool {
    text.utf8.count <= Self.longestText && search.isFound(in: text.unicodeScalars)
  }

  /// - Parameter text: ASCII characters.
  package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    text.count <= Self.longestText && search.isFound(in: text)
  }

  /// The most that a search may cost for each character, beside looking at it once.
  var cost: Int { search.program.instructions.count }

  /// The ASCII text that stands in every text in which it is found; empty where there is none.
  var literal: [UInt8] { search.program.literal }

  package var description: String { source }

  package static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The reason why a text is no regular expression.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of characters before the place.
  package var offset: Int
  package var expected: String
  package var found: String

  package var description: String { "at character \(offset + 1): expected \(expected), found \(found)" }
}
