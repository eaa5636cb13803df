import APNSimScenario
import APNSimWire

/// The offsets at the beginning of a dump's lines.
extension HexDump {
  /// The base of the offsets that lines begin with; nil for a text without offsets.
  /// - Throws: `Failure` when squeezed lines leave the base open.
  static func radix(of lines: Pieces) throws(Failure) -> Int? {
    guard hasOffsets(lines) else { return nil }
    let first = firstWord(of: lines)
    if first?.last == UInt8(ascii: ":") {
      // Only xxd -d counts in decimal.
      return reach(of: lines, 16, isColoned: true).end == nil
        && reach(of: lines, 10, isColoned: true).end != nil ? 10 : 16
    }
    // Seven digits are od's, which writes octal by default.
    guard first?.count == 7 else { return 16 }
    let readings = [8, 10, 16].map { (radix: $0, reach: reach(of: lines, $0)) }
    let whole = readings.filter { $0.reach.end != nil }
    guard Set(whole.map(\.reach.end)).count <= 1 else {
      throw Failure(
        line: (lines.enumerated().first { isSqueeze(Array(words(of: $0.element))) }?.offset ?? 0) + 1,
        message: "the offsets behind \"*\" can be read as octal, decimal or hex",
        hint: "od -v leaves no lines out, and od -A x writes six digits, which are hex"
      )
    }
    return (whole.first ?? readings.max { $0.reach.lines < $1.reach.lines })?.radix
  }

  /// Counts the lines that are consistent when their offsets are read so, and gives the dump's end if all of them are.
  private static func reach(
    of lines: Pieces,
    _ radix: Int,
    isColoned: Bool = false
  ) -> (lines: Int, end: Int?) {
    var (expected, width, isSqueezed) = (0, 0, false)
    var count = 0
    for (index, line) in lines.enumerated() {
      count = index + 1
      let words = Array(words(of: line))
      guard let first = words.first else { continue }
      if isSqueeze(words) {
        isSqueezed = true
        continue
      }
      guard let offset = offset(first, radix), offset >= expected,
        offset == expected || (isSqueezed && width > 0 && (offset - expected) % width == 0)
      else { return (index, nil) }
      let bytes = dumped(words.dropFirst(), isColoned: isColoned, line).reduce(0) { $0 + $1.count / 2 }
      (expected, width, isSqueezed) = (offset + bytes, max(width, bytes), false)
    }
    return (count, expected)
  }

  static func isSqueeze(_ words: [ArraySlice<UInt8>]) -> Bool {
    words.count == 1 && words[0].elementsEqual([UInt8(ascii: "*")])
  }

  /// An offset in hex, octal or decimal, with a colon after it or not.
  static func offset(_ word: ArraySlice<UInt8>, _ radix: Int = 16) -> Int? {
    let digits = word.last == UInt8(ascii: ":") ? word.dropLast() : word
    guard (4...15).contains(digits.count),
      digits.allSatisfy({ Hex.value(of: $0).map { $0 < radix } ?? false })
    else { return nil }
    return digits.reduce(0) { $0 * radix + Int(Hex.value(of: $1) ?? 0) }
  }

  /// True where a line's first word can only be an offset: a colon follows it, it has seven digits, or the line ends
  /// with text between bars.
  private static func standsOut(_ words: [ArraySlice<UInt8>], _ line: ArraySlice<UInt8>) -> Bool {
    guard words.count > 1, let first = words.first, offset(first) != nil else { return false }
    return first.last == UInt8(ascii: ":") || first.count == 7
      || (words[1].count == 2 && line.contains(UInt8(ascii: "|")))
  }

  /// True where lines begin with offsets: a dump's first line begins with zero, and its second continues it.
  private static func hasOffsets(_ lines: Pieces) -> Bool {
    var expected = 0
    var seen = 0
    for (index, line) in lines.enumerated() {
      let beginning = Array(words(of: line).prefix(2))
      guard let first = beginning.first else { continue }
      if first.elementsEqual([UInt8(ascii: "*")]) { return seen > 0 }
      if seen == 0, standsOut(beginning, line) { return true }
      guard let offset = offset(first), offset == expected else { return false }
      let words = Array(words(of: line))
      let bytes = dumped(words.dropFirst(), isColoned: false, line).reduce(0) { $0 + $1.count / 2 }
      if seen > 0 { return true }
      // A single line of plain digits may begin with zeros, too: an offset stands apart from pairs of digits.
      guard words.dropFirst().first.map({ $0.count < first.count }) ?? false else { return false }
      let isPlain = words.count == 2 && !line.contains(UInt8(ascii: "|"))
      if isPlain { return isEnd(lines.dropFirst(index + 1), at: bytes) }
      expected = bytes
      seen += 1
    }
    return seen > 0
  }

  /// True where only the last line of a dump follows, which is an offset.
  private static func isEnd(_ lines: some Sequence<ArraySlice<UInt8>>, at place: Int) -> Bool {
    let words = Array(lines.lazy.flatMap { Self.words(of: $0) }.prefix(2))
    return words.count == 1 && words.first.flatMap { offset($0) } == place
  }
}

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
