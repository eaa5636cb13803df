import APNSimWire

extension Value {
  /// The value as JSON: plain `5`, `true` (or `True`, `TRUE`) and `null` are a number, a boolean and null, anything quoted is a string.
  /// Nil after reporting a key that is no name.
  var json: JSONValue? {
    switch node {
    case .scalar(let scalar):
      if isNull { return .null }
      guard scalar.style == .plain else { return .string(scalar.string) }
      switch scalar.string {
      case "true", "True", "TRUE": return .bool(true)
      case "false", "False", "FALSE": return .bool(false)
      case let text: return Self.isJSONNumber(text) ? .number(text) : .string(text)
      }
    case .sequence(let sequence):
      let elements = sequence.map { Value(node: $0, problems: problems).json }
      return elements.contains(nil) ? nil : .array(elements.compactMap { $0 })
    case .mapping:
      var members: [JSONValue.Member] = []
      for entry in entries("a JSON object") {
        guard let value = entry.value.json else { return nil }
        members.append(JSONValue.Member(key: entry.name, value: value))
      }
      return .object(members)
    }
  }
}
