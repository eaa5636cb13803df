import APNSimCore

/// The content of a captured packet, after its link, IP and TCP headers are parsed.
package enum PacketContent: Sendable {
  case segment(TCPSegment)
  /// A part of an IP packet, which `FragmentTable` puts together.
  case fragment(IPFragment)
  /// The snap length cut the packet before the end of its TCP header.
  case cutShort
  /// Packets inside of this protocol, which is not taken apart.
  case encapsulated(String)
  /// Another protocol.
  case other
  /// A link type that is not understood.
  case unknownLink

  package init(_ packet: CapturedPacket) {
    let bytes = packet.bytes
    switch packet.link {
    case .ethernet: self = Self.ethernet(bytes, packet)
    case .linuxCooked: self = Self.network(bytes.dropFirst(16), packet, type: bytes.uint16(14))
    case .linuxCooked2: self = Self.network(bytes.dropFirst(20), packet, type: bytes.uint16(0))
    case .null, .loop: self = Self.internet(bytes.dropFirst(4), packet)
    case .raw, .rawOfBSD, .rawOfOpenBSD, .ipv4, .ipv6: self = Self.internet(bytes, packet)
    default: self = .unknownLink
    }
  }

  /// 802.1Q, 802.1ad and their older numbers; each tag is 4 bytes.
  private static let vlanTags: Set<UInt16> = [0x8100, 0x88A8, 0x9100, 0x9200]
  private static let mostTags = 8

  /// True for the EtherType of an IP packet or a VLAN tag.
  static func isOfFrame(_ type: UInt16) -> Bool {
    type == 0x0800 || type == 0x86DD || vlanTags.contains(type)
  }

  static func ethernet(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    nested: Int = 1
  ) -> PacketContent {
    network(bytes.dropFirst(14), packet, type: bytes.uint16(12), nested: nested)
  }

  /// - Parameter type: the EtherType of the bytes; VLAN tags are stepped over, and so are a PPPoE session (RFC 2516) and
  ///   MPLS labels (RFC 3032).
  static func network(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    type: UInt16?,
    nested: Int = 1
  ) -> PacketContent {
    var type = type
    var rest = bytes
    for _ in 0..<mostTags {
      guard let tag = type, vlanTags.contains(tag) else { break }
      type = rest.uint16(2)
      rest = rest.dropFirst(4)
    }
    switch type {
    case 0x0800, 0x86DD: return internet(rest, packet, nested: nested)
    case 0x8864:
      // The PPP protocol after six bytes is IPv4 or IPv6.
      guard let type = rest.uint16(6) else { return .cutShort }
      return type == 0x0021 || type == 0x0057 ? internet(rest.dropFirst(8), packet, nested: nested) : .other
    case 0x8847, 0x8848:
      for _ in 0..<mostTags {
        guard let flags = rest.uint8(2) else { return .cutShort }
        rest = rest.dropFirst(4)
        // The bottom of the stack.
        if flags & 1 != 0 { return labelled(rest, packet, nested: nested) }
      }
      return .other
    case 0x88E5: return .encapsulated("MACsec")
    case nil: return .cutShort
    default: return .other
    }
  }

  /// The most IP headers inside one another.
  static let mostNested = 4

  static func internet(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    nested: Int = 1
  ) -> PacketContent {
    guard nested <= mostNested else { return .other }
    return switch bytes.first.map({ $0 >> 4 }) {
    case 4: ipv4(bytes, packet, nested)
    case 6: ipv6(bytes, packet, nested)
    case nil: .cutShort
    default: .other
    }
  }

  /// RFC 791, section 3.1. A total length of 0 is what segmentation offload leaves in a capture.
  private static func ipv4(_ bytes: ArraySlice<UInt8>, _ packet: CapturedPacket, _ nested: Int)
    -> PacketContent
  {
    guard let first = bytes.first, let total = bytes.uint16(2), let fragment = bytes.uint16(6),
      var next = bytes.uint8(9), let source = bytes.uint32(12), let destination = bytes.uint32(16)
    else { return .cutShort }
    var headerSize = Int(first & 0x0F) * 4
    guard headerSize >= 20 else { return .other }
    // The content that an authentication header (RFC 4302) authenticates comes after it, as it is.
    if next == 51, fragment & 0x3FFF == 0 {
      guard let following = bytes.uint8(headerSize), let size = bytes.uint8(headerSize + 1) else {
        return .cutShort
      }
      next = following
      headerSize += (Int(size) + 2) * 4
    }
    if fragment & 0x3FFF == 0,
      let inner = inside(bytes.dropFirst(headerSize), packet, protocol: next, nested: nested + 1)
    {
      return inner
    }
    if fragment & 0x3FFF != 0,
      let name = fragmentedTunnel(next, bytes.dropFirst(headerSize), isFirst: fragment & 0x1FFF == 0)
    {
      return .encapsulated(name)
    }
    guard next == 6 else { return .other }
    let onWire = packet.wireLength - (packet.bytes.count - bytes.count)
    let length = (total == 0 ? onWire : Int(total)) - headerSize
    let from = NetworkEndpoint(ipv4: source, port: 0)
    let to = NetworkEndpoint(ipv4: destination, port: 0)
    let payload = bytes.dropFirst(headerSize)
    // More fragments, or an offset: the flags and the 13 bits below them.
    if fragment & 0x3FFF != 0 {
      guard let identification = bytes.uint16(4) else { return .cutShort }
      let key = IPFragment.Key(source: from, destination: to, identification: UInt32(identification))
      let offset = Int(fragment & 0x1FFF) * 8
      return part(of: key, at: offset, isLast: fragment & 0x2000 == 0, payload, length: length, packet)
    }
    return tcp(payload, length: length, at: packet.time, from: from, to: to)
  }

  private static func part(
    of key: IPFragment.Key,
    at offset: Int,
    isLast: Bool,
    _ bytes: ArraySlice<UInt8>,
    length: Int,
    _ packet: CapturedPacket
  ) -> PacketContent {
    guard length > 0 else { return .other }
    guard bytes.count >= length else { return .cutShort }
    return .fragment(
      IPFragment(key: key, time: packet.time, offset: offset, isLast: isLast, bytes: bytes.prefix(length))
    )
  }

  /// RFC 8200, sections 3 and 4: extension headers are stepped over, sixteen at most.
  private static func ipv6(_ bytes: ArraySlice<UInt8>, _ packet: CapturedPacket, _ nested: Int)
    -> PacketContent
  {
    guard let payloadLength = bytes.uint16(4), var next = bytes.uint8(6), bytes.count >= 40 else {
      return .cutShort
    }
    func half(_ place: Int) -> UInt64 {
      UInt64(bytes.uint32(place) ?? 0) << 32 | UInt64(bytes.uint32(place + 4) ?? 0)
    }
    var rest = bytes.dropFirst(40)
    let onWire = packet.wireLength - (packet.bytes.count - bytes.count) - 40
    var length = payloadLength == 0 ? onWire : Int(payloadLength)
    let from = NetworkEndpoint(high: half(8), low: half(16), port: 0)
    let to = NetworkEndpoint(high: half(24), low: half(32), port: 0)
    for _ in 0..<16 where next != 6 {
      if let inner = inside(rest, packet, protocol: next, nested: nested + 1) { return inner }
      guard let following = rest.uint8(0), let size = rest.uint8(1) else {
        return isExtension(next) ? .cutShort : .other
      }
      var byteCount = (Int(size) + 1) * 8
      switch next {
      case 0, 43, 60, 135, 139, 140: break
      case 51: byteCount = (Int(size) + 2) * 4  // authentication header, RFC 4302
      case 44:
        guard let offset = rest.uint16(2), let identification = rest.uint32(4) else { return .cutShort }
        byteCount = 8
        // An offset in units of eight bytes, above two reserved bits and the one for more fragments.
        if offset & 0xFFF9 != 0 {
          guard following == 6 else {
            let name = fragmentedTunnel(following, rest.dropFirst(8), isFirst: offset & 0xFFF8 == 0)
            return name.map { .encapsulated($0) } ?? .other
          }
          let key = IPFragment.Key(source: from, destination: to, identification: identification)
          let (isLast, payload) = (offset & 1 == 0, rest.dropFirst(8))
          return part(of: key, at: Int(offset & 0xFFF8), isLast: isLast, payload, length: length - 8, packet)
        }
      default: return .other
      }
      rest = rest.dropFirst(byteCount)
      length -= byteCount
      next = following
    }
    guard next == 6 else { return .other }
    return tcp(rest, length: length, at: packet.time, from: from, to: to)
  }

  private static func isExtension(_ header: UInt8) -> Bool {
    [0, 43, 44, 51, 60, 135, 139, 140].contains(header)
  }

  /// RFC 9293, section 3.1.
  /// - Parameters:
  ///   - length: of the segment with its header, as IP declares it: what follows is link padding, and what is not there
  ///     was cut off.
  ///   - source: the address, without a port yet.
  ///   - destination: likewise.
  static func tcp(
    _ bytes: ArraySlice<UInt8>,
    length: Int,
    at time: Timestamp,
    from source: NetworkEndpoint,
    to destination: NetworkEndpoint
  ) -> PacketContent {
    guard let sourcePort = bytes.uint16(0), let destinationPort = bytes.uint16(2),
      let sequence = bytes.uint32(4), let acknowledgement = bytes.uint32(8),
      let offset = bytes.uint8(12), let flags = bytes.uint8(13)
    else { return .cutShort }
    let headerSize = Int(offset >> 4) * 4
    guard headerSize >= 20, length >= headerSize else { return .other }
    let payload = bytes.dropFirst(headerSize).prefix(length - headerSize)
    return .segment(
      TCPSegment(
        time: time,
        source: NetworkEndpoint(high: source.high, low: source.low, port: sourcePort),
        destination: NetworkEndpoint(high: destination.high, low: destination.low, port: destinationPort),
        sequence: sequence,
        acknowledgement: acknowledgement,
        flags: TCPSegment.Flags(rawValue: flags),
        payload: payload,
        cutOff: length - headerSize - payload.count
      )
    )
  }
}
