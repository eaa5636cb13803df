import APNSimWire

/// Bytes as programming languages write them:
///
/// ```text
/// unsigned char frame[] = { 0x01, 0x00 };       xxd -i, debuggers, Wireshark (C arrays)
/// b'\x01\x00'                                   Python
/// <Buffer 01 00>                                Node
/// ```
extension HexDump {
  /// The pieces of a text that is a literal; nil for any other.
  /// - Throws: `Failure` at the first thing in it that is no byte.
  static func pieces(ofLiteral text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    if let inner = quoted(text) { return [Piece(bytes: try unescaped(inner, text))] }
    if let arrays = try arrays(text) { return arrays }
    return try buffers(text)
  }

  // MARK: Arrays

  private static func arrays(_ text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    guard isArray(text) else { return nil }
    let masked = withoutComments(text)
    var pieces: [Piece] = []
    var rest = masked
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      let declaration = rest[..<open]
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) ?? rest.endIndex
      // Wireshark names the side that connected peer0, the other one peer1.
      let isAnswer = declaration.firstRange(of: Array("peer1_".utf8)) != nil
      if !pieces.isEmpty, declaration.firstRange(of: Array("peer".utf8)) == nil {
        throw Failure(
          line: place(of: open, in: text).line,
          message: "a second array: the bytes of one stream were expected",
          hint: "one file for each stream"
        )
      }
      let inside = rest[(open + 1)..<close]
      if let bytes = numbers(inside, isList: true) {
        pieces.append(Piece(isIndented: isAnswer, bytes: bytes))
      } else {
        pieces.append(Piece(isIndented: isAnswer, bytes: try plain(inside, in: masked)))
      }
      rest = rest[close...].dropFirst()
    }
    return pieces
  }

  static func isArray(_ text: ArraySlice<UInt8>) -> Bool {
    text.firstIndex(of: UInt8(ascii: "{")).map { isDeclaration(text[..<$0]) } ?? false
  }

  /// `unsigned char x[] =`, `static const uint8_t frame[75] =`, `byte[] frame = new byte[]`, `[]byte`
  private static func isDeclaration(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count < 1024, text.contains(UInt8(ascii: "[")),
      ["char", "uint8", "byte", "u8"].contains(where: { text.firstRange(of: Array($0.utf8)) != nil })
    else { return false }
    // The text that a dump shows has braces, too.
    var before = withoutComments(text)
    while let last = before.last, DumpLine.isBlank(last) || last == 0x0A { before.removeLast() }
    if before.last == UInt8(ascii: "=") { return true }
    let ends = ["]byte", "]uint8"]
    return ends.contains { before.suffix($0.utf8.count).elementsEqual($0.utf8) }
      || (before.last == UInt8(ascii: "]") && before.firstRange(of: Array("new ".utf8)) != nil)
  }

  /// The text with blanks in place of `/* comments */`, so that lines and columns stay.
  private static func withoutComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var masked = text
    var rest = text
    while let begin = rest.firstRange(of: Array("/*".utf8)) {
      let end = rest[begin.upperBound...].firstRange(of: Array("*/".utf8))?.upperBound ?? rest.endIndex
      for place in begin.lowerBound..<end where text[place] != 0x0A && text[place] != 0x0D {
        masked[place] = 0x20
      }
      rest = rest[end...]
    }
    return masked
  }

  // MARK: Node

  private static func buffers(_ text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    let mark = Array("<Buffer".utf8)
    guard var begin = text.firstRange(of: mark) else { return nil }
    var bytes: [UInt8] = []
    while true {
      let close = text[begin.upperBound...].firstIndex(of: UInt8(ascii: ">")) ?? text.endIndex
      if let left = text[begin.upperBound..<close].firstRange(of: Array("...".utf8)) {
        throw Failure(
          line: place(of: left.lowerBound, in: text).line,
          column: place(of: left.lowerBound, in: text).column,
          message: "all bytes were expected, found \"\(show(text[left.lowerBound..<close]))\"",
          hint: "Node's console.log shows 50 bytes; buffer.toString('hex') gives all"
        )
      }
      bytes += try plain(text[begin.upperBound..<close], in: text)
      guard let next = text[close...].firstRange(of: mark) else { return [Piece(bytes: bytes)] }
      begin = next
    }
  }

  // MARK: Quotes

  /// The inside of a text that is one quoted string of bytes: `b'…'`, `bytearray(b"…")`, `"\x01…"`.
  private static func quoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    func isSpace(_ byte: UInt8) -> Bool { DumpLine.isBlank(byte) || byte == 0x0A }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    for call in ["bytearray(", "bytes("] where text.starts(with: call.utf8) && text.last == UInt8(ascii: ")")
    {
      text = text.dropFirst(call.utf8.count).dropLast()
    }
    let isBytes = text.first == UInt8(ascii: "b")
    if isBytes { text = text.dropFirst() }
    guard let quote = text.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), text.count > 1,
      isBytes || text.dropFirst().first == UInt8(ascii: "\\"), text.last == quote
    else { return nil }
    return text.dropFirst().dropLast()
  }

  static func unescaped(
    _ text: ArraySlice<UInt8>,
    _ whole: ArraySlice<UInt8>
  ) throws(Failure) -> [UInt8] {
    let letters: [UInt8: UInt8] = [
      0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x61: 0x07, 0x62: 0x08, 0x76: 0x0B, 0x66: 0x0C, 0x65: 0x1B,
      0x5C: 0x5C, 0x27: 0x27, 0x22: 0x22,
    ]
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let octal = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
      if let letter = rest.first.flatMap({ letters[$0] }) {
        bytes.append(letter)
        rest = rest.dropFirst()
      } else if rest.first == UInt8(ascii: "x"), rest.count > 2,
        let value = Hex.decode(Substring(decoding: rest.dropFirst().prefix(2), as: UTF8.self))?.first
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else if !octal.isEmpty, let value = UInt8(String(decoding: octal, as: UTF8.self), radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(octal.count)
      } else {
        let found = place(of: rest.startIndex - 1, in: whole)
        throw Failure(
          line: found.line,
          column: found.column,
          message: "an escape such as \\x01 was expected, found \"\\\(show(rest.prefix(3)))\""
        )
      }
    }
    return bytes
  }
}
