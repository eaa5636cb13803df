import APNSimWire

/// The error of a file that was not read: every problem found in it, in the order of the file.
///
/// `description` has a compiler's form: `file.yaml:7:3: error: …`, line, caret, suggestion.
package struct DocumentError: Error, Sendable, CustomStringConvertible {
  package let source: SourceText
  package let problems: [DocumentProblem]
  /// The number of problems beyond the limit, which are not listed.
  package let omitted: Int
  /// True for a text that was refused before it was interpreted: it is no YAML, or exceeds the limits.
  var isUnread = false

  package var description: String {
    var lines: [String] = []
    for problem in problems {
      let place = source.isEmpty ? "" : ":\(problem.location.line):\(problem.location.column)"
      lines.append("\(source.name)\(place): error: \(problem.message)")
      // The line may be that of a key which somebody has put in the place of its file.
      lines += source.excerpt(at: problem.location, length: problem.length).map {
        KeyText.hidden($0, withLines: true)
      }
      if let suggestion = problem.suggestion { lines.append("  did you mean \"\(suggestion)\"?") }
    }
    if omitted > 0 { lines.append("\(source.name): \(omitted) more errors are not shown") }
    return lines.joined(separator: "\n")
  }
}
