/// Finds the value at a dotted path in a JSON text without making a tree of it.
///
/// For texts that are known to be JSON. It means the same as `JSONValue.subscript(path:)`, and says where it cannot
/// know: names with escapes or characters beyond ASCII, names with dots that the path may mean, paths that may be
/// written in ASCII as well, and texts that are not UTF-8.
package struct JSONPathFinder: Sendable {
  package enum Found: Hashable, Sendable {
    /// The value's place in the text.
    case at(Range<Int>)
    case absent
    /// Only the tree can tell.
    case unsure
  }

  private let path: [UInt8]
  /// Whether a name in ASCII may be the same as one of the path that is not.
  private let hasDouble: Bool

  package init(_ path: some StringProtocol) {
    self.path = Array(path.utf8)
    hasDouble = path.unicodeScalars.contains { $0.isSameAsASCII }
  }

  package func find(in text: UnsafeRawBufferPointer) -> Found {
    guard !hasDouble, Self.isUTF8(text) else { return .unsure }
    return path.withUnsafeBytes { path in
      JSONText.with(text) { text in
        var descent = Descent(text: text, path: path)
        return descent.find(from: 0)
      }
    }
  }

  /// A zero byte or a byte order mark among the first tells of another encoding.
  package static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count < 2 || (text[0] != 0 && text[1] != 0 && text[0] < 0xEF)
  }

  /// A place in a text, moved over each token once: what is on the path is looked into, and the rest stepped over.
  private struct Descent {
    let text: JSONText
    let path: UnsafeRawBufferPointer
    private var at = 0
    private var notes = JSONNotes()

    init(text: JSONText, path: UnsafeRawBufferPointer) { (self.text, self.path) = (text, path) }

    /// The first byte of the next token, which is where the place is then.
    private var next: UInt8 {
      mutating get {
        at = text.token(from: at, &notes)
        return text[at]
      }
    }

    /// Where the rest of the path leads from the next value, which is stepped over: into containers, and no deeper than
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

    /// The same from the object at the place, by the name that is next on the path: its last member of that name has it.
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
          // What is written in another way may be the same name.
          guard text[end] == UInt8(ascii: "\"") else { return .unsure }
          at = end + 1
          guard next == UInt8(ascii: ":") else { return .unsure }
          at += 1
          let begins = end - start >= name.count && hasName(name, at: start)
          if begins, end - start == name.count {
            found = find(from: name.upperBound + 1)
          } else if begins, text[start + name.count] == UInt8(ascii: "."), name.upperBound < path.count {
            // A name with dots in it goes before, if it leads anywhere.
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

    /// The same from the array at the place, by the index that is next on the path.
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

    /// Steps over one value and returns its place; nil for what is none.
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
