/// Finds the value at a dotted path in a JSON text without making a tree of it.
///
/// For texts that are known to be JSON. It means the same as `JSONValue.subscript(path:)`, and says where it cannot
/// know: names with escapes or with dots in them, and texts that are not UTF-8.
package struct JSONPathFinder: Sendable {
  package enum Found: Hashable, Sendable {
    /// The value's place in the text.
    case at(Range<Int>)
    case absent
    /// Only the tree can tell.
    case unsure
  }

  private let names: [[UInt8]]

  package init(_ path: some StringProtocol) {
    names = path.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
  }

  package func find(in text: UnsafeRawBufferPointer) -> Found {
    guard let base = text.baseAddress, Self.isUTF8(text) else { return .unsure }
    var range = 0..<text.count
    for (depth, name) in names.enumerated() {
      var cursor = JSONCursor(base: base, count: range.upperBound)
      cursor.at = range.lowerBound
      let found: Found
      switch cursor.skipWhitespace() {
      case UInt8(ascii: "{"): found = Self.member(name, isLast: depth == names.count - 1, &cursor)
      case UInt8(ascii: "["): found = Self.element(name, &cursor)
      default: return .absent
      }
      guard case .at(let inner) = found else { return found }
      range = inner
    }
    return .at(range)
  }

  /// A zero byte or a byte order mark among the first tells of another encoding.
  package static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count < 2 || (text[0] != 0 && text[1] != 0 && text[0] < 0xEF)
  }

  /// The last member of that name; the cursor is at the brace.
  private static func member(_ name: [UInt8], isLast: Bool, _ cursor: inout JSONCursor) -> Found {
    var found = Found.absent
    cursor.at += 1
    while true {
      switch cursor.skipWhitespace() {
      case UInt8(ascii: "}"): return found
      case UInt8(ascii: ","): cursor.at += 1
      case UInt8(ascii: "\""):
        let start = cursor.at + 1
        guard cursor.skipString() else { return .unsure }
        let key = cursor.text(from: start).dropLast()
        if key.contains(UInt8(ascii: "\\")) || (!isLast && key.contains(UInt8(ascii: "."))) { return .unsure }
        guard cursor.skipWhitespace() == UInt8(ascii: ":") else { return .unsure }
        cursor.at += 1
        guard let value = value(&cursor) else { return .unsure }
        if key.elementsEqual(name) { found = .at(value) }
      default: return .unsure
      }
    }
  }

  /// The element of that index; the cursor is at the bracket.
  private static func element(_ name: [UInt8], _ cursor: inout JSONCursor) -> Found {
    guard let wanted = Int(String(decoding: name, as: UTF8.self)), wanted >= 0 else { return .absent }
    var index = 0
    cursor.at += 1
    while true {
      switch cursor.skipWhitespace() {
      case UInt8(ascii: "]"): return .absent
      case UInt8(ascii: ","): cursor.at += 1
      default:
        guard let value = value(&cursor) else { return .unsure }
        if index == wanted { return .at(value) }
        index += 1
      }
    }
  }

  /// Steps over one value and returns its place; nil for what is none.
  private static func value(_ cursor: inout JSONCursor) -> Range<Int>? {
    var depth = 0
    cursor.skipWhitespace()
    let start = cursor.at
    repeat {
      switch cursor.skipWhitespace() {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        cursor.at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        cursor.at += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): cursor.at += 1
      case UInt8(ascii: "\""): guard cursor.skipString() else { return nil }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        guard cursor.skipLiteral() else { return nil }
      default: guard cursor.skipNumber() else { return nil }
      }
    } while depth > 0
    return depth == 0 ? start..<cursor.at : nil
  }
}
