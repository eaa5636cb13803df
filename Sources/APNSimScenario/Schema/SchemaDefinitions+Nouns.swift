import APNSimWire

extension SchemaDefinitions {
  /// The members of a noun's schema.
  mutating func members(of noun: Noun) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("description", noun.meaning), .init("type", "object"),
    ]
    let properties = noun.rows.compactMap { row in
      property(row, of: noun).map { JSONValue.Member(key: row.key, value: $0) }
    }
    members.append(.init(key: "properties", value: .object(properties)))
    if !noun.others.isEmpty {
      let patterns = noun.others.map { others in
        JSONValue.Member(
          key: "^\(others.form.pattern)$",
          value: Self.described(others.meaning, schema(others.kind))
        )
      }
      members.append(.init(key: "patternProperties", value: .object(patterns)))
    }
    members.append(.init(key: "additionalProperties", value: .bool(false)))
    let needed = noun.rows.filter { $0.need != .optional }.map(\.key)
    if !needed.isEmpty { members.append(.init(key: "required", value: .strings(needed))) }
    var all: [JSONValue] = []
    for term in noun.terms {
      if case .entries(let range) = term {
        members.append(.init(key: "minProperties", value: .number("\(range.lowerBound)")))
        if range.upperBound < Int.max {
          members.append(.init(key: "maxProperties", value: .number("\(range.upperBound)")))
        }
      } else {
        all.append(schema(term, of: noun))
      }
    }
    if !all.isEmpty { members.append(.init(key: "allOf", value: .array(all))) }
    return members
  }

  /// Nil for a key at which nothing can stand.
  private mutating func property(_ row: Noun.Row, of noun: Noun) -> JSONValue? {
    if case .never = row.kind { return nil }
    let value = schema(row.kind)
    return Self.described(row.meaning, noun.isEmptyAllowed(row) ? value.orNull : value)
  }

  private static func described(_ meaning: String, _ schema: JSONValue) -> JSONValue {
    guard case .object(let members) = schema else { return schema }
    return .object([.init("description", meaning)] + members)
  }

  // MARK: Terms

  private mutating func schema(_ term: Noun.Term, of noun: Noun) -> JSONValue {
    switch term {
    case .some(let keys): return .object("anyOf", .array(keys.map { given($0, of: noun) }))
    case .one(let keys): return .object("oneOf", .array(keys.map { given($0, of: noun) }))
    case .atMostOne(let keys):
      var pairs: [JSONValue] = []
      for (place, first) in keys.enumerated() {
        for second in keys.dropFirst(place + 1) {
          pairs.append(.object("allOf", .array([given(first, of: noun), given(second, of: noun)])))
        }
      }
      return .object("not", pairs.count == 1 ? pairs[0] : .object("anyOf", .array(pairs)))
    case .with(let key, let other):
      return .object([
        .init(key: "if", value: given(key, of: noun)), .init(key: "then", value: given(other, of: noun)),
      ])
    case .never(let conditions):
      return .object("not", .object("allOf", .array(conditions.map { schema($0, of: noun) })))
    case .entries: return .object([])
    }
  }

  private mutating func schema(_ condition: Noun.Condition, of noun: Noun) -> JSONValue {
    switch condition {
    case .given(let key): return given(key, of: noun)
    case .absent(let key): return .object("not", given(key, of: noun))
    case .any(let keys): return .object("anyOf", .array(keys.map { given($0, of: noun) }))
    case .value(let key, let kind): return with(key, schema(kind))
    case .noValue(let key, let kind): return .object("not", with(key, schema(kind)))
    }
  }

  private func with(_ key: String, _ value: JSONValue) -> JSONValue {
    .object([
      .init(key: "required", value: .strings([key])), .init(key: "properties", value: .object(key, value)),
    ])
  }

  /// The key is there, and not empty.
  private func given(_ key: String, of noun: Noun) -> JSONValue {
    if let row = noun.row(key), noun.isEmptyAllowed(row) {
      return with(key, .object("not", .object("type", .string("null"))))
    }
    return .object("required", .strings([key]))
  }
}

extension Noun {
  /// True if an empty value stands for none at the key.
  fileprivate func isEmptyAllowed(_ row: Row) -> Bool {
    takesEmpty && !row.isNullable && row.need != .required
  }
}
