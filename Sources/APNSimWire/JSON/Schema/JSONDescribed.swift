/// A type whose values are written as JSON, and which knows the schema of what it writes.
package protocol JSONDescribed: SendableMetatype {
  func write(to writer: inout JSONWriter)

  /// - Parameter schemas: takes the schemas that have a name.
  static func schema(_ schemas: inout JSONSchemas) -> JSONValue
}

/// The schemas that have a name, in the order in which they were met: each stands here once, and others refer to it.
package struct JSONSchemas: Sendable {
  package private(set) var named: [JSONValue.Member] = []

  package init() {}

  /// Makes a schema where there is none of that name yet, and refers to it.
  package mutating func reference(to name: String, _ make: (inout JSONSchemas) -> JSONValue) -> JSONValue {
    if !named.contains(where: { $0.key.isExactly(name) }) {
      // It may refer to itself.
      let place = named.count
      named.append(.init(key: name, value: .null))
      named[place].value = make(&self)
    }
    return Self.reference(to: name)
  }

  package static func reference(to name: String) -> JSONValue {
    .object("$ref", .string("#/components/schemas/\(name)"))
  }
}

/// Something that a schema says of a value beyond its type.
package struct JSONFact: Sendable {
  fileprivate let keyword: String
  fileprivate let value: JSONValue

  package static func least(_ number: Int) -> Self { Self(keyword: "minimum", value: .number("\(number)")) }
  package static func most(_ number: Int) -> Self { Self(keyword: "maximum", value: .number("\(number)")) }
  /// A sentence, where a member has none of its own.
  package static func meaning(_ text: String) -> Self { Self(keyword: "description", value: .string(text)) }
  package static func format(_ name: String) -> Self { Self(keyword: "format", value: .string(name)) }
  package static func pattern(_ pattern: String) -> Self { Self(keyword: "pattern", value: .string(pattern)) }
  package static func example(_ text: String) -> Self { Self(keyword: "examples", value: .strings([text])) }
  package static func constant(_ value: Bool) -> Self { Self(keyword: "const", value: .bool(value)) }
  /// The only values that there are.
  package static func words(_ words: [String]) -> Self { Self(keyword: "enum", value: .strings(words)) }
  /// The number of an array's elements.
  package static func counts(_ counts: ClosedRange<Int>) -> [Self] {
    let least = Self(keyword: "minItems", value: .number("\(counts.lowerBound)"))
    let most = Self(keyword: "maxItems", value: .number("\(counts.upperBound)"))
    return counts.lowerBound > 0 ? [least, most] : [most]
  }
}

extension JSONValue {
  /// A schema with a sentence and with facts in it; a fact takes the place of what the type says.
  package func described(_ meaning: String, _ facts: [JSONFact]) -> JSONValue {
    var members = objectValue ?? []
    for fact in facts {
      var value = fact.value
      if fact.keyword == "enum", takesNull, case .array(let words) = value { value = .array(words + [.null]) }
      if let place = members.firstIndex(where: { $0.key.isExactly(fact.keyword) }) {
        members[place].value = value
      } else {
        members.append(.init(key: fact.keyword, value: value))
      }
    }
    guard !meaning.isEmpty else { return .object(members) }
    return .object([.init("description", meaning)] + members.filter { !$0.key.isExactly("description") })
  }

  private var takesNull: Bool { member("type")?.arrayValue?.contains(.string("null")) ?? false }

  /// The schema of the same, or null.
  package var orNull: JSONValue {
    let nothing = JSONValue.object("type", .string("null"))
    guard case .object(var members) = self, !members.isEmpty else { return self }
    for (place, member) in members.enumerated() {
      switch (member.key, member.value) {
      case ("type", .string(let type)): members[place].value = .strings([type, "null"])
      case ("type", .array(let types)):
        members[place].value = .array(types.contains(.string("null")) ? types : types + [.string("null")])
      case ("enum", .array(let values)): members[place].value = .array(values + [.null])
      case ("oneOf", .array(let others)), ("anyOf", .array(let others)):
        members[place].value = .array(others.contains(nothing) ? others : others + [nothing])
      case ("$ref", _): return .object("anyOf", .array([self, nothing]))
      default: break
      }
    }
    return .object(members)
  }

  /// An array of texts.
  package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// An object with one member.
  package static func object(_ key: String, _ value: JSONValue) -> JSONValue {
    .object([Member(key: key, value: value)])
  }
}

extension JSONValue.Member {
  package init(_ key: String, _ text: String) { self.init(key: key, value: .string(text)) }
}
