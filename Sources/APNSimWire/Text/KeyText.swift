/// Private keys in texts: whatever people give in the place of a file's name, and no message may show.
///
/// A key is PEM, with line breaks of any kind or none, or the Base64 of its DER.
package enum KeyText {
  /// The words in the place of a key.
  package static let words = "a private key (not shown)"
  /// The most bytes of a value that is shown, which are those of a path.
  private static let longest = 4096

  /// True if a text has a private key in it.
  package static func hasKey(_ text: some StringProtocol) -> Bool {
    !places(in: Array(text.utf8), withLines: false).isEmpty
  }

  /// True if a text has the mark of a private key in PEM.
  package static func hasMark(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { isMark(in: bytes, at: $0) }
  }

  /// A value as a message says what was found: in quotes, unless it is a key, or longer than anything that was meant.
  package static func found(_ value: String) -> String {
    if hasKey(value) { return words }
    return value.utf8.count > longest ? "\(value.utf8.count) bytes" : "\"\(value)\""
  }

  /// A text with words in the place of each key.
  /// - Parameter withLines: also of what is as long as a line of PEM, and looks like one.
  package static func hidden(_ text: String, withLines: Bool) -> String {
    let bytes = Array(text.utf8)
    let places = places(in: bytes, withLines: withLines)
    guard !places.isEmpty else { return text }
    var shown: [UInt8] = []
    var start = 0
    for place in places {
      shown += bytes[start..<place.lowerBound] + Array(words.utf8)
      start = place.upperBound
    }
    return String(decoding: shown + bytes[start...], as: UTF8.self)
  }

  /// The places of keys, in order.
  private static func places(in text: [UInt8], withLines: Bool) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place < text.count {
      if let end = endOfPEM(in: text, from: place) {
        found.append(place..<end)
        place = end
      } else if isDigit(text[place]) {
        let run = place..<endOfRun(in: text, from: place)
        let isSecret = isKey(text[run]) || withLines && isLine(text[run])
        if isSecret { found.append(run.lowerBound..<endOfLines(in: text, from: run.upperBound)) }
        place = isSecret ? found[found.count - 1].upperBound : run.upperBound
      } else {
        place += 1
      }
    }
    return found
  }

  // MARK: PEM

  private static let begin = Array("-----BEGIN".utf8)
  private static let end = Array("-----END".utf8)
  private static let dashes = Array("-----".utf8)
  private static let label = Array("PRIVATE".utf8)

  /// The end of a key in PEM that begins at a place: after its last line, or where it is cut.
  private static func endOfPEM(in text: [UInt8], from start: Int) -> Int? {
    guard isMark(in: text, at: start) else { return nil }
    let body = start + begin.count
    guard let end = text[body...].firstRange(of: end)?.upperBound else {
      let head = text[body...].firstRange(of: dashes)?.upperBound ?? text.count
      return endOfLines(in: text, from: head)
    }
    return text[end...].firstRange(of: dashes)?.upperBound ?? text.count
  }

  private static func isMark(in text: [UInt8], at start: Int) -> Bool {
    guard text[start] == begin[0], text[start...].starts(with: begin) else { return false }
    let body = start + begin.count
    // Between its words there may be whatever a shell has put there.
    return text[body..<min(text.count, body + 64)].firstRange(of: label) != nil
  }

  // MARK: Base64

  /// The fewest digits that are a key's, and those of a line of PEM.
  private static let (fewest, line) = (40, 64)

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
    default: false
    }
  }

  private static func endOfRun(in text: [UInt8], from start: Int) -> Int {
    text[start...].firstIndex { !isDigit($0) } ?? text.count
  }

  /// The end of further lines of digits after a place, with line breaks of any kind between them and escaped slashes in them.
  private static func endOfLines(in text: [UInt8], from start: Int) -> Int {
    var end = start
    while true {
      var next = end
      while next < text.count, let count = separator(in: text, at: next) { next += count }
      let run = endOfRun(in: text, from: next)
      guard run > next else { return end }
      end = run
    }
  }

  /// The bytes of white space, of its escape, or before an escaped slash; nil for anything else.
  private static func separator(in text: [UInt8], at place: Int) -> Int? {
    if text[place] <= UInt8(ascii: " ") { return 1 }
    guard text[place] == UInt8(ascii: "\\"), place + 1 < text.count else { return nil }
    switch text[place + 1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return 2
    case UInt8(ascii: "/"), UInt8(ascii: "\\"): return 1
    default: return nil
    }
  }

  /// True for the Base64 of a sequence that begins with a version: PKCS#8 (0), a key of an elliptic curve (1), RSA (0) and
  /// PKCS#12 (3).
  private static func isKey(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count >= fewest else { return false }
    var head: [UInt8] = []
    guard Array(run.prefix(12)).withUnsafeBytes({ Base64.decode($0, into: &head) }), head[0] == 0x30 else {
      return false
    }
    let start = head[1] < 0x80 ? 2 : 2 + Int(head[1] & 0x7F)
    guard start + 3 <= head.count else { return false }
    return head[start] == 0x02 && head[start + 1] == 0x01 && [0, 1, 3].contains(head[start + 2])
  }

  private static func isLine(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count == line, run.first != UInt8(ascii: "/") else { return false }
    let isBeyondHex = run.contains { 0x67...0x7A ~= $0 || 0x47...0x5A ~= $0 }
    return isBeyondHex && run.contains { 0x41...0x5A ~= $0 } && run.contains { 0x61...0x7A ~= $0 }
      && run.contains { 0x30...0x39 ~= $0 }
  }
}
