import APNSimCapture
import APNSimWire

/// Reads bytes from the texts in which people keep them.
///
/// - Hex digits, spaced or not, with comments, `\x01\x02`, `01-02`.
/// - Dumps: an offset that counts, hex digits, and perhaps the same bytes as text, which settle where the line's bytes
///   end. So `xxd`, `hexdump -C`, `od -t x1`, Wireshark (Follow Stream in both directions), JDK, OpenSSL, mbed TLS, scapy,
///   Python, PowerShell, gdb and lldb are read by one rule, by themselves or inside a log's lines.
/// - Literals of programming languages (`HexDump+Literals`), and what tools print of bytes (`HexDump+Printed`).
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

  /// Bytes of one direction, in the order of the text.
  struct Piece: Hashable {
    /// The side that was connected to wrote them, where the text has both.
    var isIndented = false
    var bytes: [UInt8] = []
  }

  static let packetsHint =
    "save the packets themselves (tcpdump -w FILE, tshark -w FILE), or make them of the text with text2pcap"

  /// The error of encrypted bytes in place of a provider's.
  static func ofTLS(_ found: String, _ line: Int) -> Failure {
    Failure(
      line: line,
      message: "a provider's bytes were expected, found \(found): the notifications are encrypted",
      hint: "a packet capture with its key log has them: apnsim import FILE.pcapng --keylog KEYS -o FILE"
    )
  }

  /// True for a text that can be hex: its first line that is neither empty nor a comment begins with digits, or it is a
  /// literal, or a log with a dump in it.
  static func isLikely(_ text: ArraySlice<UInt8>) -> Bool {
    let text = content(of: text)
    // The other side's words stand in a log of OpenSSL as they are.
    if lines(of: text).contains(where: { DumpHeader($0) != nil }) { return true }
    var (isComment, isPlain) = (false, true)
    for byte in text {
      if byte == UInt8(ascii: "#") { isComment = true }
      if byte == 0x0A || byte == 0x0D { isComment = false }
      guard isText(byte) || byte >= 0x80 else { return false }
      // Comments are in whatever language.
      if byte >= 0x80, !isComment { isPlain = false }
    }
    let begin = text.drop { DumpLine.isBlank($0) || $0 == 0x0A }
    let lines = Pieces(text: text) { $0 == 0x0A || $0 == 0x0D }
    let literals = ["b'", "b\"", "bytearray(b", "\"\\", "'\\", "<Buffer "]
    if literals.contains(where: { begin.starts(with: $0.utf8) }) { return true }
    if isPlain, isArray(text) { return true }
    if isPrinted(text) { return true }
    guard let line = lines.lazy.first(where: { !isEmpty($0) }) else { return false }
    if isPlain, DumpLine(line, 1) != nil || words(of: line).first(where: { _ in true }).flatMap(digits) != nil
    {
      return true
    }
    return text.firstRange(of: Array("<Buffer ".utf8)) != nil || hasLoggedDump(lines)
  }

  /// True for a text that is meant to be hex, though it may be unreadable: nine in ten of its bytes are digits or
  /// spaces, or it is a text of packets.
  package static func isMeant(_ text: ArraySlice<UInt8>) -> Bool {
    let fitting = text.count { Hex.value(of: $0) != nil || [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return fitting >= text.count / 10 * 9 + text.count % 10
      || lines(of: text).contains { isOfTcpdump($0) }
  }

  /// The provider's bytes, and what answered them, where the text has both.
  /// - Throws: `Failure` at the first line that does not continue the lines before it.
  package static func directions(
    of text: ArraySlice<UInt8>
  ) throws(Failure) -> (provider: [UInt8], answers: [UInt8]) {
    let pieces = try pieces(of: text)
    return (pieces.filter { !$0.isIndented }.flatMap(\.bytes), pieces.filter(\.isIndented).flatMap(\.bytes))
  }

  /// The provider's bytes.
  /// - Throws: `Failure` at the first line that does not continue the lines before it.
  package static func bytes(of text: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    try directions(of: text).provider
  }

  /// The bytes of both directions in the order of the text; of a single one, the provider's.
  /// - Throws: `Failure` at the first line that does not continue the lines before it.
  static func pieces(of text: ArraySlice<UInt8>) throws(Failure) -> [Piece] {
    let text = content(of: text)
    var pieces = try anyPieces(of: text)
    if let side = pieces.first(where: { !$0.bytes.isEmpty }), TLSRecordHeader.begins(side.bytes[...]) {
      let line = lines(of: text).enumerated().first { !isEmpty($0.element) }
      throw ofTLS("a TLS record", (line?.offset ?? 0) + 1)
    }
    if pieces.allSatisfy(\.isIndented) {
      for index in pieces.indices { pieces[index].isIndented = false }
    }
    return pieces
  }

  private static func anyPieces(of text: ArraySlice<UInt8>) throws(Failure) -> [Piece] {
    let lines = lines(of: text)
    if let line = lines.enumerated().first(where: { isOfTcpdump($0.element) }) {
      throw Failure(
        line: line.offset + 1,
        message: "the bytes of one stream were expected, found packets as tcpdump prints them",
        hint: packetsHint
      )
    }
    // The text beside a dump can look like anything: lines and offsets come first.
    if let traced = try pieces(ofTrace: text) { return traced }
    if hasOffsets(lines) { return try pieces(ofDump: lines) }
    if let literal = try pieces(ofLiteral: text) { return literal }
    if let printed = try pieces(ofPrinted: text) { return printed }
    do throws(Failure) {
      return [Piece(bytes: try plain(text, in: text))]
    } catch {
      guard hasLoggedDump(lines) else { throw error }
      return try read(lines, 16, isLog: true)
    }
  }

  // MARK: Plain digits

  /// - Parameter whole: the text that lines and columns count from.
  static func plain(_ text: ArraySlice<UInt8>, in whole: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines(of: text) {
      for word in words(of: line) {
        guard let digits = digits(word) else {
          let found = place(of: word.startIndex, in: whole)
          let start = word.startIndex - (found.column - 1)
          throw noPairs(word, whole[start...], found.line)
        }
        bytes += digits
      }
    }
    return bytes
  }

  /// - Parameter line: its beginning is what columns count from.
  static func noPairs(_ word: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>, _ number: Int) -> Failure {
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

  /// The line and column of a byte, from 1.
  static func place(of index: Int, in text: ArraySlice<UInt8>) -> (line: Int, column: Int) {
    let end: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
    let before = text[..<index]
    let start = before.lastIndex(of: end).map { $0 + 1 } ?? text.startIndex
    return (before.count { $0 == end } + 1, index - start + 1)
  }

  static func lines(of text: ArraySlice<UInt8>) -> Pieces {
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

  /// A text in UTF-8 without a byte order mark.
  private static func content(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    ByteOrderMark.utf8(of: text).map { $0[...] } ?? ByteOrderMark.removed(from: text)
  }

  /// True for the first line that `tcpdump -x` prints of a packet's bytes.
  private static func isOfTcpdump(_ line: ArraySlice<UInt8>) -> Bool {
    line.drop { $0 == 0x20 || $0 == 0x09 }.prefix(7).elementsEqual(Array("0x0000:".utf8))
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
