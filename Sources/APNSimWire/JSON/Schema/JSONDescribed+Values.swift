extension Bool: JSONDescribed {
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { .type("boolean") }
}

extension String: JSONDescribed {
  package func write(to writer: inout JSONWriter) { writer.string(self) }
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { .type("string") }
}

// MARK: Numbers

/// An integer of Swift; one without a sign is at least 0.
package protocol JSONInteger: JSONDescribed, FixedWidthInteger {}

extension JSONInteger {
  package func write(to writer: inout JSONWriter) { writer.int(self) }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    isSigned ? .type("integer") : .type("integer").described("", [.least(0)])
  }
}

extension Int: JSONInteger {}
extension Int32: JSONInteger {}
extension Int64: JSONInteger {}
extension UInt8: JSONInteger {}
extension UInt16: JSONInteger {}
extension UInt32: JSONInteger {}
extension UInt64: JSONInteger {}

/// A number in its digits.
package struct NumberText: JSONDescribed {
  private let digits: String

  package init(_ digits: String) { self.digits = digits }

  package func write(to writer: inout JSONWriter) { writer.raw(digits.utf8) }
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { .type("number") }
}

// MARK: Texts

/// A value that is written as its description, of a form that facts tell.
package protocol JSONText: JSONDescribed, CustomStringConvertible {
  static var facts: [JSONFact] { get }
}

extension JSONText {
  package func write(to writer: inout JSONWriter) { writer.string(description) }
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .type("string").described("", facts)
  }
}

/// An enumeration that is written as one of its names.
package protocol JSONWord: JSONDescribed, RawRepresentable, CaseIterable where RawValue == String {}

extension JSONWord {
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .type("string").described("", [.words(allCases.map(\.rawValue))])
  }
}

/// Bytes as a text of two hexadecimal digits each.
package struct HexText: JSONDescribed {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func write(to writer: inout JSONWriter) { writer.hex(bytes) }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .type("string").described("", [.pattern("^(?:[0-9a-f]{2})*$")])
  }
}

/// Bytes as a text in Base64.
package struct Base64Text: JSONDescribed {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func write(to writer: inout JSONWriter) { writer.base64(bytes) }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .object([.init("type", "string"), .init("contentEncoding", "base64")])
  }
}

// MARK: Values of values

extension JSONValue: JSONDescribed {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { .object([]) }

  /// The schema of a type of JSON.
  package static func type(_ name: String) -> JSONValue { .object("type", .string(name)) }

  /// The schema of an array.
  package static func array(of items: JSONValue) -> JSONValue {
    .object([.init("type", "array"), .init(key: "items", value: items)])
  }
}

extension Optional: JSONDescribed where Wrapped: JSONDescribed {
  package func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { Wrapped.schema(&schemas).orNull }
}

extension Array: JSONDescribed where Element: JSONDescribed {
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .array(of: Element.schema(&schemas))
  }
}

/// A name and its value: a header field.
package struct JSONField: Hashable, Sendable, JSONObject {
  private let name: String
  private let value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  package static let shape = JSONShape<Self> {
    $0.member("name") { $0.name }
    $0.member("value") { $0.value }
  }
}
