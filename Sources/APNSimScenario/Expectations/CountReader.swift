import APNSimCore
import Yams

/// Reads how many are wanted: `3`, `never`, `{ atLeast: 2, atMost: 4 }`.
enum CountReader {
  /// The `count` of a mapping, or its `never: true`; at least one where it says neither.
  static func read(_ fields: Fields) -> CountTest? {
    switch (fields["count"], fields["never"]) {
    case (nil, nil): return CountTest(atLeast: 1)
    case (let count?, nil): return read(count)
    case (nil, let never?): return never.flag("\"never\"") == true ? .exactly(0) : nil
    case (_?, let never?):
      never.report("say \"count\" or \"never\", not both")
      return nil
    }
  }

  static func read(_ value: Value) -> CountTest? {
    if value.scalar == "never" { return .exactly(0) }
    if let number = value.scalar.flatMap({ Int($0) }), number >= 0 { return .exactly(number) }
    let keys = ["exactly", "atLeast", "atMost", "never"]
    guard case .mapping = value.node else {
      value.mismatch("a number, never, or { exactly, atLeast, atMost } as the count")
      return nil
    }
    guard let fields = Fields(value, of: "a count", keys: keys) else { return nil }
    let exactly = fields["exactly"].flatMap { $0.integer("\"exactly\"") }
    let atLeast = fields["atLeast"].flatMap { $0.integer("\"atLeast\"") }
    let atMost = fields["atMost"].flatMap { $0.integer("\"atMost\"") }
    if let never = fields["never"] { return never.flag("\"never\"") == true ? .exactly(0) : nil }
    if let exactly { return .exactly(exactly) }
    guard atLeast != nil || atMost != nil else {
      if keys.allSatisfy({ fields[$0] == nil }) { value.report("a count needs \(Enumeration.of(keys))") }
      return nil
    }
    return CountTest(atLeast: atLeast, atMost: atMost)
  }
}
