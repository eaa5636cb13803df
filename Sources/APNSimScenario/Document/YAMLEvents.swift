import CYAML

/// The parts of a YAML text one after the other, as libyaml reads them.
final class YAMLEvents {
  /// It holds its own address, and has to stay where it is.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool

  init(of string: String) {
    // One byte at least: libyaml takes no null pointer.
    text = .allocate(capacity: max(1, string.utf8.count))
    let (_, end) = text.initialize(from: string.utf8)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    isReady = yaml_parser_initialize(parser) == 1
    guard isReady else { return }
    // Zeros among the first bytes are no sign of UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, end)
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    text.deallocate()
  }

  /// The next part.
  /// - Throws: what is wrong with the text, and where.
  func next() throws(DocumentProblem) -> YAMLEvent {
    var event = yaml_event_t()
    guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw problem }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }

  private var problem: DocumentProblem {
    let words = Self.text(parser.pointee.problem) ?? "out of memory"
    switch parser.pointee.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      let about = Self.text(parser.pointee.context).map { "\($0): " } ?? ""
      // libyaml has a limit of its own, and advice for programmers.
      let isTooDeep = words.hasPrefix("Maximum nesting level reached")
      let reason = isAtTab ? "found a tab; YAML indents with spaces" : about + words
      return DocumentProblem(
        location: SourceLocation(parser.pointee.problem_mark),
        message: isTooDeep ? DocumentMeasure.tooDeep : "not readable as YAML or JSON: \(reason)"
      )
    case YAML_READER_ERROR:
      return DocumentProblem(
        location: location(of: parser.pointee.problem_offset),
        message: "not readable: \(words)"
      )
    default:
      return DocumentProblem(location: .start, message: "not readable as YAML or JSON: \(words)")
    }
  }

  /// True where the reading ended at a tab, which begins nothing. The place is counted in characters.
  private var isAtTab: Bool {
    let characters = String(decoding: text, as: UTF8.self).unicodeScalars
    return characters.dropFirst(Int(clamping: parser.pointee.problem_mark.index)).first == "\t"
  }

  private static func text(_ words: UnsafePointer<CChar>?) -> String? { words.map { String(cString: $0) } }

  /// The place of a byte.
  private func location(of offset: Int) -> SourceLocation {
    let before = String(decoding: text.prefix(offset), as: UTF8.self)
    let line = before.reduce(into: 1) { count, character in count += character.isNewline ? 1 : 0 }
    let column = before.reversed().prefix { !$0.isNewline }.reduce(1) { $0 + $1.unicodeScalars.count }
    return SourceLocation(line: line, column: column)
  }
}

extension SourceLocation {
  /// libyaml counts from zero.
  init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) &+ 1, column: Int(clamping: mark.column) &+ 1)
  }
}
