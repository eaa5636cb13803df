import APNSimWire
import Yams

/// One mistake in a file: its place, what was expected and found, and what may have been meant.
package struct DocumentProblem: Hashable, Sendable {
  package var location: SourceLocation
  /// The number of characters of the line that are wrong.
  package var length: Int
  /// One line: what was found and what was expected instead. Names that have several are shown with `\n`.
  package var message: String
  /// The known name closest to the one found.
  package var suggestion: String?
  /// The place as a JSON pointer (RFC 6901), in the bodies of requests.
  package var pointer: String?

  package init(location: SourceLocation, length: Int = 1, message: String, suggestion: String? = nil) {
    self.location = location
    self.length = length
    self.message = message.onOneLine
    self.suggestion = suggestion
  }
}

/// A place in a file as editors count it: line and column from 1, the column in Unicode scalars.
package struct SourceLocation: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static let start = SourceLocation(line: 1, column: 1)

  package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension DocumentProblem {
  /// Makes a problem of the YAML parser's error.
  init(_ error: YamlError, in source: SourceText) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let about = context.map { "\($0.text): " } ?? ""
      // libyaml has a limit of its own, and advice for programmers.
      let isTooDeep = problem.hasPrefix("Maximum nesting level reached")
      self.init(
        location: SourceLocation(mark),
        message: isTooDeep ? DocumentMeasure.tooDeep : "not readable as YAML or JSON: \(about)\(problem)"
      )
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(repeated: keys.first ?? "", first: SourceLocation(context.mark), in: source)
    case .reader(let problem, let offset, _, let text):
      let before = text.prefix(offset ?? 0)
      let line = before.reduce(into: 1) { count, character in count += character.isNewline ? 1 : 0 }
      let column = before.reversed().prefix { !$0.isNewline }.reduce(1) { $0 + $1.unicodeScalars.count }
      self.init(location: SourceLocation(line: line, column: column), message: "not readable: \(problem)")
    default:
      self.init(location: .start, message: "not readable as YAML or JSON: \(error)")
    }
  }

  /// The problem of a mapping that has a key twice.
  init(repeated key: String, first: SourceLocation, in source: SourceText) {
    if let second = source.repetition(of: key, after: first) {
      self.init(
        location: second,
        length: key.unicodeScalars.count,
        message: source.hasExactly(key, on: second.line)
          ? "duplicate key \"\(key)\"; the first is on line \(first.line)"
          : "this key differs from the one on line \(first.line) only in how its characters are composed, which is told "
            + "apart in JSON and not in YAML: write the document as JSON"
      )
    } else {
      self.init(
        location: first,
        length: key.unicodeScalars.count,
        message: "duplicate key \"\(key)\""
      )
    }
  }
}
