/// Why a file was not read: every problem found in it, in the order of the file.
///
/// `description` is what a compiler would print: `file.yaml:7:3: error: …`, line, caret, suggestion.
package struct DocumentError: Error, Sendable, CustomStringConvertible {
  package let source: SourceText
  package let problems: [DocumentProblem]
  /// Problems found past the limit, which are counted and not listed.
  package let omitted: Int
  /// Whether the text was refused before anybody asked what it means: it is no YAML, or past the limits.
  var isUnread = false

  package var description: String {
    var lines: [String] = []
    for problem in problems {
      let place = source.isEmpty ? "" : ":\(problem.location.line):\(problem.location.column)"
      lines.append("\(source.name)\(place): error: \(problem.message)")
      lines += source.excerpt(at: problem.location, length: problem.length)
      if let suggestion = problem.suggestion { lines.append("  did you mean \"\(suggestion)\"?") }
    }
    if omitted > 0 { lines.append("\(source.name): \(omitted) more errors are not shown") }
    return lines.joined(separator: "\n")
  }
}
