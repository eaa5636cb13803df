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

  private let path: [UInt8]

  package init(_ path: some StringProtocol) { self.path = Array(path.utf8) }

  package func find(in text: UnsafeRawBufferPointer) -> Found {
    guard Self.isUTF8(text) else { return .unsure }
    return JSONText.with(text, find)
  }

  private func find(in text: JSONText) -> Found {
    path.withUnsafeBytes { path in
      var steps = Steps(text: text)
      var range = 0..<text.count
      var start = 0
      while start <= path.count {
        let end = path[start...].firstIndex(of: UInt8(ascii: ".")) ?? path.count
        let name = UnsafeRawBufferPointer(rebasing: path[start..<end])
        steps.at = range.lowerBound
        let found: Found
        switch steps.next {
        case UInt8(ascii: "{"): found = steps.member(name, isLast: end == path.count)
        case UInt8(ascii: "["): found = steps.element(name)
        default: return .absent
        }
        guard case .at(let inner) = found else { return found }
        range = inner
        start = end + 1
      }
      return .at(range)
    }
  }

  /// A zero byte or a byte order mark among the first tells of another encoding.
  package static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count < 2 || (text[0] != 0 && text[1] != 0 && text[0] < 0xEF)
  }

  /// A place in a text, moved over one token after the other.
  private struct Steps {
    let text: JSONText
    var at = 0
    private var notes = JSONNotes()

    init(text: JSONText) { self.text = text }

    /// The first byte of the next token, which is where the place is then.
    var next: UInt8 {
      mutating get {
        at = text.token(from: at, &notes)
        return text[at]
      }
    }

    /// The last member of that name; the place is that of the brace.
    mutating func member(_ name: UnsafeRawBufferPointer, isLast: Bool) -> Found {
      var found = Found.absent
      at += 1
      while true {
        switch next {
        case UInt8(ascii: "}"): return found
        case UInt8(ascii: ","): at += 1
        case UInt8(ascii: "\""):
          guard let end = text.endOfString(at: at, &notes) else { return .unsure }
          let key = text[at + 1..<end - 1]
          for byte in key where byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ".") && !isLast {
            return .unsure
          }
          at = end
          guard next == UInt8(ascii: ":") else { return .unsure }
          at += 1
          guard let value = value() else { return .unsure }
          if key.count == name.count, key.elementsEqual(name) { found = .at(value) }
        default: return .unsure
        }
      }
    }

    /// The element of that index; the place is that of the bracket.
    mutating func element(_ name: UnsafeRawBufferPointer) -> Found {
      guard let wanted = Int(String(decoding: name, as: UTF8.self)), wanted >= 0 else { return .absent }
      var index = 0
      at += 1
      while true {
        switch next {
        case UInt8(ascii: "]"): return .absent
        case UInt8(ascii: ","): at += 1
        default:
          guard let value = value() else { return .unsure }
          if index == wanted { return .at(value) }
          index += 1
        }
      }
    }

    /// Steps over one value and returns its place; nil for what is none.
    private mutating func value() -> Range<Int>? {
      var depth = 0
      _ = next
      let start = at
      repeat {
        switch next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          at += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          at += 1
        case UInt8(ascii: ","), UInt8(ascii: ":"): at += 1
        case let byte:
          guard let kind = JSONKind(startingWith: byte), let end = text.end(of: kind, at: at, &notes)
          else { return nil }
          at = end
        }
      } while depth > 0
      return depth == 0 ? start..<at : nil
    }
  }
}
