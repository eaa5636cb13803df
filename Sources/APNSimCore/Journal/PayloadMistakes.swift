import APNSimWire

/// The usual mistakes in a payload and its length, told by where the payload ends. Each answer is a hint.
struct PayloadMistakes {
  let payload: UnsafeRawBufferPointer
  let carrier: Carrier
  /// The bytes of the frame after the payload: only command 2 has some.
  var following = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The thing that a payload came in, with the most bytes that it may have there.
  enum Carrier {
    case frame(command: UInt8, limit: Int)
    case request(limit: Int)
  }

  /// The mistake behind a problem; nil where there is nothing better to say than what the rules expect.
  func hint(about verdict: PayloadVerdict) -> String? {
    if let compressed { return compressed }
    if let cut { return cut }
    switch verdict.problem {
    case .byteOrderMark: return "write the payload without a byte order mark"
    case .expectedEnd: return surplus(from: verdict.offset)
    case .expectedFirstKey where byte(verdict.offset) == 0x27,
      .expectedKey where byte(verdict.offset) == 0x27:
      return "JSON has double quotes: this looks like a dictionary that a language printed"
    case .expectedFirstKey where byte(verdict.offset) == 0x5C,
      .expectedRoot where byte(verdict.offset) == 0x5C:
      return "the quotes are escaped: it looks encoded twice"
    case .rootNotObject where payload.first == 0x22: return "the payload is a string: it looks encoded twice"
    case .invalidUTF8: return otherEncoding(at: verdict.offset)
    case .rootNotObject where byte(verdict.offset) == 0x5B: return array
    case .apsMissing: return missingAPS
    case .apsNotObject where payload[verdict.offset...].starts(with: [0x22, 0x7B]):
      return "'aps' is a string: it looks encoded twice"
    case .apsNotObject where byte(verdict.offset) == 0x22:
      return "a text alone is the alert: {\"aps\":{\"alert\":\"…\"}}"
    case .expectedRoot where isForm: return "it looks like a form: the payload is the body itself, as JSON"
    case .badgeType, .contentAvailableType: return textualNumber(at: verdict.offset)
    case .controlCharacter: return "a line break inside a text is \\n in JSON"
    default: return nil
    }
  }

  /// The mistake behind a payload that is no text: its compression.
  private var compressed: String? {
    guard payload.count > 2 else { return nil }
    switch (payload[0], payload[1]) {
    case (0x1F, 0x8B): return "the payload is compressed by gzip: send the JSON itself"
    case (0x78, 0x01), (0x78, 0x5E), (0x78, 0x9C), (0x78, 0xDA):
      return "the payload is compressed by zlib: send the JSON itself"
    default: return nil
    }
  }

  /// True for text with a name, `=` and a value.
  private var isForm: Bool {
    let name = payload.prefix { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x5F }
    return !name.isEmpty && byte(name.endIndex) == 0x3D
  }

  /// The mistake behind a payload whose length ends it too early; nil for one that is whole or ends otherwise.
  var cut: String? {
    let verdict = PayloadJudge.judge(payload)
    guard !verdict.problem.isJSON, payload.first == 0x7B, isUnfinished(verdict) else { return nil }
    if let end = trueCount {
      let declared = "the payload goes on where its length, \(payload.count), ends: it has \(end) bytes"
      if end & 0xFF == payload.count { return "\(declared), of which only the low byte was written" }
      return "\(declared)\(isCountOfCharacters(in: end) ? ", as many characters as the length says" : "")"
    }
    return cutWithoutEnd
  }

  /// The mistake behind a payload that ends too early, whose end is not there either.
  private var cutWithoutEnd: String {
    let hasWideCharacters = payload.contains { $0 >= 0x80 }
    switch carrier {
    case .frame(let command, let limit) where payload.count == limit:
      return
        "the payload is cut at the most that command \(command) allows: shorten its text before encoding it"
    case .request(let limit) where payload.count == limit:
      return "the payload is cut at the most that a push may have: shorten its text before encoding it"
    case .frame where hasWideCharacters:
      return
        "the payload is cut: its length, \(payload.count), looks counted in characters; count the bytes of its UTF-8"
    case .request where hasWideCharacters:
      return
        "the payload is cut after \(payload.count) bytes: that looks counted in characters; count the bytes of its UTF-8"
    case .frame:
      return """
        the payload is cut where its length, \(payload.count), ends it: a length counts every byte, and has two bytes \
        itself
        """
    case .request: return "the payload ends before its JSON does: it is cut after \(payload.count) bytes"
    }
  }

  /// True for a payload that ends before its JSON does, also in the middle of a character.
  private func isUnfinished(_ verdict: PayloadVerdict) -> Bool {
    if verdict.offset >= payload.count { return true }
    guard verdict.problem == .invalidUTF8, payload.count - verdict.offset < 4 else { return false }
    let lead = payload[verdict.offset]
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1
    return payload.count - verdict.offset < count
      && payload[(verdict.offset + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
  }

  /// The number of bytes to the end of the JSON that the payload begins, if the frame has its end.
  private var trueCount: Int? {
    following.count > 0 ? endOfObject(Array(payload) + Array(following)) : nil
  }

  /// The number of bytes of the JSON object that the bytes begin with; nil where it does not end.
  private func endOfObject(_ bytes: [UInt8]) -> Int? {
    var (depth, isInText, isEscaped) = (0, false, false)
    for (index, byte) in bytes.enumerated() {
      if isEscaped {
        isEscaped = false
      } else if isInText {
        if byte == 0x5C { isEscaped = true } else if byte == 0x22 { isInText = false }
      } else {
        switch byte {
        case 0x22: isInText = true
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D: depth -= 1
        default: break
        }
        if depth == 0 { return index + 1 }
      }
    }
    return nil
  }

  private func isCountOfCharacters(in count: Int) -> Bool {
    let text = String(
      decoding: Array(payload) + Array(following.prefix(count - payload.count)),
      as: UTF8.self
    )
    return text.unicodeScalars.count == payload.count || text.utf16.count == payload.count
      || text.count == payload.count
  }

  /// The mistake behind a byte that is none of UTF-8: the text is JSON in the encoding with a byte for each character.
  private func otherEncoding(at offset: Int) -> String? {
    guard let wrong = byte(offset), wrong >= 0x80 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(2 * payload.count)
    for byte in payload { text += byte < 0x80 ? [byte] : [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
    guard text.withUnsafeBytes({ PayloadJudge.judge($0).problem.isJSON }) else { return nil }
    let digits = Hex.encode([wrong])
    return wrong < 0xA0
      ? "\(digits) is a character of Windows-1252, not UTF-8: encode the payload in UTF-8"
      : "\(digits) is \(Character(Unicode.Scalar(wrong))) in Latin-1 (ISO 8859-1): encode the payload in UTF-8"
  }

  /// The mistake behind a value that is no number: one written as a text, or as a Boolean.
  private func textualNumber(at offset: Int) -> String? {
    guard offset < payload.count else { return nil }
    let rest = payload[offset...]
    if rest.starts(with: "true".utf8) { return "write 1 in place of true" }
    if rest.starts(with: "false".utf8) { return "write 0 in place of false, or leave it out" }
    let digits = rest.dropFirst().prefix(20).prefix { (0x30...0x39).contains($0) }
    guard rest.first == 0x22, !digits.isEmpty, byte(digits.endIndex) == 0x22 else { return nil }
    return "a number as text: write \(String(decoding: digits, as: UTF8.self)) without quotes"
  }

  /// The mistake behind bytes after the end of the JSON.
  private func surplus(from offset: Int) -> String? {
    guard offset < payload.count else { return nil }
    let rest = payload[offset...]
    if rest.allSatisfy({ $0 == 0 }) {
      return
        "the length counts \(Number.counted(rest.count, "zero byte")) after the text: leave the terminator out"
    }
    if case .frame = carrier, let first = rest.first, first <= 2 {
      return
        "the length is \(rest.count) too large: what follows the payload looks like the next notification"
    }
    return nil
  }

  private func byte(_ offset: Int) -> UInt8? { offset < payload.count ? payload[offset] : nil }
}
