import APNSimWire

/// A matcher made ready for values that lie somewhere as bytes: the matcher's own answer, without a tree and without
/// a `String` wherever the bytes tell.
final class ValueTest: Sendable {
  private indirect enum Test: Sendable {
    case equals([UInt8])
    case contains([UInt8])
    case startsWith([UInt8])
    case like([UInt8])
    case matches(Pattern)
    case number(Double)
    case greaterThan(Double)
    case lessThan(Double)
    case exists(Bool)
    case all([Test])
    case not(Test)
    /// Only the matcher can tell.
    case other
  }

  private let matcher: Matcher
  private let test: Test
  /// The bytes that must stand in a JSON text for a value in it to pass; nil where nothing must.
  private let needle: ByteSearch.Needle?

  init(_ matcher: Matcher) {
    self.matcher = matcher
    test = Self.test(of: matcher)
    needle = Self.needle(of: test).map { ByteSearch.Needle($0) }
  }

  private static func test(of matcher: Matcher) -> Test {
    switch matcher {
    case .equals(.string(let text)): .equals(Array(text.utf8))
    case .equals(.number(let digits)): Double(digits).map { .number($0) } ?? .other
    case .contains(let text): .contains(Array(text.utf8))
    case .startsWith(let text): .startsWith(Array(text.utf8))
    case .like(let pattern): .like(Array(pattern.utf8))
    case .matches(let pattern): .matches(pattern)
    case .greaterThan(let bound): .greaterThan(bound)
    case .lessThan(let bound): .lessThan(bound)
    case .exists(let expected): .exists(expected)
    case .all(let matchers): .all(matchers.map { test(of: $0) })
    case .not(let matcher): .not(test(of: matcher))
    case .equals, .size: .other
    }
  }

  private static func needle(of test: Test) -> [UInt8]? {
    switch test {
    case .equals(let text), .contains(let text), .startsWith(let text): certain(text)
    case .matches(let pattern): certain(pattern.literal)
    case .all(let tests): tests.lazy.compactMap { needle(of: $0) }.first
    default: nil
    }
  }

  /// Nil for an empty text.
  private static func certain(_ text: [UInt8]) -> [UInt8]? { text.isEmpty ? nil : text }

  /// True where no value of this JSON text in UTF-8 can pass, which a look at its bytes may tell: what has to be
  /// there is not, nor a backslash, with which it could be written in another way.
  func isHopeless(in text: UnsafeRawBufferPointer) -> Bool {
    guard let needle else { return false }
    return !needle.mayBe(in: text)
  }

  /// True where there being nothing passes.
  var passesNothing: Bool { matcher.matches(nil) }

  func matches(_ value: JSONValue?) -> Bool { matcher.matches(value) }

  /// - Parameter text: a text of ASCII characters without control characters.
  func matches(plain text: UnsafeRawBufferPointer) -> Bool {
    Self.matches(test, plain: text, isNumber: false)
      ?? matcher.matches(.string(String(decoding: text, as: UTF8.self)))
  }

  /// - Parameter json: one well-formed JSON value in UTF-8.
  func matches(json: UnsafeRawBufferPointer) -> Bool {
    let verdict: Bool?
    switch json.first ?? 0 {
    case UInt8(ascii: "\""):
      let text = UnsafeRawBufferPointer(rebasing: json.dropFirst().dropLast())
      verdict = ByteSearch.isPlain(text) ? Self.matches(test, plain: text, isNumber: false) : nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      verdict = Self.matches(test, plain: json, isNumber: true)
    default: verdict = nil
    }
    return verdict ?? matcher.matches(try? JSONValue.parse(json))
  }

  /// Nil where only the matcher can tell.
  private static func matches(_ test: Test, plain text: UnsafeRawBufferPointer, isNumber: Bool) -> Bool? {
    switch test {
    case .equals(let wanted): return !isNumber && ByteSearch.areEqual(text, wanted)
    case .contains(let wanted): return ByteSearch.find(wanted, in: text)
    case .startsWith(let wanted):
      return text.count >= wanted.count
        && ByteSearch.areEqual(UnsafeRawBufferPointer(rebasing: text[..<wanted.count]), wanted)
    case .like(let pattern): return Matcher.fits(pattern, text)
    case .matches(let pattern): return pattern.isFound(in: text)
    case .number(let wanted): return isNumber ? number(text).map { $0 == wanted } : false
    case .greaterThan(let bound): return isNumber ? number(text).map { $0 > bound } : false
    case .lessThan(let bound): return isNumber ? number(text).map { $0 < bound } : false
    case .exists(let expected): return expected
    case .all(let tests):
      var isUnsure = false
      for test in tests {
        switch matches(test, plain: text, isNumber: isNumber) {
        case true?: break
        case false?: return false
        case nil: isUnsure = true
        }
      }
      return isUnsure ? nil : true
    case .not(let test): return matches(test, plain: text, isNumber: isNumber).map { !$0 }
    case .other: return nil
    }
  }

  /// The value of an integer of at most 15 digits, which a `Double` has exactly.
  private static func number(_ text: UnsafeRawBufferPointer) -> Double? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard digits.count <= 15 else { return nil }
    var value = 0
    for digit in digits {
      guard digit &- UInt8(ascii: "0") < 10 else { return nil }
      value = value &* 10 &+ Int(digit &- UInt8(ascii: "0"))
    }
    return Double(isNegative ? -value : value)
  }
}
