/// Reads bytes out of the texts that people keep them in: plain hex digits, spaced or not, with comments, and the
/// dumps of `xxd`, `hexdump -C`, `od -A x -t x1` and Wireshark, offsets, gutters and squeezed lines included.
enum HexDump {
  /// Why a text is none of these.
  struct Problem: Error, Hashable {
    /// The line, from 1.
    var line: Int
    var message: String
    var hint: String?
  }

  /// A squeezed run (`*`) of more bytes than this is damage, not zeros.
  private static let maximumSize = 256 << 20

  /// Whether a text could be hex at all: its first line that is not empty and no comment begins with digits.
  static func isLikely(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.allSatisfy({ isText($0) }) else { return false }
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let words = words(of: line)
      guard let first = words.first else { continue }
      return digits(first.last == UInt8(ascii: ":") ? first.dropLast() : first) != nil
    }
    return false
  }

  /// - Throws: `Problem` at the first line that is not what the lines before it were.
  static func bytes(of text: ArraySlice<UInt8>) throws(Problem) -> [UInt8] {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == 0x0A }
    let hasOffsets = hasOffsets(lines)
    var bytes: [UInt8] = []
    var isSqueezed = false
    for (index, line) in lines.enumerated() {
      var words = words(of: line)[...]
      guard let first = words.first else { continue }
      if hasOffsets, words.count == 1, first.elementsEqual([UInt8(ascii: "*")]) {
        isSqueezed = true
        continue
      }
      if hasOffsets {
        guard let offset = offset(first) else {
          throw Problem(line: index + 1, message: "an offset was expected, found \"\(show(first))\"")
        }
        if isSqueezed { try squeeze(&bytes, to: offset, line: index + 1) }
        isSqueezed = false
        guard offset == bytes.count else {
          throw Problem(
            line: index + 1,
            message:
              "the offset \(hex(bytes.count)) was expected, found \"\(show(first))\": lines are missing"
          )
        }
        let isColoned = first.last == UInt8(ascii: ":")
        words = dumped(words.dropFirst(), isColoned: isColoned, line)
        if !isColoned, let word = words.first(where: { $0.count != 2 }) { throw noPairs(word, index + 1) }
        if isColoned, isSwapped(words, line) {
          throw Problem(
            line: index + 1,
            message: "the text beside the bytes has them in another order: words are swapped",
            hint: "xxd -e swaps the bytes of words; xxd does not"
          )
        }
      }
      for word in words {
        guard let decoded = digits(word) else { throw noPairs(word, index + 1) }
        bytes += decoded
      }
    }
    return bytes
  }

  private static func noPairs(_ word: ArraySlice<UInt8>, _ line: Int) -> Problem {
    let isOfHexdump = word.count == 4 && word.allSatisfy { value($0) != nil }
    return Problem(
      line: line,
      message: "pairs of hex digits were expected, found \"\(show(word))\"",
      hint: isOfHexdump ? "the default format of hexdump swaps bytes; hexdump -C or xxd does not" : nil
    )
  }

  /// Whether the gutter shows the bytes of each word in the reverse order, and not in theirs.
  private static func isSwapped(_ words: ArraySlice<ArraySlice<UInt8>>, _ line: ArraySlice<UInt8>) -> Bool {
    guard let last = words.last, words.contains(where: { $0.count > 2 }) else { return false }
    let groups = words.compactMap { digits($0) }
    let bytes = groups.flatMap { $0 }
    let gutter = line[last.endIndex...].drop { $0 == 0x20 }.prefix { $0 != 0x0D }
    func shows(_ bytes: [UInt8]) -> Bool {
      gutter.count == bytes.count
        && zip(gutter, bytes).allSatisfy { $0 == ((0x20..<0x7F).contains($1) ? $1 : UInt8(ascii: ".")) }
    }
    return !shows(bytes) && shows(groups.flatMap { $0.reversed() })
  }

  /// A dump's first line begins with an offset of zero, and its second goes on from there.
  private static func hasOffsets(_ lines: [ArraySlice<UInt8>]) -> Bool {
    var expected = 0
    var seen = 0
    for (index, line) in lines.enumerated() {
      let words = words(of: line)
      guard let first = words.first else { continue }
      if first.elementsEqual([UInt8(ascii: "*")]) { return seen > 0 }
      guard let offset = offset(first), offset == expected else { return false }
      let isColoned = first.last == UInt8(ascii: ":")
      let bytes = dumped(words.dropFirst(), isColoned: isColoned, line).reduce(0) { $0 + $1.count / 2 }
      if isColoned || seen > 0 { return true }
      // A single line of plain digits may begin with zeros, too: an offset stands apart from pairs of digits.
      guard words.dropFirst().first.map({ $0.count < first.count }) ?? false else { return false }
      let isPlain = words.count == 2 && !line.contains(UInt8(ascii: "|"))
      if isPlain { return isEnd(lines[(index + 1)...], at: bytes) }
      expected = bytes
      seen += 1
    }
    return seen > 0
  }

  /// Whether nothing but the last line of a dump follows, which is an offset.
  private static func isEnd(_ lines: ArraySlice<ArraySlice<UInt8>>, at place: Int) -> Bool {
    let words = lines.flatMap { Self.words(of: $0) }
    return words.count == 1 && words.first.flatMap { offset($0) } == place
  }

  /// The words of a dump's line that are bytes: up to the text gutter, which `|` or `>` begins or, in `xxd`, two
  /// spaces, in Wireshark three.
  private static func dumped(
    _ words: ArraySlice<ArraySlice<UInt8>>,
    isColoned: Bool,
    _ line: ArraySlice<UInt8>
  ) -> ArraySlice<ArraySlice<UInt8>> {
    let start = words.first?.startIndex ?? line.endIndex
    let gap = [UInt8](repeating: 0x20, count: isColoned ? 2 : 3)
    let end = line[start...].firstRange(of: gap)?.lowerBound ?? line.endIndex
    let dumped: ArraySlice<ArraySlice<UInt8>> = words.prefix { $0.endIndex <= end }
    guard !isColoned else { return dumped }
    return dumped.prefix { $0.first != UInt8(ascii: "|") && $0.first != UInt8(ascii: ">") }
  }

  /// Repeats the last sixteen bytes up to an offset, as `*` stands for.
  private static func squeeze(_ bytes: inout [UInt8], to offset: Int, line: Int) throws(Problem) {
    guard bytes.count >= 16, offset >= bytes.count, offset <= maximumSize else {
      throw Problem(line: line, message: "there is no line before \"*\" to repeat up to here")
    }
    let last = Array(bytes.suffix(16))
    while bytes.count < offset { bytes += last.prefix(offset - bytes.count) }
  }

  /// The words of a line without its comment; commas separate as spaces do, and so do colons between bytes.
  private static func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.prefix { $0 != UInt8(ascii: "#") }
      .split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == UInt8(ascii: ",") }
  }

  private static func offset(_ word: ArraySlice<UInt8>) -> Int? {
    let digits = word.last == UInt8(ascii: ":") ? word.dropLast() : word
    guard (4...15).contains(digits.count), digits.allSatisfy({ value($0) != nil }) else { return nil }
    return digits.reduce(0) { $0 << 4 | Int(value($1) ?? 0) }
  }

  private static func digits(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    var word = word
    if word.count > 2, word.prefix(2).elementsEqual(Array("0x".utf8)) { word = word.dropFirst(2) }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in word {
      if byte == UInt8(ascii: ":"), high == nil { continue }
      guard let value = value(byte) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func isText(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func show(_ word: ArraySlice<UInt8>) -> String {
    String(decoding: word.prefix(20), as: UTF8.self) + (word.count > 20 ? "…" : "")
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}
