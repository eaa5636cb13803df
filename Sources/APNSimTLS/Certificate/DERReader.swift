/// Reads DER (X.690) element by element from untrusted bytes.
///
/// Bounds and lengths are checked, nothing recurses, and the caller decides how deep to read. Only definite lengths
/// in their shortest form and tags of one byte are accepted.
struct DERReader {
  struct Element {
    var tag: UInt8
    var content: ArraySlice<UInt8>
  }

  static let utf8String: UInt8 = 0x0c
  static let octetString: UInt8 = 0x04
  static let sequence: UInt8 = 0x30

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads the next element; `nil` at the end and where the bytes are not DER.
  mutating func next() -> Element? {
    var cursor = rest
    guard let tag = cursor.popFirst(), tag & 0x1f != 0x1f, let first = cursor.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let count = Int(first & 0x7f)
      guard (1...3).contains(count), cursor.count >= count, cursor.first != 0 else { return nil }
      length = cursor.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      cursor = cursor.dropFirst(count)
      guard length >= 0x80 else { return nil }
    }
    guard length <= cursor.count else { return nil }
    rest = cursor.dropFirst(length)
    return Element(tag: tag, content: cursor.prefix(length))
  }

  /// The only element of `bytes`, if it has the tag and nothing follows it.
  static func only(_ tag: UInt8, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var reader = DERReader(bytes)
    guard let element = reader.next(), element.tag == tag, reader.isAtEnd else { return nil }
    return element.content
  }
}
