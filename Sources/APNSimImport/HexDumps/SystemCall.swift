/// A call that wrote or read bytes, as strace prints it, perhaps after a process and a time.
///
/// ```text
/// [pid 4711] 12:00:00 sendto(3, "\1\0\0\0"..., 45, 0, NULL, 0) = 45
/// writev(3, [{iov_base="\1\0", iov_len=2}, {iov_base="\0\0", iov_len=2}], 2) = 4
/// ```
struct SystemCall {
  let isWrite: Bool
  let descriptor: ArraySlice<UInt8>
  /// The insides of the strings, several where bytes were gathered.
  let strings: [ArraySlice<UInt8>]
  /// True where dots stand after a string, or in place of one.
  let isCut: Bool
  /// The value that the call returned; nil where that is not in the line.
  let result: Int?

  private static let names: [(call: [UInt8], isWrite: Bool)] = [
    (Array("writev(".utf8), true), (Array("sendmsg(".utf8), true),
    (Array("readv(".utf8), false), (Array("recvmsg(".utf8), false),
    (Array("write(".utf8), true), (Array("sendto(".utf8), true), (Array("send(".utf8), true),
    (Array("read(".utf8), false), (Array("recvfrom(".utf8), false), (Array("recv(".utf8), false),
  ]
  /// The most bytes of a line in front of the call.
  private static let longestPrefix = 256

  /// - Returns: nil for any other line.
  init?(of line: ArraySlice<UInt8>) {
    let start = line.prefix(Self.longestPrefix)
    guard let open = start.firstIndex(of: UInt8(ascii: "(")),
      let name = Self.names.first(where: { name in
        let begin = open + 1 - name.call.count
        return begin >= line.startIndex && line[begin...].starts(with: name.call)
          && (begin == line.startIndex || line[begin - 1] == 0x20 || line[begin - 1] == 0x09)
      })
    else { return nil }
    let digits = line[(open + 1)...].prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    // strace -y names the file after the descriptor.
    var rest = line[digits.endIndex...]
    if rest.first == UInt8(ascii: "<"), let end = rest.firstRange(of: Array(">, \"".utf8)) {
      rest = rest[(end.lowerBound + 1)...]
    }
    (isWrite, descriptor) = (name.isWrite, digits)
    let isGathered = rest.starts(with: ", [{".utf8) || rest.starts(with: ", {".utf8)
    guard isGathered || rest.starts(with: ", \"".utf8) else { return nil }
    let begin = Array((isGathered ? "iov_base=\"" : ", \"").utf8)
    var (strings, isCut, after) = ([ArraySlice<UInt8>](), false, rest)
    while let found = after.firstRange(of: begin) {
      let inside = after[found.upperBound...]
      guard let end = Self.end(of: inside) else { return nil }
      strings.append(inside[..<end])
      after = inside[(end + 1)...]
      isCut = isCut || after.starts(with: "...".utf8)
      guard isGathered else { break }
    }
    // More elements than strace shows.
    if isGathered, after.firstRange(of: Array("...]".utf8)) != nil { isCut = true }
    guard !strings.isEmpty else { return nil }
    (self.strings, self.isCut) = (strings, isCut)
    let mark = Array(") = ".utf8)
    let value = after.firstRange(of: mark).map { after[$0.upperBound...].prefix { $0 != 0x20 && $0 != 0x0D } }
    result = value.flatMap { Int(String(decoding: $0.prefix(20), as: UTF8.self)) }
  }

  /// The place of the quote that ends a string.
  private static func end(of text: ArraySlice<UInt8>) -> Int? {
    var isEscaped = false
    for (index, byte) in zip(text.indices, text) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        return index
      }
    }
    return nil
  }
}

/// The line with which OpenSSL announces bytes.
///
/// ```text
/// write to 0x55d [0x55e] (94 bytes => 94 (0x5E))
/// <<< TLS 1.2, Handshake [length 0057], ServerHello
/// ```
struct DumpHeader {
  let isWrite: Bool
  /// True for what -msg prints.
  let isOfMessage: Bool
  /// True for a message of a TLS handshake.
  let isHandshake: Bool
  let byteCount: Int

  init?(_ line: ArraySlice<UInt8>) {
    let text = line.prefix(200)
    func number(after mark: String, _ radix: Int) -> Int? {
      text.firstRange(of: Array(mark.utf8)).flatMap { range in
        let word = text[range.upperBound...].prefix {
          $0 != 0x20 && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: ")")
        }
        return Int(String(decoding: word, as: UTF8.self), radix: radix)
      }
    }
    isWrite = text.starts(with: "write to ".utf8) || text.starts(with: ">>> ".utf8)
    guard isWrite || text.starts(with: "read from ".utf8) || text.starts(with: "<<< ".utf8) else {
      return nil
    }
    isOfMessage = text.starts(with: ">>> ".utf8) || text.starts(with: "<<< ".utf8)
    guard let count = isOfMessage ? number(after: "[length ", 16) : number(after: " bytes => ", 10) else {
      return nil
    }
    isHandshake = isOfMessage && text.firstRange(of: Array(" Handshake [".utf8)) != nil
    byteCount = max(0, count)
  }
}
