import APNSimWire

extension JSONValue {
  /// True for two values that mean the same, however they are written: numbers by value, objects without regard to
  /// the order of their members ("an unordered collection", RFC 8259 section 1). Of members of one name the last one
  /// counts, as everywhere.
  ///
  /// It recurses as deep as the shallower of the two, which the readers of payloads and documents bound.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let text), .number(let otherText)):
      // A `Double` has integers of at most 15 digits exactly; no integer is written in two ways.
      if Self.isLongInteger(text), Self.isLongInteger(otherText) { return text == otherText }
      guard let number = Double(text), let otherNumber = Double(otherText) else { return text == otherText }
      return number == otherNumber
    case (.array(let elements), .array(let others)):
      return elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
    case (.object(let members), .object(let others)):
      let (values, otherValues) = (Self.values(of: members), Self.values(of: others))
      return values.count == otherValues.count
        && values.allSatisfy { name, value in otherValues[name].map { value.isSame(as: $0) } ?? false }
    default:
      return self == other
    }
  }

  private static func values(of members: [Member]) -> [ExactText: JSONValue] {
    Dictionary(members.lazy.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
  }
}
