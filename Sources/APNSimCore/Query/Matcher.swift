package import APNSimWire

/// One test of one value: a plain value, or an operator as scenarios, waits and queries write it. Texts are compared by
/// their code points as sent: U+00E9 is not `e` with U+0301.
package indirect enum Matcher: Hashable, Sendable {
  /// The same value; numbers compare by value, objects without regard to order, hex digits without regard to case
  /// where the field is hex.
  case equals(JSONValue)
  /// A string with this in it, or an array with such an element.
  case contains(String)
  case startsWith(String)
  /// A string in which the pattern is found.
  case matches(Pattern)
  /// A string that the shell-like pattern fits wholly; `*` is any run of characters.
  case like(String)
  case exists(Bool)
  case greaterThan(Double)
  case lessThan(Double)
  /// The number of elements, members or code points.
  case size(Int)
  /// All of them: several operators on one value.
  case all([Matcher])
  case not(Matcher)

  /// True for a value, or its absence, that passes.
  package func matches(_ value: JSONValue?) -> Bool {
    switch self {
    case .exists(let expected): return (value != nil) == expected
    case .all(let matchers): return matchers.allSatisfy { $0.matches(value) }
    case .not(let matcher): return !matcher.matches(value)
    default: break
    }
    guard let value else { return false }
    switch self {
    case .equals(let expected): return value.isSame(as: expected)
    case .contains(let text):
      if let elements = value.arrayValue {
        return elements.contains { Self.text(of: $0)?.isExactly(text) == true }
      }
      return Self.text(of: value).map { Self.has(text, in: $0) } ?? false
    case .startsWith(let text):
      return Self.text(of: value).map { $0.utf8.starts(with: text.utf8) } ?? false
    case .matches(let pattern): return Self.text(of: value).map { pattern.isFound(in: $0) } ?? false
    case .like(let pattern):
      return Self.text(of: value).map { Self.fits(Array(pattern.utf8), Array($0.utf8)) } ?? false
    case .greaterThan(let bound): return value.doubleValue.map { $0 > bound } ?? false
    case .lessThan(let bound): return value.doubleValue.map { $0 < bound } ?? false
    case .size(let count): return Self.size(of: value) == count
    case .exists, .all, .not: return false
    }
  }

  /// A description of what passes, as people read it in near misses: `contains "Order"`.
  package var summary: String {
    switch self {
    case .equals(let value): ValueText.shown(value)
    case .contains(let text): "contains \(ValueText.shown(text))"
    case .startsWith(let text): "starts with \(ValueText.shown(text))"
    case .matches(let pattern): "matches \(ValueText.shown(pattern.source))"
    case .like(let pattern): "is like \(ValueText.shown(pattern))"
    case .exists(let expected): expected ? "exists" : "does not exist"
    case .greaterThan(let bound): "is greater than \(Self.text(of: bound))"
    case .lessThan(let bound): "is less than \(Self.text(of: bound))"
    case .size(let count): "has size \(count)"
    case .all(let matchers): matchers.map(\.summary).joined(separator: " and ")
    case .not(let matcher): "not: \(matcher.summary)"
    }
  }

  /// A number as people write it: `9`, not `9.0`.
  private static func text(of bound: Double) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func text(of value: JSONValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  private static func has(_ wanted: String, in text: String) -> Bool {
    var text = text
    return text.withUTF8 { ByteSearch.find(Array(wanted.utf8), in: UnsafeRawBufferPointer($0)) }
  }

  private static func size(of value: JSONValue) -> Int? {
    switch value {
    case .string(let text): text.unicodeScalars.count
    case .array(let elements): elements.count
    case .object(let members): members.count
    case .null, .bool, .number: nil
    }
  }

  /// Greedy with one point of return, so that it takes at most as many steps as pattern times text has bytes.
  static func fits<Text: RandomAccessCollection<UInt8>>(_ pattern: [UInt8], _ text: Text) -> Bool
  where Text.Index == Int {
    var (inPattern, inText) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while inText < text.count {
      if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") {
        star = (inPattern, inText)
        inPattern += 1
      } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
        inPattern += 1
        inText += 1
      } else if let back = star {
        inPattern = back.pattern + 1
        inText = back.text + 1
        star = (back.pattern, back.text + 1)
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
