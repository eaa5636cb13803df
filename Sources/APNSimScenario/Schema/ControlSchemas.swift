import APNSimCore
package import APNSimWire

/// The schemas of the control API's description that are nouns: the bodies of requests, and what rules and waits match.
///
/// They say what stands at each key, in the types of JSON. What goes together is said by the reader's problems, and what
/// rules are made of by the schema of scenarios.
package enum ControlSchemas {
  /// By their names in the description.
  package static let all: [JSONValue.Member] =
    nouns.map { .init(key: $0.name, value: schema(of: $0)) } + [
      .init(key: "Where", value: schema(of: QueryReader.noun)),
      .init(key: "Match", value: schema(of: RuleMatchReader.noun)),
      .init(key: "Count", value: definition(of: CountReader.kind)),
      matcher("Matcher", .strings(["string", "number", "boolean"]), "A plain value"),
      matcher(
        "JSONMatcher",
        .strings(ValueKind.plainJSON.jsonTypes),
        "A plain value, including null and arrays"
      ),
      .init(
        key: "Scenario",
        value: .object([.init("type", "object"), .init("description", "A scenario, as in a scenario file.")])
      ),
      .init(key: "FaultRequest", value: schema(of: RuleReader.ofCommands.noun, asInFiles)),
    ]

  private static let nouns = [
    DeviceBody.noun, DeviceBody.installationNoun, DeviceBody.removalNoun, DeviceBody.rotationNoun,
    ActivityBody.noun, ChannelBody.noun,
    ChannelBody.subscriptionNoun, FeedbackBody.noun, WaitBody.noun, SendBody.noun, ClockBody.advanceNoun,
    ClockBody.setNoun, ClockBody.moveNoun,
  ]

  // MARK: Nouns

  private static func schema(
    of noun: Noun,
    _ schemaOf: (ValueKind) -> JSONValue = { schema(of: $0) }
  ) -> JSONValue {
    var members: [JSONValue.Member] = [.init("type", "object"), .init("description", noun.meaning)]
    let properties = noun.rows.map { JSONValue.Member(key: $0.key, value: property($0, schemaOf($0.kind))) }
    members.append(.init(key: "properties", value: .object(properties)))
    if !noun.others.isEmpty {
      let patterns = noun.others.map {
        JSONValue.Member(key: $0.form.request.pattern ?? $0.form.pattern, value: schemaOf($0.kind))
      }
      members.append(.init(key: "patternProperties", value: .object(patterns)))
    }
    let needed = noun.rows.filter { $0.need != .optional }.map(\.key)
    if !needed.isEmpty { members.append(.init(key: "required", value: .strings(needed))) }
    members.append(.init(key: "additionalProperties", value: .bool(false)))
    return .object(members)
  }

  private static func property(_ row: Noun.Row, _ schema: JSONValue) -> JSONValue {
    var members = schema.objectValue ?? []
    if let usual = row.usual { members.append(.init(key: "default", value: usual)) }
    if let example = row.example { members.append(.init(key: "examples", value: .array([example]))) }
    return .object([.init("description", row.meaning)] + members)
  }

  /// The test of a value.
  /// - Parameter plain: the types of a value by itself.
  private static func matcher(_ name: String, _ plain: JSONValue, _ meaning: String) -> JSONValue.Member {
    let operators = MatcherReader.noun(name, .json, canBeNumber: true)
    return .init(
      key: name,
      value: .object([
        .init(
          "description",
          "\(meaning), or operators that must all hold. `matches` takes a regular expression without backreferences and lookaround."
        ),
        .init(key: "oneOf", value: .array([.object("type", plain), schema(of: operators)])),
      ])
    )
  }

  // MARK: Kinds

  private static func schema(of kind: ValueKind) -> JSONValue {
    switch kind {
    case .form(let form): text(form)
    case .integer(let range): number("integer", range.lowerBound, range.upperBound)
    case .probability: number("number", 0, 1)
    case .choice(let names) where names.count == 1: .object("const", .string(names[0]))
    case .choice(let names): .object([.init("type", "string"), .init(key: "enum", value: .strings(names))])
    case .json: .object([])
    case .list(let kind, let counts): list(kind, counts)
    case .names(_, let kind, _, _):
      .object([.init("type", "object"), .init(key: "additionalProperties", value: schema(of: kind))])
    case .mapping(let noun): reference(to: noun.name) ?? schema(of: noun)
    // Nothing is not written as null.
    case .either(let kinds) where kinds.contains { $0.isNothing }:
      schema(of: .either(kinds.filter { !$0.isNothing }))
    case .either(let kinds) where kinds.count == 1: schema(of: kinds[0])
    case .either(let kinds): .object("oneOf", .array(kinds.map { schema(of: $0) }))
    case .named(let name, _, _): reference(to: name) ?? outline(kind)
    case .reference(let name): JSONSchemas.reference(to: name)
    default: outline(kind)
    }
  }

  /// The schema of a kind that has a name, with the sentence on it.
  private static func definition(of kind: ValueKind) -> JSONValue {
    guard case .named(_, let meaning, let kind) = kind else { return schema(of: kind) }
    return .object([.init("description", meaning)] + (schema(of: kind).objectValue ?? []))
  }

  /// A kind that the description has under a name of its own.
  private static func reference(to name: String) -> JSONValue? {
    let known: String? =
      switch name {
      case "query": "Where"
      case "count": "Count"
      case "jsonTest": "JSONMatcher"
      default: name.hasSuffix("Test") ? "Matcher" : nil
      }
    return known.map { JSONSchemas.reference(to: $0) }
  }

  private static func text(_ form: TextForm) -> JSONValue {
    var members: [JSONValue.Member] = [
      form.request.takesNumbers
        ? .init(key: "type", value: .strings(["integer", "string"])) : .init("type", "string")
    ]
    if let pattern = form.request.pattern { members.append(.init("pattern", pattern)) }
    if let lengths = form.request.lengths {
      if lengths.lowerBound > 0 {
        members.append(.init(key: "minLength", value: .number("\(lengths.lowerBound)")))
      }
      members.append(.init(key: "maxLength", value: .number("\(lengths.upperBound)")))
    }
    if let word = form.request.word {
      return .object("oneOf", .array([.object(members), schema(of: .word(word))]))
    }
    if !form.examples.isEmpty { members.append(.init(key: "examples", value: .strings(form.examples))) }
    guard case .whole("0", "0") = form.numbers, !form.request.takesNumbers else { return .object(members) }
    // No time at all is a number as well.
    return .object("oneOf", .array([.object(members), .object("const", .number("0"))]))
  }

  private static func number(_ type: String, _ lowest: Int, _ highest: Int) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", type), .init(key: "minimum", value: .number("\(lowest)")),
    ]
    // A number that counts something has no limit of its own.
    if highest != Int(Int32.max), highest < Int.max {
      members.append(.init(key: "maximum", value: .number("\(highest)")))
    }
    return .object(members)
  }

  private static func list(_ kind: ValueKind, _ counts: ClosedRange<Int>) -> JSONValue {
    var members: [JSONValue.Member] = [.init("type", "array"), .init(key: "items", value: schema(of: kind))]
    if counts.upperBound < Int.max {
      members.append(.init(key: "maxItems", value: .number("\(counts.upperBound)")))
    }
    return .object(members)
  }

  /// The outline of a value that is read as those of files are: a scalar is a text, digits are a number, and null is nothing.
  private static func asInFiles(_ kind: ValueKind) -> JSONValue {
    let digits: String
    switch kind {
    case .text: return .object("type", .strings(["string", "number", "boolean", "null"]))
    case .integer: digits = "^[0-9]+$"
    case .probability: digits = "^(?:0([.][0-9]+)?|1([.]0+)?)$"
    default: return outline(kind).orNull
    }
    let text = JSONValue.object([.init("type", "string"), .init("pattern", digits)])
    return .object("anyOf", .array([schema(of: kind), text])).orNull
  }

  /// The kind of a value, without its content.
  private static func outline(_ kind: ValueKind) -> JSONValue {
    if kind.isSimple { return schema(of: kind) }
    let types = kind.jsonTypes
    return .object("type", types.count == 1 ? .string(types[0]) : .strings(types))
  }
}

extension ValueKind {
  fileprivate var isNothing: Bool { if case .nothing = self { true } else { false } }

  /// True for a number, or a text of some words or of a form, which have no insides.
  fileprivate var isSimple: Bool {
    switch self {
    case .form, .integer, .probability, .choice: true
    default: false
    }
  }

  /// The types of JSON that a program writes it in, in their first order.
  fileprivate var jsonTypes: [String] {
    switch self {
    case .text, .choice: ["string"]
    case .form(let form): form.request.takesNumbers ? ["integer", "string"] : ["string"]
    case .flag, .yes: ["boolean"]
    case .integer: ["integer"]
    case .decimal, .probability: ["number"]
    case .object, .mapping, .names, .having: ["object"]
    case .list: ["array"]
    case .either(let kinds):
      kinds.flatMap(\.jsonTypes).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    case .nothing: ["null"]
    case .never: []
    case .named(_, _, let kind): kind.jsonTypes
    case .plainJSON: ["string", "number", "boolean", "array", "null"]
    case .json, .reference: ["string", "number", "boolean", "array", "object", "null"]
    }
  }
}
