import APNSimWire

/// A line of a dump: an offset that counts, hex digits, and perhaps the same bytes as text.
///
/// ```text
/// 00000010: 3536 3738 393a 3b3c  56789:;<
/// 0x7ffee4c0 <buffer+8>:  0x01    0x00
/// ```
struct DumpLine {
  /// The line's number, from 1.
  let number: Int
  let text: ArraySlice<UInt8>
  /// The digits of the offset.
  let offset: ArraySlice<UInt8>
  /// The offset is an address of memory: `0x`, digits, perhaps `<symbol+offset>`, a colon.
  let isAddress: Bool
  /// A colon or a dash stands after the offset.
  let isMarked: Bool
  /// The line begins with a tab: in Wireshark's Follow Stream, the side that was connected to.
  let isIndented: Bool
  /// The words after the offset that consist of hex digits, some of which may belong to the text.
  private(set) var words: [ArraySlice<UInt8>] = []
  /// The numbers of words after which the bytes may end: at the line's end, or in front of a gap or a bar.
  private(set) var ends: [Int] = []

  /// The most bytes of a line of a dump in a log, from its offset on.
  private static let longestInLog = 512
  /// The most bytes of the symbol after an address.
  private static let longestSymbol = 1_024

  /// - Parameter most: the number of words to read; the others are left.
  /// - Returns: nil where no offset stands at `place`.
  init?(_ text: ArraySlice<UInt8>, _ number: Int, at place: Int? = nil, most: Int = .max) {
    let begin = text.drop(while: Self.isBlank)
    var rest = place.map { text[$0...] } ?? begin
    isAddress = rest.starts(with: "0x".utf8)
    if isAddress { rest = rest.dropFirst(2) }
    offset = rest.prefix { Hex.value(of: $0) != nil }
    guard (4...16).contains(offset.count) else { return nil }
    rest = rest.dropFirst(offset.count)
    if isAddress, rest.drop(while: Self.isBlank).first == UInt8(ascii: "<") {
      // The symbol of a C++ template has brackets of its own.
      guard let end = rest.prefix(Self.longestSymbol).ranges(of: Array(">:".utf8)).last?.lowerBound else {
        return nil
      }
      rest = rest[(end + 1)...]
    }
    if rest.first == UInt8(ascii: "h") { rest = rest.dropFirst() }
    let dash = rest.drop(while: Self.isBlank)
    if rest.first == UInt8(ascii: ":") {
      (isMarked, rest) = (true, rest.dropFirst())
    } else if dash.starts(with: "- ".utf8) {
      (isMarked, rest) = (true, dash.dropFirst())
    } else {
      isMarked = false
    }
    guard rest.first.map(Self.isBlank) ?? true, isMarked || !isAddress else { return nil }
    self.number = number
    self.text = text
    isIndented = begin.startIndex > text.startIndex && text.first == 0x09
    readWords(of: rest, most: most)
  }

  /// Finds the offset anywhere in a line of a log. The line is read to its end only where the offset is the one, and near the
  /// end: a line may be as long as the file.
  /// - Parameter isExpected: true for the offsets with which the dump goes on; another one has to stand out.
  init?(inLog text: ArraySlice<UInt8>, _ number: Int, isExpected: (UInt64) -> Bool) {
    var best: DumpLine?
    var wasBlank = true
    for place in text.indices {
      defer { wasBlank = Self.isBlank(text[place]) }
      let isNear = text.endIndex - place <= Self.longestInLog
      guard wasBlank, Hex.value(of: text[place]) != nil,
        let found = DumpLine(text, number, at: place, most: isNear ? .max : 2), !found.isAddress,
        let value = found.value(16)
      else { continue }
      let isPair = found.words.first.map { $0.count == 2 || found.isMarked } ?? false
      if isExpected(value), isPair, found.words.count > 1 || found.standsOut {
        guard let whole = DumpLine(text, number, at: place) else { return nil }
        self = whole
        return
      }
      if best == nil, isNear, found.standsOut, isPair { best = found }
    }
    guard let best else { return nil }
    self = best
  }

  private mutating func readWords(of rest: ArraySlice<UInt8>, most: Int) {
    var place = rest.startIndex
    while words.count < most {
      let gap = rest[place...].prefix { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
      let following = rest[gap.endIndex...]
      let isEnd =
        following.first.map { "|>#;".utf8.contains($0) } ?? true || gap.count > 1 || gap.first == 0x09
      if isEnd, !words.isEmpty || following.isEmpty { ends.append(words.count) }
      let prefix = following.starts(with: "0x".utf8) ? 2 : 0
      let digits = following.dropFirst(prefix).prefix { Hex.value(of: $0) != nil }
      guard !digits.isEmpty, digits.count % 2 == 0 else { return }
      var after = rest[digits.endIndex...]
      // OpenSSL joins the two halves of a line, also where the second one is empty.
      let isJoined = after.first == UInt8(ascii: "-")
      let second = after.dropFirst().first
      if isJoined, second.map({ Hex.value(of: $0) != nil }) ?? false {
        after = after.dropFirst()
      } else if isJoined, words.count == 7, second.map(Self.isBlank) ?? true {
        after = after.dropFirst()
      } else {
        guard after.first.map({ Self.isBlank($0) || $0 == UInt8(ascii: ",") }) ?? true else { return }
      }
      words.append(rest[following.startIndex..<digits.endIndex])
      place = after.startIndex
    }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// The offset with this base; nil where it has other digits, or is too large.
  func value(_ radix: UInt64) -> UInt64? {
    var value: UInt64 = 0
    for byte in offset {
      guard let digit = Hex.value(of: byte), digit < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      guard !overflow else { return nil }
      value = product &+ UInt64(digit)
    }
    return value
  }

  /// True where the first word can only be an offset: it is marked or has seven digits, as od's, or the line ends with
  /// its bytes as text.
  var standsOut: Bool {
    guard let first = words.first else { return false }
    return isAddress || isMarked || offset.count == 7
      || (first.count == 2 && (text.contains(UInt8(ascii: "|")) || ends.contains { shows($0) }))
  }

  /// The bytes of the first words.
  func bytes(_ count: Int) -> [UInt8] {
    words.prefix(count).flatMap { word in
      Hex.decode(Substring(decoding: word.starts(with: "0x".utf8) ? word.dropFirst(2) : word, as: UTF8.self))
        ?? []
    }
  }

  func byteCount(_ count: Int) -> Int {
    words.prefix(count).reduce(0) { $0 + ($1.starts(with: "0x".utf8) ? $1.count - 2 : $1.count) / 2 }
  }

  /// True where the next line may begin with this offset.
  func mayEnd(at next: UInt64, _ radix: UInt64) -> Bool {
    guard let begin = value(radix) else { return false }
    return ends.contains { begin &+ UInt64(byteCount($0)) == next }
  }

  /// The text after the first words, without the line's end.
  func rest(after count: Int) -> ArraySlice<UInt8> {
    let start = count > 0 ? words[count - 1].endIndex : (words.first?.startIndex ?? text.endIndex)
    var rest = text[start...]
    // OpenSSL's dash in front of a second half that is empty.
    if count == 8, rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    while let last = rest.last, Self.isBlank(last) { rest.removeLast() }
    return rest
  }

  /// The number of words that are bytes.
  /// - Parameter expected: the number of bytes by the next line's offset. Without it the text beside the bytes tells,
  ///   or else the gap after words of one size.
  /// - Returns: nil where the line has something other than bytes and text.
  func end(expected: UInt64?) -> Int? {
    if let expected, let count = ends.last(where: { byteCount($0) == expected }) { return count }
    if let count = ends.last(where: { $0 > 0 && shows($0) }) { return count }
    guard let count = ends.last(where: { isOfOneSize($0) }) else { return nil }
    // Words of the same size are not the text of these bytes, unless as many characters stand there.
    let rest = rest(after: count).drop(while: Self.isBlank)
    if count < words.count, count > 0, words[count].count == words[count - 1].count,
      !(0...1).contains(rest.count - byteCount(count))
    {
      return nil
    }
    return count
  }

  /// True for words of the first one's size, close together; the last may be shorter.
  private func isOfOneSize(_ count: Int) -> Bool {
    guard let size = words.first?.count else { return true }
    let isClose = zip(words, words.dropFirst()).prefix(max(0, count - 1)).allSatisfy {
      $1.startIndex - $0.endIndex <= 3
    }
    return (isClose || isAddress) && words.prefix(max(0, count - 1)).allSatisfy { $0.count == size }
      && (count == 0 || words[count - 1].count <= size)
  }

  /// True where the text after the first words shows their bytes.
  func shows(_ count: Int) -> Bool { Self.shows(rest(after: count), bytes(count)) }

  /// True where a text has a character for each byte: itself if it is printable, else one that is no letter or digit.
  /// Bars may stand around it, and a space in its middle.
  static func shows(_ rest: ArraySlice<UInt8>, _ bytes: [UInt8]) -> Bool {
    let inner = rest.drop(while: isBlank)
    guard let first = inner.first, !bytes.isEmpty else { return false }
    var text = Array(String(decoding: rest, as: UTF8.self).unicodeScalars)
    let closing: [UInt8: Unicode.Scalar] = [UInt8(ascii: "|"): "|", UInt8(ascii: ">"): "<"]
    if let end = closing[first], inner.count > 1, text.last == end {
      text = Array(text[(rest.count - inner.count + 1)...].dropLast())
      return matches(text[...], bytes)
    }
    // Spaces in front may be of the text.
    return (0...(rest.count - inner.count)).reversed().contains { matches(text[$0...], bytes) }
  }

  private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ bytes: [UInt8]) -> Bool {
    var text = Array(text)
    if text.count > 8, text.count == bytes.count + 1 || (bytes.count > text.count && text[8] == " ") {
      guard text[8] == " " else { return false }
      if text.count > bytes.count || bytes[8] != 0x20 { text.remove(at: 8) }
    }
    guard text.count <= bytes.count else { return false }
    // Spaces at the end of a line get lost.
    guard bytes[text.count...].allSatisfy({ $0 == 0x20 }) else { return false }
    return zip(text, bytes).allSatisfy { character, byte in
      if character.value == UInt32(byte) { return true }
      let isAlphanumeric = isLetterOrDigit(byte)
      if (0x20..<0x7F).contains(byte) { return character == "." && !isAlphanumeric }
      return !character.isASCII || !isLetterOrDigit(UInt8(truncatingIfNeeded: character.value))
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
