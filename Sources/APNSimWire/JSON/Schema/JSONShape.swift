/// The members of an object in JSON: each says its key, its meaning and its value once. What is written and the schema of it
/// are both made of them, so that types, `null` and what may be absent are true by the types of Swift.
package struct JSONShape<Value>: Sendable {
  /// The name of its schema; nil for one that stands where it is used.
  package let name: String?
  private let meaning: String
  /// As text.
  private let example: String?
  fileprivate let rows: [Rows.Property]

  /// - Parameter describe: lists the members in the order in which they are written.
  package init(
    _ name: String? = nil,
    _ meaning: String = "",
    example: String? = nil,
    _ describe: (inout Rows) -> Void
  ) {
    var rows = Rows()
    describe(&rows)
    (self.name, self.meaning, self.example, self.rows) = (name, meaning, example, rows.all)
  }

  /// Writes the members into an object that the caller has begun.
  package func write(_ value: Value, to writer: inout JSONWriter) {
    for row in rows { row.write(value, &writer) }
  }
}

// MARK: Its members

extension JSONShape {
  package struct Rows {
    fileprivate var all: [Property] = []

    fileprivate struct Property: Sendable {
      let write: @Sendable (Value, inout JSONWriter) -> Void
      let describe: @Sendable (inout ObjectSchema, inout JSONSchemas) -> Void
    }

    /// A member that is always there: `null` for nil.
    package mutating func member<Part: JSONDescribed>(
      _ key: StaticString,
      _ meaning: String = "",
      _ facts: JSONFact...,
      get: @escaping @Sendable (Value) -> Part
    ) {
      all.append(
        Property {
          $1.key(key)
          get($0).write(to: &$1)
        } describe: { object, schemas in
          object.add(key, Part.schema(&schemas).described(meaning, facts), isRequired: true)
        }
      )
    }

    /// A member that is absent for nil.
    package mutating func optional<Part: JSONDescribed>(
      _ key: StaticString,
      _ meaning: String = "",
      _ facts: JSONFact...,
      get: @escaping @Sendable (Value) -> Part?
    ) {
      all.append(
        Property {
          guard let part = get($0) else { return }
          $1.key(key)
          part.write(to: &$1)
        } describe: { object, schemas in
          object.add(key, Part.schema(&schemas).described(meaning, facts), isRequired: false)
        }
      )
    }

    /// A member that is an array.
    package mutating func list<Part: JSONDescribed>(
      _ key: StaticString,
      _ meaning: String = "",
      counts: ClosedRange<Int>? = nil,
      items: JSONFact...,
      get: @escaping @Sendable (Value) -> [Part]
    ) {
      all.append(
        Property {
          $1.key(key)
          get($0).write(to: &$1)
        } describe: { object, schemas in
          let schema = JSONValue.array(of: Part.schema(&schemas).described("", items))
          object.add(
            key,
            schema.described(meaning, counts.map { JSONFact.counts($0) } ?? []),
            isRequired: true
          )
        }
      )
    }

    /// A member whose type says too little.
    /// - Parameter schema: its schema without the meaning.
    package mutating func member(
      _ key: StaticString,
      _ meaning: String = "",
      schema: JSONValue,
      write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
      all.append(
        Property {
          $1.key(key)
          write($0, &$1)
        } describe: { object, _ in
          object.add(key, schema.described(meaning, []), isRequired: true)
        }
      )
    }

    /// Says that exactly one of some members is there.
    package mutating func exactlyOne(of keys: [String]) { note("oneOf", keys) }

    /// Says that at least one of some members is there.
    package mutating func some(of keys: [String]) { note("anyOf", keys) }

    /// Says that every answer has a member that is optional elsewhere.
    package mutating func always(_ key: String) {
      all.append(
        Property {
          _,
          _ in
        } describe: { object, _ in
          object.required.append(key)
        }
      )
    }

    private mutating func note(_ keyword: String, _ keys: [String]) {
      let choices = keys.map { JSONValue.object("required", .strings([$0])) }
      all.append(
        Property {
          _,
          _ in
        } describe: { object, _ in
          object.terms.append(.init(key: keyword, value: .array(choices)))
        }
      )
    }

    /// Further members of the same value.
    package mutating func members(of shape: JSONShape) { all += shape.rows }

    /// The members of a part, in the same object.
    package mutating func members<Part: JSONObject>(of get: @escaping @Sendable (Value) -> Part) {
      all.append(
        Property {
          get($0).writeMembers(to: &$1)
        } describe: { object, schemas in
          Part.shape.describe(in: &object, &schemas, isRequired: true)
        }
      )
    }

    /// The members of a part, in the same object; absent for nil.
    package mutating func optionalMembers<Part: JSONObject>(of get: @escaping @Sendable (Value) -> Part?) {
      all.append(
        Property {
          get($0)?.writeMembers(to: &$1)
        } describe: { object, schemas in
          Part.shape.describe(in: &object, &schemas, isRequired: false)
        }
      )
    }
  }
}

// MARK: Its schema

/// The schema of an object while it is made.
struct ObjectSchema {
  private var properties: [JSONValue.Member] = []
  fileprivate var required: [String] = []
  /// The rules of what goes together.
  fileprivate var terms: [JSONValue.Member] = []
  /// The schemas with a name that hold for it as well.
  fileprivate var others: [JSONValue] = []

  fileprivate mutating func add(_ key: StaticString, _ schema: JSONValue, isRequired: Bool) {
    properties.append(.init(key: key.description, value: schema))
    if isRequired { required.append(key.description) }
  }

  fileprivate mutating func add(_ object: ObjectSchema, isRequired: Bool) {
    properties += object.properties
    if isRequired { required += object.required }
    if isRequired { terms += object.terms }
    others += object.others
  }

  fileprivate func schema(_ about: [JSONValue.Member]) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", "object"), .init(key: "properties", value: .object(properties)),
    ]
    if !required.isEmpty { members.append(.init(key: "required", value: .strings(required))) }
    members += terms
    guard !others.isEmpty else { return .object(about + members) }
    return .object(about + [.init(key: "allOf", value: .array(others + [.object(members)]))])
  }
}

extension JSONShape {
  /// Its schema, or a reference to it where it has a name.
  package func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    guard let name else { return definition(&schemas) }
    return schemas.reference(to: name) { definition(&$0) }
  }

  private func definition(_ schemas: inout JSONSchemas) -> JSONValue {
    var object = ObjectSchema()
    for row in rows { row.describe(&object, &schemas) }
    var about: [JSONValue.Member] = meaning.isEmpty ? [] : [.init("description", meaning)]
    if let example = example.flatMap({ try? JSONValue.parse($0.utf8) }) {
      about.append(.init(key: "examples", value: .array([example])))
    }
    return object.schema(about)
  }

  /// Adds the members to the object that they are a part of: by their name, where they have one and are all there.
  fileprivate func describe(
    in object: inout ObjectSchema,
    _ schemas: inout JSONSchemas,
    isRequired: Bool
  ) {
    guard name == nil || !isRequired else { return object.others.append(schema(&schemas)) }
    var part = ObjectSchema()
    for row in rows { row.describe(&part, &schemas) }
    object.add(part, isRequired: isRequired)
  }
}

/// A type that is an object in JSON.
package protocol JSONObject: JSONDescribed {
  static var shape: JSONShape<Self> { get }
}

extension JSONObject {
  /// Writes the members into an object that the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) { Self.shape.write(self, to: &writer) }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { shape.schema(&schemas) }
}
