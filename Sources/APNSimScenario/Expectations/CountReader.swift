import APNSimCore

/// Reads an expected number: `3`, `never`, `{ atLeast: 2, atMost: 4 }`.
enum CountReader {
  /// The numbers allowed: the bound is far above what any history keeps.
  private static let range = 0...1_000_000_000

  /// A number, never, or bounds.
  static let kind = ValueKind.named(
    "count",
    "How many: a number, never, or bounds.",
    .either([.integer(range), .word("never"), .mapping(noun)])
  )
  /// The rows of `count` and `never`.
  static let rows = [
    Noun.Row("count", kind, "How many there are; at least one where nothing is said."),
    Noun.Row("never", .flag, "There is none: the same as count: never."),
  ]
  /// The two of them do not go together.
  static let term = Noun.Term.never([.given("count"), .value("never", .yes)])

  private static let noun = Noun(
    "bounds",
    "a count",
    "Bounds of a number.",
    rows: [
      Noun.Row("exactly", .integer(range), "So many."),
      Noun.Row("atLeast", .integer(range), "So many or more."),
      Noun.Row("atMost", .integer(range), "So many or fewer."), Noun.Row("never", .flag, "None."),
    ],
    terms: [
      .some(["exactly", "atLeast", "atMost", "never"]),
      .never([.given("exactly"), .any(["atLeast", "atMost"])]),
      .never([.value("never", .yes), .any(["exactly", "atLeast", "atMost"])]),
    ]
  )

  /// The `count` of a mapping, or its `never: true`; at least one where it says neither.
  static func read(_ fields: Fields) -> CountTest? {
    switch (fields["count"], fields["never"]) {
    case (nil, nil): return CountTest(atLeast: 1)
    case (let count?, nil): return read(count)
    case (nil, let never?):
      return never.flag("\"never\"").map { $0 ? .exactly(0) : CountTest(atLeast: 1) }
    case (let count?, let never?):
      guard let isNever = never.flag("\"never\"") else { return nil }
      if !isNever { return read(count) }
      never.report("expected \"count\" or \"never\", found both")
      return nil
    }
  }

  static func read(_ value: Value) -> CountTest? {
    if value.scalar == "never" { return .exactly(0) }
    if value.scalar.flatMap({ Int($0) }) != nil {
      // A request's body is JSON, in which a number in quotes is a string.
      if value.literal == nil { value.mismatch("a number or never") }
      return value.integer("the count", range).map { .exactly($0) }
    }
    let keys = noun.keys
    guard case .mapping = value.node else {
      value.mismatch("a number, never, or { exactly, atLeast, atMost } as the count")
      return nil
    }
    guard let fields = Fields(value, of: noun) else { return nil }
    let never = fields["never"].flatMap { $0.flag("\"never\"") }
    let said = value.entries("a count").filter { $0.name != "never" || never != false }
    if said.count > 1, let whole = said.first(where: { ["exactly", "never"].contains($0.name) }) {
      whole.key.report("\"\(whole.name)\" cannot be combined with other bounds")
    }
    let exactly = fields.integer("exactly", "\"exactly\"")
    let atLeast = fields.integer("atLeast", "\"atLeast\"")
    let atMost = fields.integer("atMost", "\"atMost\"")
    if never == true { return .exactly(0) }
    if let exactly { return .exactly(exactly) }
    guard atLeast != nil || atMost != nil else {
      if never == false { return CountTest(atLeast: 1) }
      if keys.allSatisfy({ fields[$0] == nil }) { value.report("a count needs \(Enumeration.of(keys))") }
      return nil
    }
    if let atLeast, let atMost, atLeast > atMost {
      value.report("expected \"atLeast\" to be no more than \"atMost\", found \(atLeast) and \(atMost)")
    }
    return CountTest(atLeast: atLeast, atMost: atMost)
  }
}
