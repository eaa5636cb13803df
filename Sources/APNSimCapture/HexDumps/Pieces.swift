/// A text cut at separators, one piece after the other: lines, or the words of one. Pieces may be empty.
struct Pieces: Sequence {
  let text: ArraySlice<UInt8>
  let isSeparator: @Sendable (UInt8) -> Bool

  struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>?
    fileprivate let isSeparator: @Sendable (UInt8) -> Bool

    mutating func next() -> ArraySlice<UInt8>? {
      guard let text = rest else { return nil }
      let end = text.firstIndex(where: isSeparator)
      rest = end.map { text[($0 + 1)...] }
      return end.map { text[..<$0] } ?? text
    }
  }

  func makeIterator() -> Iterator { Iterator(rest: text, isSeparator: isSeparator) }
}
