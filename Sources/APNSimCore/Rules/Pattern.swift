/// A regular expression that can be a value: compared by its source, shared between threads.
package struct Pattern: Hashable, @unchecked Sendable {
  package let source: String
  /// Never changed after it was made; the standard library has not marked it so.
  private let expression: Regex<AnyRegexOutput>

  /// Longer texts are not searched: a backtracking expression must not hold up the service.
  package static let longestText = 4096

  /// - Throws: the standard library's error, which says what is wrong with the expression.
  package init(_ source: String) throws {
    self.source = source
    expression = try Regex(source)
  }

  package func isFound(in text: String) -> Bool {
    guard text.utf8.count <= Self.longestText else { return false }
    return (try? expression.firstMatch(in: text)) != nil
  }

  package static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
