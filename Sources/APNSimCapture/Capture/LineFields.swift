import APNSimCore
import APNSimScenario
package import APNSimWire

/// The members of one line's object, found without decoding them: a capture has millions of lines, and only a few
/// members of most are read.
package struct LineFields {
  /// The ranges of a key, without its quotes, and of its value.
  struct Member {
    var key: Range<Int>
    var value: Range<Int>
  }

  /// The error of a line that is no JSON object.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var members: [Member] = []
  private static let most = 256

  package init() { members.reserveCapacity(32) }

  /// Finds the members of a line, which must outlive every later access.
  package mutating func read(_ line: UnsafeRawBufferPointer) throws(Failure) {
    self.line = line
    members.removeAll(keepingCapacity: true)
    var at = skip(0)
    guard byte(at) == UInt8(ascii: "{") else { throw found(at, "an object") }
    at = skip(at + 1)
    if byte(at) == UInt8(ascii: "}") { return try end(at + 1) }
    while true {
      guard byte(at) == UInt8(ascii: "\"") else { throw found(at, "a key") }
      let keyEnd = try endOfString(at)
      let key = at + 1..<keyEnd - 1
      at = skip(keyEnd)
      guard byte(at) == UInt8(ascii: ":") else { throw found(at, "a colon") }
      at = skip(at + 1)
      let valueEnd = try endOfValue(at)
      guard members.count < Self.most else { throw Failure(description: "more than \(Self.most) members") }
      members.append(Member(key: key, value: at..<valueEnd))
      at = skip(valueEnd)
      switch byte(at) {
      case UInt8(ascii: ","): at = skip(at + 1)
      case UInt8(ascii: "}"): return try end(at + 1)
      default: throw found(at, "a comma or the end of the object")
      }
    }
  }

  /// The text of a value as it stands in the line: a string has its quotes.
  @inline(__always)
  package func raw(_ key: StaticString) -> UnsafeRawBufferPointer? {
    for member in members where UnsafeRawBufferPointer(rebasing: line[member.key]).hasBytes(of: key) {
      return UnsafeRawBufferPointer(rebasing: line[member.value])
    }
    return nil
  }

  /// The inside of a string, escapes and all; nil where there is no string.
  @inline(__always)
  package func quoted(_ key: StaticString) -> UnsafeRawBufferPointer? {
    guard let value = raw(key), value.count >= 2, value[0] == UInt8(ascii: "\"") else { return nil }
    return UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1])
  }

  /// The keys that are not among these.
  package func keys(notIn known: Set<String>) -> [String] {
    members.map { String(decoding: line[$0.key], as: UTF8.self) }.filter { !known.contains($0) }
  }

  /// True for a string without escapes that equals the text.
  @inline(__always)
  package func equals(_ key: StaticString, _ text: StaticString) -> Bool {
    quoted(key)?.hasBytes(of: text) ?? false
  }

  package func string(_ key: StaticString) -> String? {
    guard let value = quoted(key) else { return nil }
    guard value.contains(UInt8(ascii: "\\")) else { return String(decoding: value, as: UTF8.self) }
    return self.value(key)?.stringValue
  }

  func time(_ key: StaticString) -> Timestamp? { string(key).flatMap { Timestamp($0) } }

  /// The value of a key as a tree.
  package func value(_ key: StaticString) -> JSONValue? {
    // A text of RFC 4627 is an object or array: any other value is read as the element of one.
    raw(key).flatMap { try? JSONValue.parse([UInt8(ascii: "[")] + $0 + [UInt8(ascii: "]")]) }?
      .arrayValue?.first
  }

  package func int(_ key: StaticString) -> Int64? {
    guard let digits = raw(key), (1...19).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for (index, digit) in digits.enumerated() {
      if index == 0, digit == UInt8(ascii: "-"), digits.count > 1 { continue }
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowed) = product.addingReportingOverflow(Int64(digit - 0x30))
      guard !overflow, !overflowed else { return nil }
      value = sum
    }
    return digits[0] == UInt8(ascii: "-") ? -value : value
  }

  /// The number after the letter of `c3` or `n57`.
  @inline(__always)
  package func number(_ key: StaticString, after letter: Unicode.Scalar) -> UInt64? {
    guard let text = quoted(key), text.count > 1, text.count < 20, text[0] == UInt8(ascii: letter) else {
      return nil
    }
    var value: UInt64 = 0
    for digit in text.dropFirst() {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      value = value * 10 + UInt64(digit - 0x30)
    }
    return value
  }

  /// Appends the bytes of a Base64 string; false where there is none, or it is not Base64.
  package func base64(_ key: StaticString, into bytes: inout [UInt8]) -> Bool {
    guard let text = quoted(key) else { return false }
    if Base64.decode(text, into: &bytes) { return true }
    // Some write the slash of Base64 as \/, which JSON allows.
    guard text.contains(UInt8(ascii: "\\")), let plain = string(key) else { return false }
    return Array(plain.utf8).withUnsafeBytes { Base64.decode($0, into: &bytes) }
  }

  // MARK: Steps

  @inline(__always)
  private func byte(_ at: Int) -> UInt8 { at < line.count ? line[at] : 0 }

  @inline(__always)
  private func skip(_ start: Int) -> Int {
    var at = start
    while at < line.count, line[at] == 0x20 || line[at] == 0x09 || line[at] == 0x0D { at += 1 }
    return at
  }

  private func end(_ start: Int) throws(Failure) {
    let at = skip(start)
    guard at == line.count else { throw found(at, "the end of the line") }
  }

  /// The place after the closing quote of the string that begins at `start`.
  @inline(__always)
  private func endOfString(_ start: Int) throws(Failure) -> Int {
    var at = start + 1
    while at < line.count {
      let rest = UnsafeRawBufferPointer(rebasing: line[at...])
      guard let place = rest.offset(of: UInt8(ascii: "\"")).map({ at + $0 }) else { break }
      // A quote after an odd number of backslashes is part of the string.
      var backslashes = 0
      while place - backslashes > at, line[place - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
      if backslashes % 2 == 0 { return place + 1 }
      at = place + 1
    }
    throw Failure(description: "a string that begins at column \(start + 1) has no end")
  }

  private func endOfValue(_ start: Int) throws(Failure) -> Int {
    switch byte(start) {
    case UInt8(ascii: "\""): return try endOfString(start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var depth = 0
      var at = start
      while at < line.count {
        switch line[at] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: "\""): at = try endOfString(at) - 1
        default: break
        }
        at += 1
        if depth == 0 { return at }
      }
      throw Failure(description: "a value that begins at column \(start + 1) has no end")
    default:
      var at = start
      while at < line.count, Self.isPlain(line[at]) { at += 1 }
      guard at > start else { throw found(start, "a value") }
      return at
    }
  }

  /// True for a byte that can be part of a number, `true`, `false` or `null`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private func found(_ at: Int, _ expected: String) -> Failure {
    guard at < line.count else {
      return Failure(description: "expected \(expected), found the end of the line")
    }
    let byte = line[at]
    let shown =
      switch byte {
      case UInt8(ascii: "\""): "a quote"
      case 0x20..<0x7F: "\"\(Unicode.Scalar(byte))\""
      default: "the byte \(byte)"
      }
    return Failure(description: "expected \(expected) at column \(at + 1), found \(shown)")
  }
}
