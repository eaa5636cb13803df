/// A JSON value as a tree, for matchers, the control API and the journal.
///
/// The tree is lossless but for white space and escapes: members keep their order and duplicates, numbers their
/// digits.
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
  }
}

extension JSONValue {
  /// The value of the last member named `key`; nil if there is none or this is not an object.
  package func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
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
