/// Recognises the protocol of a peer that does not speak TLS, from the first bytes it sent.
enum FirstBytes {
  /// The number of bytes that are kept.
  static let limit = 24

  struct Finding {
    var kind: TLSError.Kind
    var text: String
  }

  /// Classifies the first bytes; `nil` when they may be the start of a TLS or SSL 2 handshake.
  static func judge(_ bytes: [UInt8]) -> Finding? {
    guard let first = bytes.first else { return nil }
    if first == 0x16 || first == 0x15 { return nil }
    if first >= 0x80, bytes.count < 3 || bytes[2] == 1 { return nil }
    let start = "expected a TLS ClientHello, found"
    if httpMethods.contains(where: { bytes.starts(with: $0.utf8) }) {
      let line = printable(bytes.prefix { $0 != 13 && $0 != 10 })
      return Finding(kind: .plainHTTP, text: "\(start) \"\(line)\": a plain HTTP request on a TLS port")
    }
    if looksLikeFrame(bytes) {
      return Finding(
        kind: .plainFrames,
        text: "\(start) \(Hexadecimal.text(bytes.prefix(8))): a command \(first) frame sent without TLS"
      )
    }
    if bytes.prefix(8).allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 13 || $0 == 10 || $0 == 9 }) {
      return Finding(kind: .notTLS, text: "\(start) the text \"\(printable(bytes[...]))\"")
    }
    return Finding(kind: .notTLS, text: "\(start) the bytes \(Hexadecimal.text(bytes.prefix(8)))")
  }

  private static let httpMethods = [
    "GET ", "POST ", "PUT ", "HEAD ", "OPTIONS ", "DELETE ", "PATCH ", "CONNECT ", "TRACE ", "PRI * HTTP",
  ]

  /// True for commands 0 and 1 with a token of 32 bytes, and for command 2 with a frame below 64 KiB.
  private static func looksLikeFrame(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0: bytes.starts(with: [0, 0, 32])
    case 1: bytes.count < 11 || bytes[9...10] == [0, 32]
    case 2: bytes.starts(with: [2, 0, 0])
    default: false
    }
  }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x20..<0x7f).contains($0) && $0 != 0x22 ? $0 : 0x2e }, as: UTF8.self)
  }
}
