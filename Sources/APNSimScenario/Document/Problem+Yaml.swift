import Yams

extension Problem {
  /// What the YAML parser says, in the words and at the place of every other problem.
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

  /// That a mapping has a key twice.
  init(repeated key: String, first: SourceLocation, in source: SourceText) {
    if let second = source.repetition(of: key, after: first) {
      self.init(
        location: second,
        length: key.unicodeScalars.count,
        message: "duplicate key \"\(key)\"; the first is on line \(first.line)"
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
