import APNSimCore

/// Reads the packets of a pcap file: microseconds or nanoseconds, either byte order.
///
/// ```text
/// file      magic u32 | major u16 | minor u16 | zone i32 | accuracy u32 | snap length u32 | link type u32
/// packet    seconds u32 | fraction u32 | captured length u32 | length on the wire u32 | bytes
/// ```
///
/// Source: draft-ietf-opsawg-pcap.
struct PcapReader {
  private let input: CaptureInput
  private let order: ByteOrder
  private let ticks: TickScale
  private let link: LinkType
  private var number = 0

  /// No packet is longer: the largest that tcpdump and Wireshark write.
  static let maximumPacket = 1 << 20

  /// The byte order and time scale of a magic number, or nil when it is none of pcap's.
  static func format(of magic: ArraySlice<UInt8>) -> (order: ByteOrder, ticks: TickScale)? {
    for order in [ByteOrder.little, .big] {
      switch magic.uint32(0, order) {
      case 0xA1B2_C3D4: return (order, .microseconds)
      case 0xA1B2_3C4D: return (order, .nanoseconds)
      default: continue
      }
    }
    return nil
  }

  init(_ input: CaptureInput) throws(ImportError) {
    guard let header = try input.take(24), let format = Self.format(of: header),
      let link = header.uint32(20, format.order)
    else {
      throw ImportError(
        file: input.name,
        "breaks off inside the file's header: expected 24 bytes, found \(try input.peek(24).count)"
      )
    }
    self.input = input
    (order, ticks) = format
    // The upper half of the field is about frame check sequences; the lower is the link type.
    self.link = LinkType(rawValue: UInt16(truncatingIfNeeded: link))
  }

  /// The next packet; nil at the end.
  /// - Throws: `ImportError` where the file breaks off or is damaged.
  mutating func next() throws(ImportError) -> CapturedPacket? {
    let place = input.offset
    guard let header = try input.take(16) else {
      let rest = try input.peek(16).count
      if rest == 0 { return nil }
      throw ImportError(
        file: input.name,
        offset: place,
        "the file breaks off: \(rest) of the 16 bytes of a packet's header are there"
      )
    }
    guard let seconds = header.uint32(0, order), let fraction = header.uint32(4, order),
      let captured = header.uint32(8, order), let length = header.uint32(12, order)
    else { return nil }
    guard captured <= Self.maximumPacket else {
      throw ImportError(
        file: input.name,
        offset: place + 8,
        "a packet of \(captured) bytes; at most \(Self.maximumPacket) were expected: the file is damaged"
      )
    }
    guard let bytes = try input.take(Int(captured)) else {
      throw ImportError(
        file: input.name,
        offset: place + 16,
        "the file breaks off inside a packet: \(try input.peek(Int(captured)).count) of \(captured) bytes"
      )
    }
    number += 1
    let moment = Timestamp(seconds: Int64(seconds)) + (ticks.moment(UInt64(fraction)) - Timestamp(seconds: 0))
    return CapturedPacket(
      number: number,
      time: moment,
      link: link,
      bytes: bytes,
      wireLength: max(Int(length), Int(captured))
    )
  }
}
