import APNSimWire

/// Makes schemas of kinds, and collects the definitions that they refer to.
struct SchemaDefinitions {
  private var definitions: [String: JSONValue] = [:]

  /// By name, for `$defs`.
  var sorted: [JSONValue.Member] {
    definitions.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: $0.value) }
  }

  mutating func schema(_ kind: ValueKind) -> JSONValue {
    switch kind {
    case .text: .object("type", .strings(["string", "number", "boolean"]))
    case .form(let form): define(form.name) { _ in Self.definition(of: form) }
    case .flag:
      define("flag") { _ in
        .object([
          .init("description", "true or false, also yes, no, on, off."),
          .init(key: "type", value: .strings(["boolean", "string"])),
          .init("pattern", "^(?:true|True|TRUE|yes|on|false|False|FALSE|no|off)$"),
          .init("errorMessage", "expected true or false"),
        ])
      }
    case .yes:
      define("yes") { _ in
        .object([
          .init("description", "true; false would mean nothing."),
          .init(
            key: "anyOf",
            value: .array([
              .object("const", .bool(true)),
              .object([.init("type", "string"), .init("pattern", "^(?:true|True|TRUE|yes|on)$")]),
            ])
          ),
        ])
      }
    case .integer(let range): Self.number("integer", "\(range.lowerBound)", range.upperBound, "^[+-]?[0-9]+$")
    case .decimal:
      define("number") { _ in
        .object([
          .init("description", "A number."), .init(key: "type", value: .strings(["number", "string"])),
          .init(key: "minimum", value: .number("-1.7976931348623157e308")),
          .init(key: "maximum", value: .number("1.7976931348623157e308")),
          .init("pattern", "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"),
        ])
      }
    case .probability:
      define("probability") { _ in
        .object([
          .init("description", "A number from 0 to 1."),
          .init(key: "type", value: .strings(["number", "string"])),
          .init(key: "minimum", value: .number("0")), .init(key: "maximum", value: .number("1")),
          .init("pattern", "^[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"),
        ])
      }
    case .choice(let names): .object("enum", .strings(names))
    case .json: .object([])
    case .plainJSON: .object("type", .strings(["string", "number", "boolean", "array", "null"]))
    case .object: .object("type", .string("object"))
    case .mapping(let noun): define(noun.name) { .object($0.members(of: noun)) }
    case .names(let form, let kind, let least, let most): names(form, kind, least, most)
    case .list(let kind, let counts): list(kind, counts)
    case .either(let kinds): either(kinds)
    case .having(let keys, let kind): having(keys, kind)
    case .nothing: .object("type", .string("null"))
    case .never: .bool(false)
    case .named(let name, let meaning, let kind):
      define(name) { definitions in
        guard case .object(let members) = definitions.schema(kind) else { return .bool(false) }
        return .object([.init("description", meaning)] + members)
      }
    case .reference(let name): Self.reference(to: name)
    }
  }

  // MARK: Definitions

  private static func reference(to name: String) -> JSONValue { .object("$ref", .string("#/$defs/\(name)")) }

  /// Makes a definition where there is none of that name yet; it may refer to itself.
  private mutating func define(_ name: String, _ make: (inout Self) -> JSONValue) -> JSONValue {
    if definitions[name] == nil {
      definitions[name] = .null
      definitions[name] = make(&self)
    }
    return Self.reference(to: name)
  }

  private static func definition(of form: TextForm) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("description", form.meaning.prefix(1).uppercased() + form.meaning.dropFirst() + ".")
    ]
    switch form.numbers {
    case .none: members.append(.init("type", "string"))
    case .any: members.append(.init(key: "type", value: .strings(["string", "number"])))
    case .literals: members.append(.init(key: "type", value: .strings(["string", "number", "boolean"])))
    case .whole(let lowest, let highest):
      members += [
        .init(key: "type", value: .strings(["string", "integer"])),
        .init(key: "minimum", value: .number(lowest)), .init(key: "maximum", value: .number(highest)),
      ]
    }
    members += [.init("pattern", "^\(form.pattern)$"), .init("errorMessage", "expected \(form.meaning)")]
    if !form.examples.isEmpty { members.append(.init(key: "examples", value: .strings(form.examples))) }
    return .object(members)
  }

  private static func number(_ type: String, _ lowest: String, _ highest: Int, _ pattern: String) -> JSONValue
  {
    var members: [JSONValue.Member] = [
      .init(key: "type", value: .strings([type, "string"])), .init(key: "minimum", value: .number(lowest)),
    ]
    if highest < Int.max { members.append(.init(key: "maximum", value: .number("\(highest)"))) }
    return .object(members + [.init("pattern", pattern)])
  }

  // MARK: Collections

  private mutating func names(_ form: TextForm?, _ kind: ValueKind, _ least: Int, _ most: Int?) -> JSONValue {
    var members: [JSONValue.Member] = [.init("type", "object")]
    if let form {
      members.append(.init(key: "propertyNames", value: .object("pattern", .string("^\(form.pattern)$"))))
    }
    members.append(.init(key: "additionalProperties", value: schema(kind)))
    if least > 0 { members.append(.init(key: "minProperties", value: .number("\(least)"))) }
    if let most { members.append(.init(key: "maxProperties", value: .number("\(most)"))) }
    return .object(members)
  }

  private mutating func list(_ kind: ValueKind, _ counts: ClosedRange<Int>) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", "array"), .init(key: "items", value: schema(kind)),
    ]
    if counts.lowerBound > 0 {
      members.append(.init(key: "minItems", value: .number("\(counts.lowerBound)")))
    }
    if counts.upperBound < Int.max {
      members.append(.init(key: "maxItems", value: .number("\(counts.upperBound)")))
    }
    return .object(members)
  }

  private mutating func having(_ keys: [String], _ kind: ValueKind) -> JSONValue {
    var value = schema(kind)
    if case .json = kind { value = .object("not", .object("type", .string("null"))) }
    let alternatives = keys.map { key in
      JSONValue.object([
        .init(key: "required", value: .strings([key])), .init(key: "properties", value: .object(key, value)),
      ])
    }
    return .object([.init("type", "object"), .init(key: "anyOf", value: .array(alternatives))])
  }

  /// One of some kinds: exactly one where no value can be of two.
  private mutating func either(_ kinds: [ValueKind]) -> JSONValue {
    let kinds = kinds.flatMap(\.alternatives)
    var seen: Set<String> = []
    var isExclusive = true
    for kind in kinds {
      isExclusive = isExclusive && seen.isDisjoint(with: kind.types)
      seen.formUnion(kind.types)
    }
    return .object(isExclusive ? "oneOf" : "anyOf", .array(kinds.map { schema($0) }))
  }
}

extension ValueKind {
  /// The kinds that a choice is between; a kind itself where it is none.
  fileprivate var alternatives: [ValueKind] {
    if case .either(let kinds) = self { kinds.flatMap(\.alternatives) } else { [self] }
  }

  /// The types of JSON that its values have.
  fileprivate var types: Set<String> {
    switch self {
    case .text: ["string", "number", "boolean"]
    case .form(let form):
      switch form.numbers {
      case .none: ["string"]
      case .any, .whole: ["string", "number"]
      case .literals: ["string", "number", "boolean"]
      }
    case .flag, .yes: ["boolean", "string"]
    case .integer, .decimal, .probability: ["number", "string"]
    case .choice: ["string"]
    case .json, .reference: ["string", "number", "boolean", "null", "array", "object"]
    case .plainJSON: ["string", "number", "boolean", "null", "array"]
    case .object, .mapping, .names, .having: ["object"]
    case .list: ["array"]
    case .either(let kinds): kinds.reduce(into: []) { $0.formUnion($1.types) }
    case .nothing: ["null"]
    case .never: []
    case .named(_, _, let kind): kind.types
    }
  }
}
