import APNSimSystem
import APNSimWire

/// The kinds of content that are somebody's to keep, however an editor or another program has spelled them: with a byte
/// order mark, in UTF-16, after empty lines, comments or other text.
struct KeptContent {
  /// The first bytes of the file, in UTF-8 where they are text.
  private let text: [UInt8]
  private let byteCount: Int64

  /// The most bytes of a file that are looked at.
  private static let mostLooked = 4 << 20

  init(_ file: SystemFile) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < Self.mostLooked {
      let count = file.look(into: &chunk, at: Int64(bytes.count))
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    text = Self.utf8(bytes)
    byteCount = file.knownByteCount
  }

  // MARK: Spellings

  /// A text without its byte order mark; one in UTF-16, which the mark or the zero of the first character tells, in
  /// UTF-8.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard bytes.count > 3 else { return bytes }
    let isLittle =
      isMarked ? bytes[0] == 0xFF : bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0
    let isBig = isMarked ? bytes[0] == 0xFE : bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0
    guard isLittle || isBig else { return bytes }
    let units = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    // Some programs write a mark of their own after it.
    return utf8(Array(String(decoding: units, as: UTF16.self).utf8))
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// The lines without the blanks in front of them.
  private var lines: some Sequence<ArraySlice<UInt8>> {
    text.lazy.split { $0 == 0x0A || $0 == 0x0D }.lazy.map { $0.drop(while: Self.isBlank) }
  }

  // MARK: Key logs

  /// The first words of a key log's lines (NSS key log format, RFC 9850).
  private static let labels = [
    "CLIENT_RANDOM", "CLIENT_EARLY_TRAFFIC_SECRET", "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
    "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_", "SERVER_TRAFFIC_SECRET_",
    "EARLY_EXPORTER_SECRET",
    "EXPORTER_SECRET", "ECH_SECRET", "ECH_CONFIG", "PMS_CLIENT_RANDOM", "RSA",
  ]
  /// The lines that NSS and Java write above them.
  private static let title = Array("SSL/TLS secrets log file".utf8)

  /// True for a text with a line of a key log anywhere.
  var isKeyLog: Bool {
    guard !text.contains(0) else { return false }
    return lines.contains { line in
      if line.first == UInt8(ascii: "#") { return line.firstRange(of: Self.title) != nil }
      guard let label = Self.labels.first(where: { line.starts(with: $0.utf8) }) else { return false }
      let words = line.dropFirst(label.utf8.count).split(maxSplits: 3, whereSeparator: Self.isBlank)
      // Digits after the label belong to it.
      let digits = words.suffix(2)
      return (2...3).contains(words.count)
        && digits.allSatisfy { $0.count % 2 == 0 && $0.allSatisfy { Hex.value(of: $0) != nil } }
    }
  }

  // MARK: Keys and certificates

  /// True for PEM (RFC 7468), JWK (RFC 7517), PuTTY's keys, Java's key stores, and DER.
  var isKey: Bool {
    for magic: [UInt8] in [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]] where text.starts(with: magic)
    {
      return true
    }
    if isDER || isJWK || text.starts(with: "PuTTY-User-Key-File-".utf8) { return true }
    return lines.contains { $0.starts(with: "-----BEGIN ".utf8) }
  }

  private var isJWK: Bool {
    let first = text.first { !Self.isBlank($0) }
    return (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
      && text.prefix(65_536).firstRange(of: Array(#""kty""#.utf8)) != nil
  }

  /// True for a sequence that ends with the file (X.690, section 8.1.3), a short one only where it begins with the number
  /// of a version, as keys do, and for one of an indefinite length that does.
  private var isDER: Bool {
    guard text.count > 6, text[0] == 0x30 else { return false }
    let isVersioned = text[2..<4].elementsEqual([2, 1])
    guard 0x81...0x84 ~= text[1] else {
      return isVersioned && (text[1] == 0x80 || (text[1] < 0x80 && Int64(text[1]) + 2 == byteCount))
    }
    let count = Int(text[1] & 0x7F)
    let length = text[2..<2 + count].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return length + Int64(2 + count) == byteCount
  }
}
