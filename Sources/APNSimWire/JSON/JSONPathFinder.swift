/// Finds the value at a dotted path in a JSON text without making a tree of it.
///
/// The text must be known to be JSON. The result is that of `JSONValue.subscript(path:)`, or ``Found/unsure`` where
/// only the tree can decide: names with escapes or characters beyond ASCII, names with dots that the path may mean, and
/// texts that are not UTF-8.
package struct JSONPathFinder: Sendable {
  package enum Found: Hashable, Sendable {
    /// The range of the value in the text.
    case at(Range<Int>)
    case absent
    /// Only the tree can decide.
    case unsure
  }

  private let path: [UInt8]

  package init(_ path: some StringProtocol) { self.path = Array(path.utf8) }

  package func find(in text: UnsafeRawBufferPointer) -> Found {
    guard Self.isUTF8(text) else { return .unsure }
    return path.withUnsafeBytes { path in
      IndexedText.with(text) { text in
        var descent = Descent(text: text, path: path)
        return descent.find(from: 0)
      }
    }
  }

  /// False if a zero byte or a byte order mark at the start shows another encoding.
  package static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count < 2 || (text[0] != 0 && text[1] != 0 && text[0] < 0xEF)
  }

  /// An offset in a text that moves over each token once: it enters the values on the path and skips the rest.
  private struct Descent {
    let text: IndexedText
    let path: UnsafeRawBufferPointer
    private var at = 0
    private var notes = JSONNotes()

    init(text: IndexedText, path: UnsafeRawBufferPointer) { (self.text, self.path) = (text, path) }

    /// Moves to the next token and returns its first byte.
    private var next: UInt8 {
      mutating get {
        at = text.token(from: at, &notes)
        return text[at]
      }
    }

    /// Follows the rest of the path into the next value and moves past that value. The recursion is no deeper than
    /// the path has names.
    mutating func find(from start: Int) -> Found {
      guard start <= path.count else { return value().map { .at($0) } ?? .unsure }
      var end = start
      while end < path.count, path[end] != UInt8(ascii: ".") { end += 1 }
      switch next {
      case UInt8(ascii: "{"): return member(start..<end)
      case UInt8(ascii: "["): return element(start..<end)
      default: return value() == nil ? .unsure : .absent
      }
    }

    /// Follows the path into the object at the offset, by its last member of the next name.
    private mutating func member(_ name: Range<Int>) -> Found {
      var found = Found.absent
      at += 1
      while true {
        switch next {
        case UInt8(ascii: "}"):
          at += 1
          return found
        case UInt8(ascii: ","): at += 1
        case UInt8(ascii: "\""):
          let start = at + 1
          let end = text.stop(from: start)
          // A name written with escapes may be the same name.
          guard text[end] == UInt8(ascii: "\"") else { return .unsure }
          at = end + 1
          guard next == UInt8(ascii: ":") else { return .unsure }
          at += 1
          let begins = end - start >= name.count && hasName(name, at: start)
          if begins, end - start == name.count {
            found = find(from: name.upperBound + 1)
          } else if begins, text[start + name.count] == UInt8(ascii: "."), name.upperBound < path.count {
            // A name with dots in it has priority, if it leads anywhere.
            return .unsure
          } else if value() == nil {
            return .unsure
          }
          if found == .unsure { return .unsure }
        default: return .unsure
        }
      }
    }

    @inline(__always)
    private func hasName(_ name: Range<Int>, at start: Int) -> Bool {
      for index in name where text[start + index - name.lowerBound] != path[index] { return false }
      return true
    }

    /// Follows the path into the array at the offset, by the next name as an index.
    private mutating func element(_ name: Range<Int>) -> Found {
      let wanted = Int(String(decoding: path[name], as: UTF8.self))
      var found = Found.absent
      var index = 0
      at += 1
      while true {
        switch next {
        case UInt8(ascii: "]"):
          at += 1
          return found
        case UInt8(ascii: ","): at += 1
        default:
          if index == wanted {
            found = find(from: name.upperBound + 1)
          } else if value() == nil {
            return .unsure
          }
          if found == .unsure { return .unsure }
          index += 1
        }
      }
    }

    /// Moves past one value and returns its range; nil if there is no value.
    private mutating func value() -> Range<Int>? {
      var depth = 0
      _ = next
      let start = at
      repeat {
        switch next {
        case UInt8(ascii: "\""):
          guard let end = text.endOfString(at: at, &notes) else { return nil }
          at = end
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
