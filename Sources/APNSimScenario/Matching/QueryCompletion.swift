import APNSimCore
import APNSimWire

/// The words that can stand at a place of a query line: fields, operators, and values as they were seen.
///
/// Places are counted in Unicode scalars from 0, as the columns of errors are from 1.
package struct QueryCompletion: Hashable, Sendable {
  package static let mostItems = 50

  /// The characters that an item stands for.
  package let range: Range<Int>
  /// The path whose values that were seen may stand there; nil where no value may.
  package let path: String?
  /// True where paths into payloads may stand there.
  package let takesPaths: Bool
  /// The text that is written there before the place.
  private let prefix: String
  /// The words that may stand there, whatever was seen.
  private let known: [Item]

  package struct Item: Hashable, Sendable {
    package enum Kind: String, Hashable, JSONWord { case field, `operator`, value }

    package var text: String
    package var kind: Kind
    /// The number of times that it was seen; nil where nobody counts.
    package var count: Int?

    package init(text: String, kind: Kind, count: Int? = nil) {
      (self.text, self.kind, self.count) = (text, kind, count)
    }
  }

  /// - Parameter place: nil for the end of the line.
  /// - Throws: `DocumentError` with the column for terms before the place that are not understood.
  package init(_ line: String, at place: Int?) throws(DocumentError) {
    let scalars = Array(line.unicodeScalars)
    if scalars.count > QueryLine.longest { _ = try QueryLine.parse(line) }
    let place = min(max(0, place ?? scalars.count), scalars.count)
    let term = Term.around(place, in: scalars)
    _ = try QueryLine.parse(Term.text(scalars, 0..<min(term.start, place)))
    let field = Term.text(scalars, term.field)
    // Ahead of a field, or within an operator, nothing is replaced.
    guard place >= term.field.lowerBound else {
      self.init(field: "", typed: "", in: place..<place)
      return
    }
    guard let operation = term.operation, place >= operation.upperBound else {
      let (from, to) = (term.field.lowerBound, min(place, term.field.upperBound))
      if place > term.field.upperBound, let operation = term.operation {
        self.init(field: field, typed: field, in: term.field.lowerBound..<operation.upperBound)
        return
      }
      self.init(field: field, typed: Term.text(scalars, from..<max(from, to)), in: term.field)
      return
    }
    let value = Term.text(scalars, term.value.lowerBound..<max(term.value.lowerBound, place))
    self.init(
      valueOf: field,
      Term.text(scalars, operation),
      typed: value,
      in: term.value
    )
  }

  private init(field: String, typed: String, in range: Range<Int>) {
    (self.range, path, prefix, takesPaths) = (range, nil, typed, true)
    var known: [Item] = []
    if let kind = Self.kind(of: field), field == typed {
      known = Self.operators(of: kind).map { Item(text: field + $0, kind: .operator) }
    }
    let names = QueryReader.kinds.map(\.name) + ["badge", "sound", "payload."]
    self.known = known + names.filter { $0 != field }.map { Item(text: $0, kind: .field) }
  }

  private init(valueOf field: String, _ operation: String, typed: String, in range: Range<Int>) {
    let kind = Self.kind(of: field)
    self.range = range
    (prefix, takesPaths) = (Self.unquoted(typed), false)
    path = kind == nil || operation == "#" ? nil : QueryReader.path(of: field) ?? field
    known = operation == ":" ? (kind ?? .text).names.map { Item(text: $0, kind: .value) } : []
  }

  private static func kind(of field: String) -> FieldKind? {
    if QueryReader.path(of: field) != nil || field.hasPrefix("payload.") && field.count > 8 { return .json }
    return QueryReader.kinds.first { $0.name == field }?.kind
  }

  private static func operators(of kind: FieldKind) -> [String] {
    [":", "~", "^"] + (kind.canBeNumber ? [">", ">=", "<", "<="] : []) + ["#"]
  }

  /// The items, those that were seen most first.
  /// - Parameter seen: values of ``path``, or dotted paths into payloads where ``takesPaths``.
  package func items(_ seen: [(text: String, count: Int)]) -> [Item] {
    let counts = Dictionary(seen.map { ($0.text, $0.count) }, uniquingKeysWith: { first, _ in first })
    var items = known.map { item in
      var item = item
      if item.kind == .value { item.count = counts[item.text] ?? 0 }
      return item
    }
    let names = Set(known.map(\.text))
    let others = seen.filter { !names.contains($0.text) }
    if takesPaths {
      items += others.map { Item(text: "payload.\($0.text)", kind: .field, count: $0.count) }
    } else if path != nil {
      items += others.map { Item(text: $0.text, kind: .value, count: $0.count) }
    }
    let wanted = prefix.lowercased()
    let ranked = items.enumerated().compactMap { offset, item -> (rank: Int, offset: Int, item: Item)? in
      let text = item.text.lowercased()
      guard wanted.isEmpty || text.contains(wanted) else { return nil }
      return (text.hasPrefix(wanted) ? 0 : 1, offset, item)
    }
    let sorted = ranked.sorted { left, right in
      (left.rank, -(left.item.count ?? 0), left.offset) < (right.rank, -(right.item.count ?? 0), right.offset)
    }
    return sorted.prefix(Self.mostItems).map { found in
      var item = found.item
      if item.kind == .value { item.text = written(item.text) }
      return item
    }
  }

  /// A value as it is typed: in quotes where it has to be.
  private func written(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isPlain = !text.isEmpty && !scalars.contains { $0.properties.isWhitespace || $0 == "*" }
    guard !isPlain || scalars.first == "\"" || scalars.first == "/" else { return text }
    return "\"" + text.replacingScalars { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } + "\""
  }

  private static func unquoted(_ typed: String) -> String {
    guard typed.unicodeScalars.first == "\"" else { return typed }
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in typed.unicodeScalars.dropFirst() {
      if scalar == "\"", !isEscaped { break }
      isEscaped = scalar == "\\" && !isEscaped
      if !isEscaped { text.append(scalar) }
    }
    return String(text)
  }
}

/// The term of a line around a place, as far as it is written.
private struct Term {
  var start: Int
  /// The field without its signs; the operator, if there is one; the value.
  var field: Range<Int>
  var operation: Range<Int>?
  var value: Range<Int>

  private static let operators: Set<Unicode.Scalar> = [":", "~", "^", ">", "<", "#", "="]

  /// The term that a place is in, or a new one where it is between two.
  static func around(_ place: Int, in scalars: [Unicode.Scalar]) -> Term {
    func isSpace(_ at: Int) -> Bool { scalars[at].properties.isWhitespace }
    var at = 0
    while true {
      while at < place, isSpace(at) { at += 1 }
      let term = Term(scalars, from: at)
      let end = max(term.value.upperBound, term.operation?.upperBound ?? term.field.upperBound)
      guard end < place else { return term }
      // A term is followed by a space, or by something that no term can have.
      at = max(end, at + 1)
    }
  }

  private init(_ scalars: [Unicode.Scalar], from start: Int) {
    operation = nil
    func isSpace(_ at: Int) -> Bool { scalars[at].properties.isWhitespace }
    func endOfQuotes(_ from: Int, _ quote: Unicode.Scalar) -> Int {
      var at = from + 1
      while at < scalars.count, scalars[at] != quote { at += scalars[at] == "\\" ? 2 : 1 }
      return min(at + 1, scalars.count)
    }
    self.start = start
    var at = start
    while at < scalars.count, scalars[at] == "!" || scalars[at] == "-" { at += 1 }
    let begin = at
    if at < scalars.count, scalars[at] == "\"" { at = endOfQuotes(at, "\"") }
    while at < scalars.count, !Self.operators.contains(scalars[at]), !isSpace(at) { at += 1 }
    field = begin..<at
    value = at..<at
    guard at < scalars.count, Self.operators.contains(scalars[at]) else { return }
    let symbol = scalars[at]
    let sign = at
    at += 1
    if symbol == ">" || symbol == "<", at < scalars.count, scalars[at] == "=" { at += 1 }
    operation = sign..<at
    let from = at
    if at < scalars.count, scalars[at] == "\"" || symbol == "~" && scalars[at] == "/" {
      at = endOfQuotes(at, scalars[at])
    }
    while at < scalars.count, !isSpace(at) { at += 1 }
    value = from..<at
  }

  static func text(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }
}
