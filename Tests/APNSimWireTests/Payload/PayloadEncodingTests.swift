import APNSimWire
import Testing

/// UTF-8, UTF-16 and UTF-32 (RFC 4627, section 3).
struct PayloadEncodingTests {
  static let encodings: [PayloadEncoding] = PayloadEncoding.allCases

  @Test(arguments: encodings)
  func `the encoding is detected and the text judged the same`(encoding: PayloadEncoding) {
    let json = #" {"aps":{"alert":"Grüße 😀","badge":3}, "acme":"日本"}"#
    let verdict = judge(encode(json, encoding))
    #expect(verdict.problem == .none)
    #expect(verdict.facts.encoding == encoding)
    #expect(verdict.facts.badge == 3)
    #expect(verdict.facts.insignificantWhitespace == 2 * encoding.width)
  }

  @Test(arguments: encodings)
  func `an offset counts the bytes that were sent`(encoding: PayloadEncoding) {
    let before = #"{"aps":{"alert":"ü😀"},"#
    let verdict = judge(encode(before + "}", encoding))
    #expect(verdict.problem == .expectedKey)
    #expect(verdict.offset == encode(before, encoding).count)
    let end = judge(encode(before, encoding))
    #expect(end.offset == encode(before, encoding).count)
  }

  @Test(arguments: encodings)
  func `a byte order mark has no place in the grammar`(encoding: PayloadEncoding) {
    let verdict = judge(encode("\u{FEFF}" + #"{"aps":{}}"#, encoding))
    #expect(verdict.problem == .byteOrderMark)
    #expect(verdict.problem.category == .encoding)
    #expect(verdict.offset == 0)
  }

  @Test(arguments: encodings)
  func `a trailing null is not part of the text`(encoding: PayloadEncoding) {
    #expect(judge(encode(#"{"aps":{}}"# + "\0", encoding)).problem == .expectedEnd)
  }

  @Test func `a text too short to detect is UTF-8`() {
    for bytes: [UInt8] in [[0], [0, 0], [0, 0, 0], [0x7B, 0], [0x7B, 0, 0x7D], [0, 0, 0, 0]] {
      #expect(judge(bytes).problem.category == .syntax)
    }
    #expect(judge("{}").problem == .apsMissing)
    #expect(judge(encode("{}", .utf16LittleEndian)).problem == .apsMissing)
  }

  static let notUTF8 = [
    "ff", "fe", "80", "bf", "c0 af", "c1 bf", "c2", "c2 22", "c2 c2", "e0 80 af", "e0 9f bf", "e0 a0",
    "e0 a0 22",
    "ed a0 80", "ed bf bf", "ed a0 bd ed b8 80", "ef bf", "f0 80 80 af", "f0 8f bf bf", "f0 9f 98",
    "f0 9f 98 22",
    "f0 9f 22", "f4 90 80 80", "f5 80 80 80", "f8 88 80 80 80", "fc 84 80 80 80 80",
  ]

  @Test(arguments: notUTF8)
  func `malformed UTF-8 is refused where it begins`(text: String) {
    for filler in [0, 1, 6, 7, 8, 9] {
      let before = Array(#"{"aps":{"alert":""#.utf8) + Array(repeating: 0x61, count: filler)
      let verdict = judge(before + hex(text) + Array(#""}}"#.utf8))
      #expect(verdict.problem == .invalidUTF8)
      #expect(verdict.offset == before.count)
      #expect(!judge(before + hex(text)).problem.isJSON)
    }
  }

  @Test(arguments: [
    "c2 80", "df bf", "e0 a0 80", "ed 9f bf", "ee 80 80", "ef bf bf", "f0 90 80 80", "f4 8f bf bf",
  ])
  func `the first and last sequences of each length are fine`(text: String) {
    #expect(judge(Array(#"{"aps":{"alert":""#.utf8) + hex(text) + Array(#""}}"#.utf8)).problem == .none)
  }

  @Test(arguments: ["d8 00 00 22", "dc 00 00 22", "d8 00 d8 00", "d8 00"])
  func `a raw surrogate needs its other half`(units: String) {
    let before = encode(#"{"aps":{"alert":""#, .utf16BigEndian)
    let verdict = judge(before + hex(units))
    #expect(verdict.problem == .unpairedSurrogate)
    #expect(verdict.offset == before.count)
  }

  @Test(arguments: ["00 11 00 00", "00 00 d8 00", "ff ff ff ff"])
  func `a code point must exist`(unit: String) {
    let before = encode(#"{"aps":{"alert":""#, .utf32BigEndian)
    let verdict = judge(before + hex(unit))
    #expect(verdict.problem == .invalidCodePoint)
    #expect(verdict.offset == before.count)
  }

  @Test(arguments: encodings.dropFirst())
  func `half a code unit at the end is refused`(encoding: PayloadEncoding) {
    let bytes = encode(#"{"aps":{}}"#, encoding)
    let verdict = judge(Array(bytes.dropLast()))
    #expect(verdict.problem == .truncatedCodeUnit)
    #expect(verdict.offset == bytes.count - encoding.width)
  }

  private func encode(_ text: String, _ encoding: PayloadEncoding) -> [UInt8] {
    switch encoding {
    case .utf8: Array(text.utf8)
    case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case .utf32BigEndian: text.unicodeScalars.flatMap { bytes($0.value) }
    case .utf32LittleEndian: text.unicodeScalars.flatMap { bytes($0.value).reversed() }
    }
  }

  private func bytes(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
