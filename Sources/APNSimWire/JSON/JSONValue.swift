/// A JSON value as a tree, for matchers, the control API and the journal.
///
/// The tree is lossless but for white space and escapes: members keep their order and duplicates, numbers their
/// digits. Texts and names are equal with the same code points in the same order.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The digits as written, since `1e400` has no other exact form.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    package static func == (left: Member, right: Member) -> Bool {
      left.key.isExactly(right.key) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
      key.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }
}

extension JSONValue {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let value), .bool(let other)): value == other
    case (.number(let text), .number(let other)), (.string(let text), .string(let other)):
      text.isExactly(other)
    case (.array(let elements), .array(let others)): elements == others
    case (.object(let members), .object(let others)): members == others
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let text), .string(let text): text.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }

  /// The value of the last member named `key`; nil if there is none or this is not an object.
  package func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key.isExactly(key) }?.value
  }

  /// The value at a dotted path: `aps.alert.body`, `acme2.0` for an array's first element. A name with dots in it is
  /// found too, the longest first.
  package subscript(path: String) -> JSONValue? { JSONPath(path).value(in: self) }

  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number if it is written as an integer and fits.
  package var intValue: Int? {
    if case .number(let digits) = self { Int(digits) } else { nil }
  }

  package var doubleValue: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  package var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var objectValue: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  package var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
