package import APNSimWire

extension NotificationIdentifier: JSONDescribed {
  package func write(to writer: inout JSONWriter) { writer.string(hex) }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .type("string").described("", [.pattern("^[0-9a-f]{8}$")])
  }
}

extension ConnectionID: JSONText {
  package static let facts: [JSONFact] = [.pattern("^c[0-9]+$")]
}

/// The number of a notification as `n57`.
package struct NotificationNumber: JSONText {
  private let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package var description: String { "n\(number)" }
  package static let facts: [JSONFact] = [.pattern("^n[0-9]+$")]
}
