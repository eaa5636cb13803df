/// A hash of what a payload means: of JSON its value (RFC 8259: objects without regard to the order of their members,
/// of members of one name the last, numbers by value, strings by their code points), of anything else its bytes.
///
/// A value is what stands at the ends of its paths, in any order: each text, number and literal, and each empty
/// container, under the names and indices that lead there. One scan over the bytes adds up a hash for each of them
/// (``MeaningScanner``); a value that it cannot follow is taken from the tree, with the same sum.
package struct PayloadMeaning {
  private(set) var sum: UInt64 = 0

  /// - Parameter isJSON: whether the payload is, where it has been judged.
  package static func of(_ payload: UnsafeRawBufferPointer, isJSON: Bool? = nil) -> UInt64 {
    guard isJSON ?? PayloadJudge.judge(payload).problem.isJSON else { return Hash64.of(payload) }
    if payload.count > 1, payload[0] != 0, payload[1] != 0,
      let meaning = IndexedText.with(payload, MeaningScanner.scan)
    {
      return meaning
    }
    guard let value = try? JSONValue.parse(payload) else { return Hash64.of(payload) }
    var meaning = PayloadMeaning()
    meaning.add(value, at: Self.root)
    return meaning.sum
  }

  // MARK: Paths

  static let root: UInt64 = 1

  /// The path of a member of the object at a path, by the hash of its name.
  @inline(__always)
  static func member(of path: UInt64, _ name: UInt64) -> UInt64 { joined(path, name) }

  /// The path of an element of the array at a path.
  @inline(__always)
  static func element(of path: UInt64, _ index: Int) -> UInt64 { joined(~path, UInt64(index)) }

  @inline(__always)
  private static func joined(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var hash = Hash64(seed: one)
    hash.combine(other)
    return hash.finalize()
  }

  // MARK: Ends

  static let (null, yes, no, emptyObject, emptyArray) =
    (2, 3, 4, 5, 6) as (UInt64, UInt64, UInt64, UInt64, UInt64)

  @inline(__always)
  mutating func add(_ end: UInt64, at path: UInt64) { sum &+= Self.joined(path, end) }

  @inline(__always)
  static func text(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = Hash64()
    hash.combine(bytes)
    return hash.finalize()
  }

  static func text(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { Self.text(UnsafeRawBufferPointer($0)) }
  }

  static func number(_ digits: UnsafeRawBufferPointer) -> UInt64 {
    // A `Double` has so many digits exactly.
    guard digits.count <= 15 else { return number(String(decoding: digits, as: UTF8.self)) }
    let isNegative = digits[0] == UInt8(ascii: "-")
    var value = 0
    for byte in digits.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return number(String(decoding: digits, as: UTF8.self)) }
      value = value &* 10 &+ Int(digit)
    }
    return number(Double(isNegative ? -value : value))
  }

  @inline(__always)
  private static func number(_ value: Double) -> UInt64 { joined(7, value == 0 ? 0 : value.bitPattern) }

  /// An integer of more than 15 digits is its digits, so that neighbours differ; any other number has the value of its `Double`,
  /// infinite ones included.
  static func number(_ text: String) -> UInt64 {
    guard let value = Double(text), !JSONValue.isLongInteger(text) else { return joined(8, Self.text(text)) }
    return number(value)
  }

  // MARK: The tree

  /// It recurses as deep as the value, which the parser bounds.
  private mutating func add(_ value: JSONValue, at path: UInt64) {
    switch value {
    case .null: add(Self.null, at: path)
    case .bool(let value): add(value ? Self.yes : Self.no, at: path)
    case .number(let text): add(Self.number(text), at: path)
    case .string(let text): add(Self.text(text), at: path)
    case .array(let elements):
      if elements.isEmpty { add(Self.emptyArray, at: path) }
      for (index, element) in elements.enumerated() { add(element, at: Self.element(of: path, index)) }
    case .object(let members):
      if members.isEmpty { add(Self.emptyObject, at: path) }
      let last = Dictionary(members.map { (Self.text($0.key), $0.value) }, uniquingKeysWith: { $1 })
      for (name, value) in last { add(value, at: Self.member(of: path, name)) }
    }
  }
}

extension JSONValue {
  /// True for an integer that a `Double` may not have exactly: one of more than 15 digits.
  package static func isLongInteger(_ number: String) -> Bool {
    let digits = number.utf8.first == UInt8(ascii: "-") ? number.utf8.dropFirst() : number.utf8[...]
    return digits.count > 15 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
