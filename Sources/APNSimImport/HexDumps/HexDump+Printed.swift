import APNSimWire

/// Bytes as tools print them in the middle of other text:
///
/// ```text
/// write(3, "\1\0\0"…, 45) = 45                  strace
/// write to 0x55d [0x55e] (2 bytes => 2 (0x2))   openssl s_client -debug, with rows of a dump
/// >>> TLS 1.2, Handshake [length 0002]          openssl s_client -msg, with rows of digits
/// {length = 2, bytes = 0x0100}, <0100>          NSData
/// [1, 0, -1], (byte) 0x01, -1                   Java
/// {"type":"Buffer","data":[1,0]}                Node
/// AQA=                                          Base64
/// ```
extension HexDump {
  static func isPrinted(_ text: ArraySlice<UInt8>) -> Bool {
    lines(of: text).contains { SystemCall(of: $0) != nil || DumpHeader($0) != nil } || dataBytes(text) != nil
      || numbers(text) != nil || bufferJSON(text) != nil || base64(text) != nil
  }

  /// The pieces of a text of OpenSSL or strace; nil for any other.
  /// - Throws: `Failure` where a tool has left bytes out, or prints other bytes than it says, or TLS records.
  static func pieces(ofTrace text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    if let pieces = try sections(text) { return pieces }
    return try calls(text)
  }

  /// The pieces of any other text of this kind; nil for one of another kind.
  /// - Throws: `Failure` where a tool has left bytes out, or prints other bytes than it says.
  static func pieces(ofPrinted text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    if let data = dataBytes(text) { return [Piece(bytes: try bytes(ofData: data, text))] }
    return (numbers(text) ?? bufferJSON(text) ?? base64(text)).map { [Piece(bytes: $0)] }
  }

  // MARK: strace

  private static func calls(_ text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    var pieces: [Piece] = []
    var descriptor: ArraySlice<UInt8>?
    for (index, line) in lines(of: text).enumerated() {
      guard let call = SystemCall(of: line) else { continue }
      let number = index + 1
      // A call that failed has moved nothing.
      if call.result.map({ $0 < 0 }) ?? false { continue }
      if let descriptor, descriptor != call.descriptor {
        throw Failure(
          line: number,
          message:
            "the bytes of one stream were expected, found a call on descriptor \(show(call.descriptor)) "
            + "after one on descriptor \(show(descriptor))",
          hint:
            "keep the lines of one of them: grep '(\(show(descriptor))[,<]' or '(\(show(call.descriptor))[,<]'"
        )
      }
      descriptor = call.descriptor
      guard !call.isCut else {
        throw Failure(
          line: number,
          message: "all bytes were expected, found a string that strace has cut",
          hint: "strace -s 65536 -xx prints all"
        )
      }
      var bytes: [UInt8] = []
      for string in call.strings { bytes += try unescaped(string, text) }
      let count = call.result ?? bytes.count
      guard count <= bytes.count else {
        throw Failure(
          line: number,
          message: "\(count) bytes were expected, as the call returned, found \(bytes.count)"
        )
      }
      pieces.append(Piece(isIndented: !call.isWrite, bytes: Array(bytes.prefix(count))))
    }
    return pieces.isEmpty ? nil : pieces
  }

  // MARK: OpenSSL

  private static func sections(_ text: ArraySlice<UInt8>) throws(Failure) -> [Piece]? {
    let all = lines(of: text)
    // The output of -msg is part of that of -debug.
    let isDebug = all.contains { DumpHeader($0)?.isOfMessage == false }
    if let line = lineOfTLS(all) {
      throw ofTLS("the TLS records and handshake messages that openssl s_client -debug and -msg print", line)
    }
    var pieces: [Piece] = []
    var (missing, number) = (0, 0)
    for line in all {
      number += 1
      if let header = DumpHeader(line), header.isOfMessage != isDebug {
        guard missing == 0 else {
          throw Failure(line: number, message: "\(missing) more bytes were expected")
        }
        pieces.append(Piece(isIndented: !header.isWrite))
        missing = header.byteCount
      } else if missing > 0, !isEmpty(line) {
        let bytes = try row(line, number, missing, isDebug)
        pieces[pieces.count - 1].bytes += bytes
        missing -= bytes.count
      }
    }
    guard missing == 0 else { throw Failure(line: number, message: "\(missing) more bytes were expected") }
    return pieces.contains { !$0.bytes.isEmpty } ? pieces : nil
  }

  /// The line that announces a handshake message, or that a direction begins with a TLS record.
  private static func lineOfTLS(_ lines: Pieces) -> Int? {
    var begun: Set<Bool> = []
    var header: (number: Int, DumpHeader)?
    for (index, line) in lines.enumerated() {
      if let next = DumpHeader(line) {
        if next.isHandshake { return index + 1 }
        header = next.byteCount > 0 && !begun.contains(next.isWrite) ? (index + 1, next) : nil
      } else if let (number, found) = header, !isEmpty(line) {
        let bytes =
          found.isOfMessage
          ? (try? plain(line.prefix(longestRow), in: line)) ?? []
          : DumpLine(line, 0, most: 3).map { $0.bytes(3) } ?? []
        if TLSRecordHeader.begins(bytes[...]) { return number }
        begun.insert(found.isWrite)
        header = nil
      }
    }
    return nil
  }

  /// The most bytes of a row of -msg.
  private static let longestRow = 64

  private static func row(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ missing: Int,
    _ isDebug: Bool
  ) throws(Failure) -> [UInt8] {
    if line.firstRange(of: Array("<SPACES/NULS>".utf8)) != nil {
      throw Failure(
        line: number,
        message:
          "all bytes were expected, found that OpenSSL has left out \(missing) at the end, spaces or NULs"
      )
    }
    guard isDebug else {
      let bytes = try plain(line, in: line)
      guard bytes.count <= missing else {
        throw Failure(line: number, message: "\(missing) bytes were expected, found \(bytes.count)")
      }
      return bytes
    }
    guard let row = DumpLine(line, number),
      let end = row.end(expected: UInt64(min(16, missing))) ?? row.end(expected: nil),
      case let bytes = row.bytes(end), !bytes.isEmpty, bytes.count <= missing
    else { throw Failure(line: number, message: "\(missing) more bytes were expected") }
    return bytes
  }

  // MARK: NSData

  /// The digits of a description of NSData: all of `<0100 00>`, or those after `bytes =`; and the length that it says.
  private static func dataBytes(_ text: ArraySlice<UInt8>) -> (digits: ArraySlice<UInt8>, count: Int?)? {
    let trimmed = trimmed(text)
    if trimmed.first == UInt8(ascii: "<"), trimmed.last == UInt8(ascii: ">"), trimmed.count > 3 {
      let inner = trimmed.dropFirst().dropLast()
      let isData = inner.allSatisfy { Hex.value(of: $0) != nil || isSpace($0) || $0 == UInt8(ascii: ".") }
      return isData ? (inner, nil) : nil
    }
    guard let length = text.firstRange(of: Array("length = ".utf8)),
      case let digits = text[length.upperBound...].prefix(10).prefix(while: { (0x30...0x39).contains($0) }),
      let count = Int(String(decoding: digits, as: UTF8.self)),
      case let rest = text[digits.endIndex...],
      case let mark = Array(", bytes = 0x".utf8), rest.starts(with: mark)
    else { return nil }
    return (rest.dropFirst(mark.count).prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ")") }, count)
  }

  private static func bytes(
    ofData data: (digits: ArraySlice<UInt8>, count: Int?),
    _ text: ArraySlice<UInt8>
  ) throws(Failure) -> [UInt8] {
    if let cut = data.digits.firstRange(of: Array("...".utf8)) ?? data.digits.firstRange(of: Array("…".utf8))
    {
      let place = place(of: cut.lowerBound, in: text)
      throw Failure(
        line: place.line,
        column: place.column,
        message: "all bytes were expected, found \"\(show(data.digits[cut.lowerBound...]))\"",
        hint: "the description of NSData shows 24 bytes; base64EncodedString() gives all"
      )
    }
    let bytes = try plain(data.digits, in: text)
    if let count = data.count, count != bytes.count {
      throw Failure(
        line: place(of: data.digits.startIndex, in: text).line,
        message: "\(count) bytes were expected, as the length says, found \(bytes.count)"
      )
    }
    return bytes
  }

  // MARK: Numbers

  /// The bytes of a list of numbers as Java and C have them: hex after `0x`, the others decimal, below zero as well.
  /// - Returns: nil for a text of something else, and where the numbers could be pairs of hex digits.
  /// - Parameter isList: true for the inside of a list in source code, where a single digit is a number, too.
  static func numbers(_ text: ArraySlice<UInt8>, isList: Bool = false) -> [UInt8]? {
    var rest = trimmed(text)
    var isList = isList
    if rest.last == UInt8(ascii: ";") { rest = trimmed(rest.dropLast()) }
    for (open, close) in [("[", "]"), ("{", "}")]
    where rest.first == open.utf8.first && rest.last == close.utf8.first && rest.count > 1 {
      rest = rest.dropFirst().dropLast()
      isList = true
    }
    guard isList || rest.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "(") }) else {
      return nil
    }
    var bytes: [UInt8] = []
    var areNumbers = false
    while true {
      rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { return areNumbers ? bytes : nil }
      if rest.first == UInt8(ascii: "(") {
        let casts = ["(byte)", "(sbyte)", "(char)", "(uint8_t)", "(unsigned char)"]
        guard let cast = casts.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
        rest = rest.dropFirst(cast.utf8.count).drop(while: isSpace)
        areNumbers = true
      }
      let word = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ",") }
      guard !word.isEmpty, word.count <= 4 else { return nil }
      let text = String(decoding: word, as: UTF8.self)
      if text.hasPrefix("0x") || text.hasPrefix("0X") {
        guard let byte = UInt8(text.dropFirst(2), radix: 16) else { return nil }
        bytes.append(byte)
        if isList, word.count == 3 { areNumbers = true }
      } else {
        guard let value = Int(text), (-128...255).contains(value) else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: value))
        if value < 0 || (isList && word.count != 2) { areNumbers = true }
      }
      rest = rest[word.endIndex...]
    }
  }

  // MARK: Base64

  /// The bytes of a text that is Base64 alone and begins as the protocol does; nil where it could be something else.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let text = trimmed(text)
    guard text.contains(where: { Hex.value(of: $0) == nil && !isSpace($0) }) else { return nil }
    let isAlone = text.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x0A, 0x0D, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isAlone, let bytes = bytes(ofBase64: text.filter { !isSpace($0) }) else { return nil }
    let isFrame =
      switch bytes.first {
      case 0: bytes.dropFirst().starts(with: [0, 32])
      case 1: bytes.dropFirst(9).starts(with: [0, 32])
      case 2: bytes.dropFirst(5).first.map { (1...5).contains($0) } ?? false
      case 8: bytes.count == 6
      default: false
      }
    return isFrame ? bytes : nil
  }

  /// The bytes of Base64 in either alphabet (RFC 4648, sections 4 and 5), with padding or without.
  package static func bytes(ofBase64 digits: [UInt8]) -> [UInt8]? {
    var standard = digits.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    if (2...3).contains(standard.count % 4) {
      standard += repeatElement(UInt8(ascii: "="), count: 4 - standard.count % 4)
    }
    return Base64.decode(String(decoding: standard, as: UTF8.self))
  }

  // MARK: JSON

  /// The bytes of Node's `JSON.stringify(buffer)`: `{"type":"Buffer","data":[1,0]}`.
  private static func bufferJSON(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let mark = Array(#""Buffer""#.utf8)
    guard text.first(where: { !isSpace($0) }) == UInt8(ascii: "{"), text.firstRange(of: mark) != nil,
      let value = try? JSONValue.parse(text), value.member("type")?.stringValue == "Buffer",
      let data = value.member("data")?.arrayValue
    else { return nil }
    let bytes = data.compactMap { $0.intValue.flatMap { UInt8(exactly: $0) } }
    return bytes.count == data.count ? bytes : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { DumpLine.isBlank(byte) || byte == 0x0A }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}
