import APNSimScenario
import APNSimWire

/// Reads bytes from the texts in which people keep them: plain hex digits, spaced or not, with comments, `\x01\x02`,
/// `01-02`, arrays of source code, and the dumps of `xxd`, `hexdump -C`, `od -t x1`, Wireshark, gdb and lldb, offsets,
/// gutters and squeezed lines included.
package enum HexDump {
  /// The error of a text that is none of these.
  package struct Failure: Error, Hashable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1; nil for an error of the whole line.
    package var column: Int?
    package var message: String
    package var hint: String?

    /// The place, to stand after a file's name: `:3:17`.
    package var place: String { ":\(line)\(column.map { ":\($0)" } ?? "")" }
  }

  /// A squeezed run (`*`) of more bytes than this is damage, not zeros.
  private static let maximumSize = 16 << 20

  private static let packetsHint =
    "save the packets themselves (tcpdump -w FILE, tshark -w FILE), or make them of the text with text2pcap"

  /// True for a text that can be hex: its first line that is neither empty nor a comment begins with digits.
  static func isLikely(_ text: ArraySlice<UInt8>) -> Bool {
    let text = content(of: text)
    var isComment = false
    for byte in text {
      if byte == UInt8(ascii: "#") { isComment = true }
      if byte == 0x0A || byte == 0x0D { isComment = false }
      // Comments are in whatever language.
      guard isText(byte) || isComment && byte >= 0x80 else { return false }
    }
    let lines = Pieces(text: text) { $0 == 0x0A || $0 == 0x0D }
    guard let first = firstWord(of: lines) else { return false }
    return offset(first) != nil || digits(first) != nil || hasAddresses(lines)
  }

  /// True for a text that is meant to be hex, though it may be unreadable: nine in ten of its bytes are digits or
  /// spaces, or it is a text of packets.
  package static func isMeant(_ text: ArraySlice<UInt8>) -> Bool {
    let fitting = text.count { Hex.value(of: $0) != nil || [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return fitting >= text.count / 10 * 9 + text.count % 10
      || lines(of: text).contains { isOfTcpdump($0) }
  }

  /// - Throws: `Failure` at the first line that does not continue the lines before it.
  package static func bytes(of text: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    let lines = lines(of: content(of: text))
    if let line = lines.enumerated().first(where: { isOfTcpdump($0.element) }) {
      throw Failure(
        line: line.offset + 1,
        message: "the bytes of one stream were expected, found packets as tcpdump prints them",
        hint: packetsHint
      )
    }
    if hasAddresses(lines) { return try bytes(ofAddressed: lines) }
    let radix = try radix(of: lines)
    var bytes: [UInt8] = []
    var before = Before()
    for (index, line) in lines.enumerated() {
      if let radix {
        try append(dump: line, index + 1, radix, &before, to: &bytes)
      } else {
        for word in words(of: line) { try append(word, of: line, index + 1, to: &bytes) }
      }
    }
    return bytes
  }

  /// The state before a line of a dump.
  private struct Before {
    /// The number of bytes of the last line.
    var count = 0
    /// True where lines like it were squeezed (`*`) since.
    var isSqueezed = false
  }

  private static func append(
    dump line: ArraySlice<UInt8>,
    _ number: Int,
    _ radix: Int,
    _ before: inout Before,
    to bytes: inout [UInt8]
  ) throws(Failure) {
    let words = Array(words(of: line))
    guard let first = words.first else { return }
    if isSqueeze(words) {
      before.isSqueezed = true
      return
    }
    guard let offset = offset(first, radix) else {
      throw Failure(line: number, message: "an offset was expected, found \"\(show(first))\"")
    }
    if before.isSqueezed { try squeeze(&bytes, to: offset, repeating: before.count, line: number) }
    guard offset == bytes.count else { throw misplaced(first, offset, behind: bytes.count, radix, number) }
    let isColoned = first.last == UInt8(ascii: ":")
    let dumped = dumped(words.dropFirst(), isColoned: isColoned, line)
    if !isColoned, let word = dumped.first(where: { $0.count != 2 }) { throw noPairs(word, line, number) }
    if isColoned, isSwapped(dumped, line) {
      throw Failure(
        line: number,
        message: "the text beside the bytes has them in another order: words are swapped",
        hint: "xxd -e swaps the bytes of words; xxd does not"
      )
    }
    if isColoned, areBits(dumped, line) {
      throw Failure(
        line: number,
        message: "pairs of hex digits were expected, found bits",
        hint: "xxd -b prints bits; xxd does not"
      )
    }
    for word in dumped { try append(word, of: line, number, to: &bytes) }
    before = Before(count: bytes.count - offset)
  }

  private static func append(
    _ word: ArraySlice<UInt8>,
    of line: ArraySlice<UInt8>,
    _ number: Int,
    to bytes: inout [UInt8]
  ) throws(Failure) {
    guard let decoded = digits(word) else { throw noPairs(word, line, number) }
    bytes += decoded
  }

  private static func noPairs(_ word: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>, _ number: Int) -> Failure
  {
    let marks = Array(":-\\x".utf8)
    let wrong = word.firstIndex { Hex.value(of: $0) == nil && !marks.contains($0) }
    let isLong = word.count > shownCount
    let found =
      isLong && wrong == nil
      ? "\(word.count) of them in a row" : "\"\(show(isLong ? word[(wrong ?? word.startIndex)...] : word))\""
    let isOfDigits = word.allSatisfy { Hex.value(of: $0) != nil }
    let hints = [
      4: "the default format of hexdump swaps bytes; hexdump -C or xxd does not",
      6: "the default format of od is octal words; od -A x -t x1 prints bytes",
    ]
    return Failure(
      line: number,
      column: (wrong ?? word.startIndex) - line.startIndex + 1,
      message: "pairs of hex digits were expected, found \(found)",
      hint: isOfDigits ? hints[word.count] : nil
    )
  }

  private static func misplaced(
    _ word: ArraySlice<UInt8>,
    _ offset: Int,
    behind count: Int,
    _ radix: Int,
    _ line: Int
  ) -> Failure {
    if count == 0 {
      return Failure(
        line: line,
        message: "offset 0 was expected, found \"\(show(word))\": the dump is not of the beginning",
        hint: "xxd without -s, od without -j and hexdump without -s begin there"
      )
    }
    if offset == 0 {
      return Failure(
        line: line,
        message:
          "offset 0 a second time: the bytes of one stream were expected, found another packet or file",
        hint: packetsHint
      )
    }
    let digits = String(count, radix: radix)
    let expected =
      String(repeating: "0", count: max(0, word.prefix { $0 != 0x3A }.count - digits.count)) + digits
    return Failure(
      line: line,
      message: "the offset \(expected) was expected, found \"\(show(word))\": lines are missing"
    )
  }

  /// True where the gutter shows the bytes of each word in the reverse order only.
  private static func isSwapped(_ words: ArraySlice<ArraySlice<UInt8>>, _ line: ArraySlice<UInt8>) -> Bool {
    guard words.contains(where: { $0.count > 2 }) else { return false }
    let groups = words.compactMap { digits($0) }
    let bytes = groups.flatMap { $0 }
    let gutter = gutter(behind: words, line)
    func shows(_ bytes: [UInt8]) -> Bool {
      gutter.count == bytes.count
        && zip(gutter, bytes).allSatisfy { $0 == ((0x20..<0x7F).contains($1) ? $1 : UInt8(ascii: ".")) }
    }
    return !shows(bytes) && shows(groups.flatMap { $0.reversed() })
  }

  /// True where each word is eight bits, of one byte in the gutter.
  private static func areBits(_ words: ArraySlice<ArraySlice<UInt8>>, _ line: ArraySlice<UInt8>) -> Bool {
    !words.isEmpty && gutter(behind: words, line).count == words.count
      && words.allSatisfy {
        $0.count == 8 && $0.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") }
      }
  }

  /// The text beside the bytes, as `xxd` prints it.
  private static func gutter(
    behind words: ArraySlice<ArraySlice<UInt8>>,
    _ line: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    line[(words.last?.endIndex ?? line.endIndex)...].drop { $0 == 0x20 }.prefix { $0 != 0x0D }
  }

  /// The words of a dump's line that are bytes: up to the text gutter, which begins with `|` or `>` or, in `xxd`, after
  /// two spaces, in Wireshark after three.
  static func dumped(
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

  /// Repeats the last line up to an offset, the meaning of `*`.
  private static func squeeze(
    _ bytes: inout [UInt8],
    to offset: Int,
    repeating count: Int,
    line: Int
  ) throws(Failure) {
    guard count > 0, offset >= bytes.count, offset <= maximumSize else {
      throw Failure(line: line, message: "there is no line before \"*\" to repeat up to here")
    }
    // Many copies at once: a line may have one byte.
    var copies = Array(bytes.suffix(count))
    while copies.count < min(65_536, offset - bytes.count) { copies += copies }
    while bytes.count < offset { bytes += copies.prefix(offset - bytes.count) }
  }

  private static func lines(of text: ArraySlice<UInt8>) -> Pieces {
    // Where none end in LF, as on old Macs, they end in CR.
    let end: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
    return Pieces(text: text) { $0 == end }
  }

  /// The words of a line without its comment; commas separate as spaces do, and so do colons and dashes between bytes.
  static func words(of line: ArraySlice<UInt8>) -> LazyFilterSequence<Pieces> {
    Pieces(text: line.prefix { $0 != UInt8(ascii: "#") }) {
      $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == UInt8(ascii: ",")
    }
    .lazy.filter { !$0.isEmpty }
  }

  static func firstWord(of lines: Pieces) -> ArraySlice<UInt8>? {
    lines.lazy.flatMap { words(of: $0) }.first { _ in true }
  }

  private static func digits(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    var word = word
    if word.count > 2, word.prefix(2).elementsEqual(Array("0x".utf8)) { word = word.dropFirst(2) }
    var bytes: [UInt8] = []
    var high: UInt8?
    while let byte = word.popFirst() {
      if byte == UInt8(ascii: ":"), high == nil { continue }
      if byte == UInt8(ascii: "-"), high == nil, !bytes.isEmpty,
        word.first.flatMap({ Hex.value(of: $0) }) != nil
      {
        continue
      }
      if byte == UInt8(ascii: "\\"), high == nil, word.first == UInt8(ascii: "x") {
        word = word.dropFirst()
        continue
      }
      guard let value = Hex.value(of: byte) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  private static func isText(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The most bytes of a found text that an error shows.
  private static let shownCount = 20

  static func show(_ word: ArraySlice<UInt8>) -> String {
    let shown = word.prefix(shownCount).map { isText($0) ? Character(Unicode.Scalar($0)) : "?" }
    return String(shown) + (word.count > shownCount ? "…" : "")
  }

  /// The part of a text that can be digits or a dump: without a byte order mark, and without the code around an array.
  private static func content(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    withoutDeclaration(ByteOrderMark.removed(from: text))
  }

  /// True for the first line that `tcpdump -x` prints of a packet's bytes.
  private static func isOfTcpdump(_ line: ArraySlice<UInt8>) -> Bool {
    line.drop { $0 == 0x20 || $0 == 0x09 }.prefix(7).elementsEqual(Array("0x0000:".utf8))
  }
}
