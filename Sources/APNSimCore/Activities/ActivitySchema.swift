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

  /// The form that a value must have.
  package indirect enum Shape: Hashable, Sendable {
    case plain(Kind)
    /// A dictionary with these members.
    case members([Member])
    /// An array whose elements have this shape; optional ones may be null.
    case elements(Shape, areOptional: Bool)
  }

  package struct Member: Hashable, Sendable {
    package var name: String
    package var shape: Shape
    package var isOptional: Bool

    package init(name: String, shape: Shape, isOptional: Bool) {
      (self.name, self.shape, self.isOptional) = (name, shape, isOptional)
    }

    package init(name: String, kind: Kind, isOptional: Bool) {
      self.init(name: name, shape: .plain(kind), isOptional: isOptional)
    }
  }

  /// Nil where nothing is said of it.
  package var contentState: [Member]?
  package var attributes: [Member]?

  package init(contentState: [Member]? = nil, attributes: [Member]? = nil) {
    (self.contentState, self.attributes) = (contentState, attributes)
  }

  /// The reason why a value would not decode; nil where it would.
  static func defect(of value: JSONValue, _ members: [Member]?, _ name: String) -> String? {
    for member in members ?? [] {
      let path = "\(name).\(member.name)"
      guard let found = value.member(member.name), found != .null else {
        if member.isOptional { continue }
        return "\(path) is missing and not optional (\(member.shape.name))"
      }
      if let defect = member.shape.defect(of: found, path) { return defect }
    }
    return nil
  }

  /// `{"contentState":{"score":"integer"},"attributes":{…}}`
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, members) in [("contentState", contentState), ("attributes", attributes)] {
      guard let members else { continue }
      writer.key(name)
      Shape.members(members).write(isOptional: false, to: &writer)
    }
    writer.endObject()
  }
}

extension ActivitySchema.Shape {
  /// For people.
  fileprivate var name: String {
    switch self {
    case .plain(let kind): kind.rawValue
    case .members: ActivitySchema.Kind.object.rawValue
    case .elements: ActivitySchema.Kind.array.rawValue
    }
  }

  fileprivate func defect(of value: JSONValue, _ path: String) -> String? {
    switch self {
    case .plain(let kind): return kind.fits(value) ? nil : "\(path) is no \(name)"
    case .members(let members):
      guard case .object = value else { return "\(path) is no \(name)" }
      return ActivitySchema.defect(of: value, members, path)
    case .elements(let shape, let areOptional):
      guard case .array(let elements) = value else { return "\(path) is no \(name)" }
      for (place, element) in elements.enumerated() where !areOptional || element != .null {
        if let defect = shape.defect(of: element, "\(path)[\(place)]") { return defect }
      }
      return nil
    }
  }

  /// As a scenario has it: `"string"`, `"string?"`, `{"name":"string"}`, `["integer"]`. A dictionary or an array that is
  /// optional has the mark at its name.
  fileprivate func write(isOptional: Bool, to writer: inout JSONWriter) {
    switch self {
    case .plain(let kind): writer.string(kind.rawValue + (isOptional ? "?" : ""))
    case .members(let members):
      writer.beginObject()
      for member in members {
        if case .plain = member.shape {
          writer.key(member.name)
        } else {
          writer.key(member.name + (member.isOptional ? "?" : ""))
        }
        member.shape.write(isOptional: member.isOptional, to: &writer)
      }
      writer.endObject()
    case .elements(let shape, let areOptional):
      writer.beginArray()
      shape.write(isOptional: areOptional, to: &writer)
      writer.endArray()
    }
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
