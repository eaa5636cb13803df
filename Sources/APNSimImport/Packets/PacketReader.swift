/// Reads the packets of a pcap or pcapng file, in the file's order.
package struct PacketReader {
  private enum Format {
    case pcap(PcapReader)
    case pcapng(PcapngReader)
  }

  private var format: Format

  /// - Throws: `ImportError` when the file is neither.
  package init(_ input: CaptureInput) throws(ImportError) {
    let magic = try input.peek(4)
    if magic.elementsEqual(PcapngReader.sectionHeader) {
      format = .pcapng(PcapngReader(input))
    } else if PcapReader.format(of: magic) != nil {
      format = .pcap(try PcapReader(input))
    } else {
      throw ImportError(
        file: input.name,
        offset: 0,
        "is neither pcap (a1b2c3d4 or a1b23c4d, in either byte order) nor pcapng (0a0d0d0a)"
      )
    }
  }

  /// The next packet; nil at the end.
  /// - Throws: `ImportError` where the file breaks off or is damaged. What was read before it stands.
  package mutating func next() throws(ImportError) -> CapturedPacket? {
    switch format {
    case .pcap(var reader):
      defer { format = .pcap(reader) }
      return try reader.next()
    case .pcapng(var reader):
      defer { format = .pcapng(reader) }
      return try reader.next()
    }
  }

  /// True where the part of the file that was read has a TLS key log.
  package var hasKeyLog: Bool {
    if case .pcapng(let reader) = format { reader.hasKeyLog } else { false }
  }

  /// Takes what was read of that key log since the last call.
  mutating func takeKeyLog() -> [UInt8] {
    guard case .pcapng(var reader) = format else { return [] }
    defer { format = .pcapng(reader) }
    return reader.takeKeyLog()
  }
}
