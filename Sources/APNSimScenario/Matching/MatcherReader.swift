import APNSimCore
import APNSimWire

/// Reads the test of a field: a plain value, or a mapping of operators that must all hold.
package enum MatcherReader {
  /// The names of the operators.
  package static let operators = table.keys

  /// The kind of a test: a value, or a mapping of operators.
  /// - Parameter value: the values to compare with.
  static func kind(_ name: String, _ meaning: String, _ value: ValueKind, canBeNumber: Bool) -> ValueKind {
    var plain = value
    if case .json = value { plain = .plainJSON }
    let noun = noun(name, value, canBeNumber: canBeNumber)
    return .named(name, meaning, .either([plain, .mapping(noun)]))
  }

  static func noun(_ name: String, _ value: ValueKind, canBeNumber: Bool) -> Noun {
    let bound = canBeNumber ? ValueKind.decimal : .never
    let rows = [
      Noun.Row("equals", value, "It is this.", isNullable: true),
      Noun.Row("contains", .text, "It is a text with this in it."),
      Noun.Row("startsWith", .text, "It is a text that starts with this."),
      Noun.Row("matches", .text, "It is a text in which this regular expression is found."),
      Noun.Row("like", .text, "It is a text of this shape, in which * stands for any characters."),
      Noun.Row("exists", .flag, "It is there, or is not."),
      Noun.Row("gt", bound, "It is a number above this."),
      Noun.Row("lt", bound, "It is a number below this."),
      Noun.Row("size", .count, "It has so many characters, elements or members."),
      Noun.Row("not", .reference(name), "It is not this, or this does not hold.", isNullable: true),
    ]
    let meaning = "Operators that must all hold."
    return Noun("\(name)Operators", "a test", meaning, rows: rows, terms: [.some(rows.map(\.key))])
  }

  private static let table = noun("test", .json, canBeNumber: true)

  /// - Parameter subject: the field, for messages: `aps.badge`.
  /// - Returns: nil after reporting a problem.
  static func read(_ value: Value, _ subject: String, as kind: FieldKind) -> Matcher? {
    guard case .mapping = value.node else { return kind.plain(value, subject).map { .equals($0) } }
    guard let fields = Fields(value, of: table, as: "a test of \(subject)") else { return nil }
    let given = operators.filter { fields[$0] != nil }
    guard !given.isEmpty else {
      value.report("a test of \(subject) needs \(Enumeration.of(operators))")
      return nil
    }
    let matchers = given.map { name in fields[name].flatMap { read(name, $0, fields, subject, kind) } }
    guard !matchers.contains(nil) else { return nil }
    let all = matchers.compactMap { $0 }
    return all.count == 1 ? all.first : .all(all)
  }

  private static func read(
    _ name: String,
    _ value: Value,
    _ fields: Fields,
    _ subject: String,
    _ kind: FieldKind
  ) -> Matcher? {
    switch name {
    case "equals": return kind.plain(value, subject).map { .equals($0) }
    case "contains": return kind.part(value, subject).map { .contains($0) }
    case "startsWith": return kind.part(value, subject).map { .startsWith($0) }
    case "like": return kind.part(value, subject).map { .like($0) }
    case "matches": return value.pattern(subject).map { .matches($0) }
    case "exists": return value.flag("\"exists\"").map { .exists($0) }
    case "gt": return bound(name, value, subject, kind).map { .greaterThan($0) }
    case "lt": return bound(name, value, subject, kind).map { .lessThan($0) }
    case "size": return fields.integer("size", "\"size\"").map { .size($0) }
    case "not": return read(value, subject, as: kind).map { .not($0) }
    default: return nil
    }
  }

  private static func bound(_ name: String, _ value: Value, _ subject: String, _ kind: FieldKind) -> Double? {
    guard kind.canBeNumber else {
      value.report("\"\(name)\" compares numbers, but \(subject) is never one")
      return nil
    }
    return value.decimal("\"\(name)\"")
  }
}

extension Value {
  /// A regular expression.
  func pattern(_ subject: String) -> Pattern? {
    guard let text = text("a regular expression for \(subject)") else { return nil }
    do {
      return try Pattern(text)
    } catch {
      mismatch("a regular expression for \(subject) (\(Self.firstLine(of: error)))")
      return nil
    }
  }

  private static func firstLine(of error: any Error) -> String {
    String("\(error)".split(separator: "\n").first ?? "not understood")
  }
}
