package import APNSimWire

/// The members that an app decodes, as Swift's `Codable` would: one that is missing or of another type, and is not optional,
/// lets the whole fail. Members that it does not name are passed over.
package struct ActivitySchema: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case string, number, integer, boolean
    /// A number of seconds, as `JSONDecoder` has a `Date` unless it is told otherwise; a text is none.
    case date
    case array, object, any
  }

  package struct Member: Hashable, Sendable {
    package var name: String
    package var kind: Kind
    package var isOptional: Bool

    package init(name: String, kind: Kind, isOptional: Bool) {
      (self.name, self.kind, self.isOptional) = (name, kind, isOptional)
    }

    /// `string`, or `string?` for an optional one.
    package var text: String { kind.rawValue + (isOptional ? "?" : "") }
  }

  /// Nil where nothing is said of it.
  package var contentState: [Member]?
  package var attributes: [Member]?

  package init(contentState: [Member]? = nil, attributes: [Member]? = nil) {
    (self.contentState, self.attributes) = (contentState, attributes)
  }

  /// Why a value would not decode; nil where it would.
  static func defect(of value: JSONValue, _ members: [Member]?, _ name: String) -> String? {
    for member in members ?? [] {
      guard let found = value.member(member.name), found != .null else {
        if member.isOptional { continue }
        return "\(name).\(member.name) is missing and not optional (\(member.kind.rawValue))"
      }
      if !member.kind.fits(found) { return "\(name).\(member.name) is no \(member.kind.rawValue)" }
    }
    return nil
  }

  /// `{"contentState":{"score":"integer"},"attributes":{…}}`
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, members) in [("contentState", contentState), ("attributes", attributes)] {
      guard let members else { continue }
      writer.key(name)
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        writer.string(member.text)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension ActivitySchema.Kind {
  func fits(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.any, _), (.string, .string), (.number, .number), (.date, .number), (.boolean, .bool),
      (.array, .array),
      (.object, .object):
      true
    case (.integer, .number(let text)):
      Int64(text) != nil || Double(text).flatMap { Int64(exactly: $0) } != nil
    default: false
    }
  }
}
