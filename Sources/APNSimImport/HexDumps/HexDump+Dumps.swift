import APNSimWire

/// Dumps: lines with offsets that count, by themselves or inside the lines of a log.
extension HexDump {
  /// The state of one direction of a dump.
  private struct Direction {
    var base: UInt64?
    var count = 0
    /// The number of bytes of the last line.
    var width = 0
    var next: UInt64 { (base ?? 0) &+ UInt64(count) }
  }

  /// True for a text whose lines begin with offsets: the first is zero or stands out, and the second continues it.
  static func hasOffsets(_ lines: Pieces) -> Bool {
    var first: DumpLine?
    for (index, line) in lines.enumerated() where !isEmpty(line) {
      if isSqueeze(line) { return first != nil }
      guard let found = DumpLine(line, index + 1) else { return false }
      guard let before = first else {
        if found.standsOut { return true }
        // A single line of plain digits may begin with zeros, too: an offset stands apart from pairs of digits.
        guard found.value(16) == 0, let word = found.words.first, word.count < found.offset.count else {
          return false
        }
        first = found
        continue
      }
      guard let next = found.value(16), before.words.count > 1 || found.words.isEmpty else { return false }
      return before.mayEnd(at: next, 16) || (next == 0 && found.isIndented != before.isIndented)
    }
    return first.map { $0.words.count > 1 } ?? false
  }

  /// True where a line of another text has a dump's beginning in it.
  static func hasLoggedDump(_ lines: Pieces) -> Bool {
    lines.lazy.contains { DumpLine(inLog: $0, 0, isExpected: { $0 == 0 })?.value(16) == 0 }
  }

  /// - Throws: `Failure` at the first line that does not continue the lines before it.
  static func pieces(ofDump lines: Pieces) throws(Failure) -> [Piece] {
    let first = lines.lazy.filter { !isEmpty($0) }.compactMap { DumpLine($0, 0) }.first
    // Seven digits are od's, which writes octal by default; xxd -d counts in decimal.
    let isOfOD = first?.offset.count == 7 && first?.isMarked == false
    let bases: [UInt64] =
      isOfOD ? [8, 10, 16] : first?.isAddress == false && first?.isMarked == true ? [16, 10] : [16]
    var whole: [[Piece]] = []
    var failure: Failure?
    for base in bases {
      do throws(Failure) {
        whole.append(try read(lines, base, isLog: false))
        if !isOfOD { break }
      } catch {
        // The base that goes farthest knows best what is wrong.
        if failure.map({ $0.line < error.line }) ?? true { failure = error }
      }
    }
    if let failure, whole.isEmpty { throw failure }
    guard Set(whole.map { $0.map(\.bytes.count) }).count == 1, let pieces = whole.first else {
      throw Failure(
        line: (lines.enumerated().first { isSqueeze($0.element) }?.offset ?? 0) + 1,
        message: "the offsets after \"*\" can be read as octal, decimal or hex",
        hint: "od -v leaves no lines out, and od -A x writes six digits, which are hex"
      )
    }
    return pieces
  }

  static func read(_ lines: Pieces, _ radix: UInt64, isLog: Bool) throws(Failure) -> [Piece] {
    var directions: [Bool: Direction] = [:]
    var pieces: [Piece] = []
    var waiting: DumpLine?
    var isSqueezed = false

    func take(_ line: DumpLine, before next: DumpLine?) throws(Failure) {
      guard let offset = line.value(radix) else {
        throw Failure(line: line.number, message: "an offset was expected, found \"\(show(line.offset))\"")
      }
      var direction = directions[line.isIndented] ?? Direction(base: line.isAddress ? offset : nil)
      if pieces.last?.isIndented != line.isIndented { pieces.append(Piece(isIndented: line.isIndented)) }
      if isSqueezed {
        let count = try squeeze(
          &pieces[pieces.count - 1].bytes,
          to: offset,
          direction.next,
          direction.width,
          line.number
        )
        direction.count += count
      }
      isSqueezed = false
      guard offset == direction.next else { throw misplaced(line, offset, direction.next, radix) }
      let following = next.flatMap { next -> UInt64? in
        guard next.isIndented == line.isIndented, let value = next.value(radix), value >= offset else {
          return nil
        }
        return value - offset
      }
      let bytes = try bytes(of: line, following)
      pieces[pieces.count - 1].bytes += bytes
      direction.count += bytes.count
      direction.width = bytes.count
      directions[line.isIndented] = direction
    }

    for (index, line) in lines.enumerated() where !isEmpty(line) {
      if isSqueeze(line) {
        if let waiting { try take(waiting, before: nil) }
        waiting = nil
        isSqueezed = !pieces.isEmpty || !isLog
        continue
      }
      let found =
        isLog
        ? DumpLine(inLog: line, index + 1) { value in
          waiting.map { $0.mayEnd(at: value, radix) } ?? (value == directions[false]?.next ?? 0)
        } : DumpLine(line, index + 1)
      guard let found else {
        guard isLog else {
          throw Failure(
            line: index + 1,
            message: "an \(waiting?.isAddress == true ? "address" : "offset") was expected, found "
              + "\"\(show(words(of: line).first { _ in true } ?? line))\""
          )
        }
        if isLeftOver(line) {
          throw Failure(line: index + 1, message: "an offset was expected, found hex digits without one")
        }
        continue
      }
      if let waiting { try take(waiting, before: found) }
      waiting = found
    }
    if let waiting { try take(waiting, before: nil) }
    return pieces
  }

  private static func bytes(of line: DumpLine, _ expected: UInt64?) throws(Failure) -> [UInt8] {
    guard let count = line.end(expected: expected) else { throw unreadable(line) }
    let words = line.words.prefix(count)
    if line.isAddress || !line.isMarked, let word = words.first(where: { byteCount($0) != 1 }) {
      throw line.isAddress ? noByte(word, line) : noPairs(word, line.text, line.number)
    }
    let bytes = line.bytes(count)
    let gutter = line.rest(after: count).drop(while: DumpLine.isBlank)
    if !gutter.isEmpty, words.contains(where: { byteCount($0) > 1 }), !line.shows(count) {
      if DumpLine.shows(
        gutter,
        words.flatMap { (Hex.decode(Substring(decoding: $0, as: UTF8.self)) ?? []).reversed() }
      ) {
        throw Failure(
          line: line.number,
          message: "the text beside the bytes has them in another order: words are swapped",
          hint: "xxd -e swaps the bytes of words; xxd does not"
        )
      }
      let areBits = words.allSatisfy { $0.count == 8 && $0.allSatisfy { $0 == 0x30 || $0 == 0x31 } }
      if areBits, gutter.count == count {
        throw Failure(
          line: line.number,
          message: "pairs of hex digits were expected, found bits",
          hint: "xxd -b prints bits; xxd does not"
        )
      }
    }
    return bytes
  }

  private static func byteCount(_ word: ArraySlice<UInt8>) -> Int {
    (word.starts(with: "0x".utf8) ? word.count - 2 : word.count) / 2
  }

  /// The error of a line with something other than bytes and text.
  private static func unreadable(_ line: DumpLine) -> Failure {
    let wrong = Pieces(text: line.rest(after: line.words.count), isSeparator: DumpLine.isBlank)
      .first { !$0.isEmpty }
    let word = wrong ?? line.words.last ?? line.text
    return line.isAddress ? noByte(word, line) : noPairs(word, line.text, line.number)
  }

  private static func noByte(_ word: ArraySlice<UInt8>, _ line: DumpLine) -> Failure {
    Failure(
      line: line.number,
      column: word.startIndex - line.text.startIndex + 1,
      message: "a byte such as 0x01 was expected, found \"\(show(word))\"",
      hint: "x/64xb in gdb prints bytes; x/64xw and x/64xh print words, whose bytes may be swapped"
    )
  }

  private static func misplaced(_ line: DumpLine, _ offset: UInt64, _ expected: UInt64, _ radix: UInt64)
    -> Failure
  {
    if line.isAddress {
      return Failure(
        line: line.number,
        message: "the address 0x\(String(expected, radix: 16)) was expected, found "
          + "0x\(String(offset, radix: 16)): lines are missing"
      )
    }
    let found = show(line.text[line.offset.startIndex...].prefix { !DumpLine.isBlank($0) })
    if expected == 0 {
      return Failure(
        line: line.number,
        message: "offset 0 was expected, found \"\(found)\": the dump is not of the beginning",
        hint: "xxd without -s, od without -j and hexdump without -s begin there"
      )
    }
    if offset == 0 {
      return Failure(
        line: line.number,
        message:
          "offset 0 a second time: the bytes of one stream were expected, found another packet or file",
        hint: packetsHint
      )
    }
    let digits = String(expected, radix: Int(radix))
    let zeros = String(repeating: "0", count: max(0, line.offset.count - digits.count))
    return Failure(
      line: line.number,
      message: "the offset \(zeros)\(digits) was expected, found \"\(found)\": lines are missing"
    )
  }

  static func isSqueeze(_ line: ArraySlice<UInt8>) -> Bool {
    line.filter { !DumpLine.isBlank($0) } == [UInt8(ascii: "*")]
  }

  /// True for a line without anything but a comment.
  static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
    line.drop(while: DumpLine.isBlank).first.map { $0 == UInt8(ascii: "#") } ?? true
  }

  /// True for a line of a log that consists of pairs of digits: bytes whose offset was lost. The numbers of columns
  /// that PowerShell writes above a dump are none.
  private static func isLeftOver(_ line: ArraySlice<UInt8>) -> Bool {
    let words = Array(words(of: line))
    let bytes = words.compactMap {
      $0.count == 2 ? Hex.decode(Substring(decoding: $0, as: UTF8.self))?.first : nil
    }
    return words.count > 1 && bytes.count == words.count
      && bytes != (0..<UInt8(clamping: words.count)).map { $0 }
  }

  /// A squeezed run (`*`) of more bytes than this is damage, not zeros.
  private static let maximumSize = 16 << 20

  /// Repeats the last line up to an offset, the meaning of `*`.
  /// - Returns: the number of bytes.
  private static func squeeze(
    _ bytes: inout [UInt8],
    to offset: UInt64,
    _ begin: UInt64,
    _ width: Int,
    _ line: Int
  ) throws(Failure) -> Int {
    guard width > 0, offset >= begin, offset - begin <= maximumSize - min(maximumSize, bytes.count),
      bytes.count >= width
    else {
      throw Failure(line: line, message: "there is no line before \"*\" to repeat up to here")
    }
    let count = Int(offset - begin)
    // Many copies at once: a line may have one byte.
    var copies = Array(bytes.suffix(width))
    while copies.count < min(65_536, count) { copies += copies }
    let end = bytes.count + count
    while bytes.count < end { bytes += copies.prefix(end - bytes.count) }
    return count
  }
}
