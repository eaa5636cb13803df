package import APNSimCore
import APNSimWire

/// Reads a query in one line, as people type it: `topic:com.example.* alert~"order" status:8 !device:bob`.
///
/// Terms stand side by side and all must hold; `!` or `-` before one turns it around. A term is a field, an operator
/// and a value:
///
/// | operator | value | holds where the field |
/// |---|---|---|
/// | `:` | `bob` | is that; with a `*` in a value without quotes, is like that; `:*` alone: is there |
/// | `~` | `"order"`, `/^#[0-9]+$/` | has that in it; or has the regular expression in it |
/// | `^` | `Order` | begins with that |
/// | `>` `>=` `<` `<=` | `3` | is a number on that side |
/// | `#` | `2` | has so many elements, members or characters |
///
/// A field is one of the notification object's (`topic`, `status`, …) or a path into the payload
/// (`payload.aps.badge`); `badge` and `sound` are short for those of `aps`. `alert` is what the alert says: the alert
/// itself, or the `body` of one that is a dictionary; `alert.loc-key` and the like are members of the dictionary. Quotes
/// hold spaces, and `\"` and `\\` in them.
package enum QueryLine {
  /// The most characters of a line.
  package static let longest = 4096

  /// - Throws: `DocumentError` with the column of what is wrong, what was expected and found.
  package static func parse(_ line: String) throws(DocumentError) -> Query {
    var reader = QueryLineReader(line)
    return try reader.read()
  }
}

/// Reads the terms of a query line from left to right.
struct QueryLineReader {
  private let line: String
  private let scalars: [Unicode.Scalar]
  private var at = 0

  private static let operators: Set<Unicode.Scalar> = [":", "~", "^", ">", "<", "#", "="]

  /// A value with the way it was written.
  private struct Word {
    var text: String
    var isQuoted = false
    var isPattern = false
    var start: Int
  }

  init(_ line: String) {
    self.line = line
    scalars = Array(line.unicodeScalars)
  }

  mutating func read() throws(DocumentError) -> Query {
    guard scalars.count <= QueryLine.longest else {
      throw error(at: 0, "expected at most \(QueryLine.longest) characters, found \(scalars.count)")
    }
    var query = Query()
    while true {
      while let scalar = next, scalar.properties.isWhitespace { at += 1 }
      guard next != nil else { return query }
      query.conditions.append(try term())
    }
  }

  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private func error(at place: Int, length: Int = 1, _ message: String, suggestion: String? = nil)
    -> DocumentError
  {
    DocumentError(
      source: SourceText(name: "query", text: line),
      problems: [
        DocumentProblem(
          location: SourceLocation(line: 1, column: place + 1),
          length: max(1, length),
          message: message,
          suggestion: suggestion
        )
      ],
      omitted: 0
    )
  }

  private func unexpected(_ expected: String) -> DocumentError {
    error(at: at, "expected \(expected), found \(next.map { "\"\($0)\"" } ?? "the end")")
  }

  private mutating func term() throws(DocumentError) -> Query.Condition {
    var isNegated = false
    while next == "!" || next == "-" {
      isNegated.toggle()
      at += 1
    }
    let (path, kind) = try field()
    let matcher = try test(path, kind)
    return Query.Condition(path: path, matcher: isNegated ? .not(matcher) : matcher)
  }

  private mutating func field() throws(DocumentError) -> (path: String, kind: FieldKind) {
    let start = at
    let name: String
    if next == "\"" {
      name = try quoted().text
    } else {
      while let scalar = next, !Self.operators.contains(scalar), !scalar.properties.isWhitespace { at += 1 }
      name = text(start, at)
    }
    guard !name.isEmpty else { throw unexpected("a field such as topic or payload.aps.alert") }
    if let path = QueryReader.path(of: name) { return (path, .json) }
    if name.hasPrefix("payload."), name.count > 8 { return (name, .json) }
    guard let kind = QueryReader.kinds.first(where: { $0.name == name })?.kind else {
      let names = QueryReader.kinds.map(\.name) + ["badge", "sound", "payload.…"]
      throw error(
        at: start,
        length: name.unicodeScalars.count,
        "unknown field \"\(name)\"; known fields: \(Enumeration.and(names))",
        suggestion: NearestName.find(name, among: names)
      )
    }
    return (name, kind)
  }

  private mutating func test(_ path: String, _ kind: FieldKind) throws(DocumentError) -> Matcher {
    guard let symbol = next, Self.operators.contains(symbol) else {
      throw unexpected("one of : ~ ^ > >= < <= # after \"\(path)\"")
    }
    if symbol == ">" || symbol == "<", !kind.canBeNumber {
      throw error(at: at, length: 1, "\"\(symbol)\" compares numbers, but \(path) is never one")
    }
    at += 1
    var orEqual = false
    if symbol == ">" || symbol == "<", next == "=" {
      orEqual = true
      at += 1
    }
    let word = try value(allowsPattern: symbol == "~")
    switch symbol {
    case "~":
      guard word.isPattern else { return .contains(kind.folded(word.text)) }
      do throws(PatternError) {
        return .matches(try Pattern(word.text))
      } catch {
        throw self.error(
          at: word.start + 1 + error.offset,
          "expected \(error.expected), found \(error.found), in the regular expression"
        )
      }
    case "^": return .startsWith(kind.folded(word.text))
    case ">", "<": return comparison(symbol == ">", orEqual, try number(word))
    case "#":
      let size = try number(word)
      guard let count = Int(exactly: size), count >= 0 else {
        throw error(
          at: word.start,
          length: word.text.unicodeScalars.count,
          "expected a whole number, found \"\(word.text)\""
        )
      }
      return .size(count)
    default: return try equality(word, kind)
    }
  }

  private func equality(_ word: Word, _ kind: FieldKind) throws(DocumentError) -> Matcher {
    if !word.isQuoted, word.text == "*" { return .exists(true) }
    if !word.isQuoted, word.text.unicodeScalars.contains("*") { return .like(kind.folded(word.text)) }
    switch kind.plain(word.text, isQuoted: word.isQuoted) {
    case .success(let value): return .equals(value)
    case .failure(let wrong):
      throw error(
        at: word.start,
        length: word.text.unicodeScalars.count,
        "expected \(wrong.expected), found \"\(word.text)\"",
        suggestion: NearestName.find(word.text, among: wrong.names)
      )
    }
  }

  private func comparison(_ isGreater: Bool, _ orEqual: Bool, _ bound: Double) -> Matcher {
    // No number lies between a number and its neighbour.
    if isGreater { return .greaterThan(orEqual ? bound.nextDown : bound) }
    return .lessThan(orEqual ? bound.nextUp : bound)
  }

  private func number(_ word: Word) throws(DocumentError) -> Double {
    guard Value.isJSONNumber(word.text), let number = Double(word.text), number.isFinite else {
      throw error(
        at: word.start,
        length: word.text.unicodeScalars.count,
        "expected a number, found \"\(word.text)\""
      )
    }
    return number
  }

  private mutating func value(allowsPattern: Bool) throws(DocumentError) -> Word {
    if next == "\"" { return try quoted() }
    if allowsPattern, next == "/" { return try pattern() }
    let start = at
    while let scalar = next, !scalar.properties.isWhitespace { at += 1 }
    guard at > start else { throw unexpected("a value") }
    return Word(text: text(start, at), start: start)
  }

  private mutating func quoted() throws(DocumentError) -> Word {
    let start = at
    var text = String.UnicodeScalarView()
    at += 1
    while let scalar = next, scalar != "\"" {
      at += 1
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let escaped = next, escaped == "\"" || escaped == "\\" else {
        throw unexpected("\\\" or \\\\ after the backslash")
      }
      text.append(escaped)
      at += 1
    }
    guard next != nil else { throw error(at: start, "expected a closing quote, found the end") }
    at += 1
    return Word(text: String(text), isQuoted: true, start: start)
  }

  /// `/…/`, where `\/` is a slash.
  private mutating func pattern() throws(DocumentError) -> Word {
    let start = at
    var text = String.UnicodeScalarView()
    at += 1
    while let scalar = next, scalar != "/" {
      at += 1
      guard scalar == "\\", let escaped = next else {
        text.append(scalar)
        continue
      }
      at += 1
      if escaped != "/" { text.append(scalar) }
      text.append(escaped)
    }
    guard next == "/" else { throw error(at: start, "expected a closing slash, found the end") }
    at += 1
    return Word(text: String(text), isPattern: true, start: start)
  }

  private func text(_ start: Int, _ end: Int) -> String {
    String(String.UnicodeScalarView(scalars[start..<end]))
  }
}
