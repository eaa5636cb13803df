import APNSimCore

/// Reads an expected number: `3`, `never`, `{ atLeast: 2, atMost: 4 }`.
enum CountReader {
  /// The numbers allowed: the bound is far above what any history keeps.
  private static let range = 0...1_000_000_000

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
    let keys = ["exactly", "atLeast", "atMost", "never"]
    guard case .mapping = value.node else {
      value.mismatch("a number, never, or { exactly, atLeast, atMost } as the count")
      return nil
    }
    guard let fields = Fields(value, of: "a count", keys: keys) else { return nil }
    let never = fields["never"].flatMap { $0.flag("\"never\"") }
    let said = value.entries("a count").filter { $0.name != "never" || never != false }
    if said.count > 1, let whole = said.first(where: { ["exactly", "never"].contains($0.name) }) {
      whole.key.report("\"\(whole.name)\" cannot be combined with other bounds")
    }
    let exactly = fields["exactly"].flatMap { $0.integer("\"exactly\"", range) }
    let atLeast = fields["atLeast"].flatMap { $0.integer("\"atLeast\"", range) }
    let atMost = fields["atMost"].flatMap { $0.integer("\"atMost\"", range) }
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
