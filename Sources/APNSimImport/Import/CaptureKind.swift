import APNSimCapture
import APNSimWire

/// The kind of a file to be imported.
package enum CaptureKind: String, CaseIterable, Sendable {
  /// The bytes that a provider wrote on one connection, as they are.
  case raw
  /// The same in hex digits, or in a dump of them.
  case hex
  case pcap
  case pcapng
  /// A native capture.
  case journal
  /// An HTTP archive (HAR 1.2).
  case har

  /// True for a text that begins as a journal, perhaps with a byte order mark, empty lines or spaces of another
  /// program.
  private static func isJournal(_ text: ArraySlice<UInt8>) -> Bool {
    begins(text, with: #""apnsim""#)
  }

  /// True for a text that begins as an HTTP archive.
  private static func isArchive(_ text: ArraySlice<UInt8>) -> Bool {
    begins(ByteOrderMark.utf8(of: text).map { $0[...] } ?? text, with: #""log""#)
  }

  /// True for an object whose first key this is.
  private static func begins(_ text: ArraySlice<UInt8>, with key: String) -> Bool {
    func skip(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      text.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    }
    let line = skip(ByteOrderMark.removed(from: text))
    return line.first == UInt8(ascii: "{") && skip(line.dropFirst()).starts(with: key.utf8)
  }

  /// The name of a file that was given as a key log and is another one for certain; nil for anything that may be one.
  /// - Parameter start: the first bytes.
  package static func nameOfOther(thanKeyLog start: [UInt8]) -> String? {
    let magic = start.prefix(4)
    if magic.elementsEqual(PcapngReader.sectionHeader) { return "a packet capture (pcapng)" }
    if PcapReader.format(of: magic) != nil { return "a packet capture (pcap)" }
    if isJournal(start[...]) { return "a native capture" }
    if start.starts(with: "-----BEGIN ".utf8) { return "a key or certificate" }
    return ForeignFile.all.first { start.starts(with: $0.magic) }?.name
  }

  /// Detects the kind of bytes in memory.
  /// - Parameter name: the name of the bytes in messages.
  /// - Throws: `ImportError` for any other text, no bytes at all, or a stream of TLS records.
  package static func of(_ bytes: [UInt8], name: String) throws(ImportError) -> CaptureKind {
    try of(CaptureInput(name: name, bytes: bytes))
  }

  /// Detects the kind of a file.
  /// - Throws: `ImportError` for any other text, an empty file, or a stream of TLS records.
  static func of(_ input: CaptureInput) throws(ImportError) -> CaptureKind {
    let start = try input.glance(64 * 1024)
    guard !start.isEmpty else { throw ImportError(file: input.name, "is empty: expected a capture") }
    let magic = start.prefix(4)
    if magic.elementsEqual(PcapngReader.sectionHeader) { return .pcapng }
    if PcapReader.format(of: magic) != nil { return .pcap }
    if isJournal(start) { return .journal }
    if isArchive(start) { return .har }
    if let foreign = ForeignFile.all.first(where: { start.starts(with: $0.magic) }) {
      throw ImportError(
        .unusable,
        file: input.name,
        "is \(foreign.name), which is not read",
        hints: [foreign.hint]
      )
    }
    if let log = ClientLog(start[...]) {
      throw ImportError(
        .unusable,
        file: input.name,
        "is \(log.rawValue), which is not read",
        hints: [ClientLog.hint]
      )
    }
    if HexDump.isLikely(start) { return .hex }
    if TLSRecordHeader.begins(start) {
      throw ImportError(
        .unusable,
        file: input.name,
        "begins with a TLS record: it is encrypted, and a stream alone cannot be decrypted",
        hints: ["a packet capture with its key log can: apnsim import FILE.pcapng --keylog KEYS -o FILE"]
      )
    }
    if let first = start.first, first <= 2 { return .raw }
    // The reader reports what in it is no hex, and where.
    if HexDump.isMeant(start) { return .hex }
    throw ImportError(
      file: input.name,
      offset: 0,
      """
      is neither a packet capture, a native capture, an HTTP archive, hex digits nor a provider's bytes: a command 0, 1 or 2 was \
      expected, found \(Hex.encode(start.prefix(4)))
      """,
      hints: ["--from raw|hex|pcap|pcapng|journal|har says what it is"]
    )
  }
}

/// Kinds of files that people have captures in, and that are not read.
private struct ForeignFile {
  let magic: [UInt8]
  let name: String
  let hint: String

  private static let editcap = "editcap -F pcapng FILE NEW (of Wireshark) makes pcapng of it"

  static let all: [ForeignFile] = [
    .init(Array("snoop\0\0\0".utf8), "a capture of snoop", editcap),
    .init(Array("GMBU".utf8), "a capture of Microsoft Network Monitor", editcap),
    .init(Array("RTSS".utf8), "a capture of Microsoft Network Monitor", editcap),
    .init([0x34, 0xCD, 0xB2, 0xA1], "a modified pcap file", editcap),
    .init([0xA1, 0xB2, 0xCD, 0x34], "a modified pcap file", editcap),
    .init([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "a file compressed with xz", "unxz it"),
    .init(Array("PK\u{3}\u{4}".utf8), "a zip archive", "unzip it"),
    .init(Array("BZh".utf8), "a file compressed with bzip2", "bunzip2 it"),
    .init([0x28, 0xB5, 0x2F, 0xFD], "a file compressed with zstd", "unzstd it"),
    .init([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", "unpack it"),
  ]

  init(_ magic: [UInt8], _ name: String, _ hint: String) {
    (self.magic, self.name, self.hint) = (magic, name, hint)
  }
}
