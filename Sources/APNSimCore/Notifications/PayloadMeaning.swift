import APNSimWire

/// A hash of what a payload means: of JSON its value (RFC 8259: objects without regard to the order of their members,
/// of members of one name the last, numbers by value, strings by their code points), of anything else its bytes.
struct PayloadMeaning {
  private var hash = Hash64()

  static func of(_ payload: UnsafeRawBufferPointer) -> UInt64 {
    var meaning = PayloadMeaning()
    if let value = try? JSONValue.parse(payload) {
      meaning.combine(value)
    } else {
      meaning.hash.combine(payload)
    }
    return meaning.hash.finalize()
  }

  /// It recurses as deep as the value, which the parser bounds.
  private mutating func combine(_ value: JSONValue) {
    switch value {
    case .null: hash.combine(1)
    case .bool(let value): hash.combine(value ? 2 : 3)
    case .number(let text): combine(number: text)
    case .string(let text):
      hash.combine(5)
      combine(text)
    case .array(let elements):
      hash.combine(6)
      for element in elements { combine(element) }
      hash.combine(UInt64(elements.count))
    case .object(let members):
      hash.combine(7)
      for member in Self.lastOfEachName(members) {
        combine(member.key)
        combine(member.value)
      }
    }
  }

  /// An integer of more than 15 digits is written in one way only; any other number has the value of its `Double`,
  /// infinite ones included, as ``JSONValue/isSame(as:)`` has it.
  private mutating func combine(number text: String) {
    hash.combine(4)
    guard let number = Double(text), !JSONValue.isLongInteger(text) else {
      return combine(text)
    }
    hash.combine(number == 0 ? 0 : number.bitPattern)
  }

  private mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
  }

  /// The members in the order of their names, of each name the last.
  private static func lastOfEachName(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    let sorted = members.enumerated().sorted { one, other in
      let (name, otherName) = (one.element.key.utf8, other.element.key.utf8)
      if name.elementsEqual(otherName) { return one.offset < other.offset }
      return name.lexicographicallyPrecedes(otherName)
    }
    return sorted.indices.compactMap { index in
      let member = sorted[index].element
      let isLast =
        index + 1 == sorted.count || !sorted[index + 1].element.key.utf8.elementsEqual(member.key.utf8)
      return isLast ? member : nil
    }
  }
}

extension JSONValue {
  /// True for an integer that a `Double` may not have exactly: one of more than 15 digits.
  static func isLongInteger(_ number: String) -> Bool {
    let digits = number.utf8.first == UInt8(ascii: "-") ? number.utf8.dropFirst() : number.utf8[...]
    return digits.count > 15 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
