internal import APNSimWire

/// One condition on a payload, tested on its bytes where that is the same as testing its value.
struct PayloadTest {
  private let path: String
  private let matcher: Matcher
  private let finder: JSONPathFinder
  /// What the value's bytes have to do, for a text without escapes.
  private let text: TextTest?

  private enum TextTest {
    case equals([UInt8])
    case contains([UInt8])
    case startsWith([UInt8])
  }

  init(path: String, matcher: Matcher) {
    self.path = path
    self.matcher = matcher
    finder = JSONPathFinder(path)
    // Characters beyond ASCII may be written in several ways that compare equal.
    switch matcher {
    case .equals(.string(let text)) where Self.isPlain(text): self.text = .equals(Array(text.utf8))
    case .contains(let text) where Self.isPlain(text): self.text = .contains(Array(text.utf8))
    case .startsWith(let text) where Self.isPlain(text): self.text = .startsWith(Array(text.utf8))
    default: text = nil
    }
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// - Parameter isJSON: the payload is known to be JSON.
  func matches(_ payload: UnsafeRawBufferPointer, isJSON: Bool) -> Bool {
    guard isJSON, payload.count > 0 else { return matchesTree(payload) }
    switch finder.find(in: payload) {
    case .unsure: return matchesTree(payload)
    case .absent: return matcher.matches(nil)
    case .at(let range): return matches(value: UnsafeRawBufferPointer(rebasing: payload[range]))
    }
  }

  private func matchesTree(_ payload: UnsafeRawBufferPointer) -> Bool {
    matcher.matches((try? JSONValue.parse(payload))?[path])
  }

  private func matches(value: UnsafeRawBufferPointer) -> Bool {
    let isText = value.count >= 2 && value[0] == UInt8(ascii: "\"")
    guard let text, isText, value.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else {
      return matcher.matches(try? JSONValue.parse(value))
    }
    let content = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
    switch text {
    case .equals(let wanted): return content.elementsEqual(wanted)
    case .startsWith(let wanted): return content.starts(with: wanted)
    case .contains(let wanted): return Self.contains(content, wanted)
    }
  }

  private static func contains(_ text: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    var from = 0
    while from + wanted.count <= text.count {
      if text[from] == first, text[from..<(from + wanted.count)].elementsEqual(wanted) { return true }
      from += 1
    }
    return false
  }
}
