/// Packets inside of packets, as clouds and mirroring switches carry them.
extension PacketContent {
  /// The content of an IP payload that carries packets.
  /// - Parameters:
  ///   - number: the protocol's number in IP's header.
  ///   - nested: the number of IP headers with the one inside.
  /// - Returns: nil for a protocol that carries none.
  static func inside(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    protocol number: UInt8,
    nested: Int
  ) -> PacketContent? {
    switch number {
    case 4, 41: internet(bytes, packet, nested: nested)  // RFC 2003, RFC 4213
    case 47: gre(bytes, packet, nested)
    case 17: udp(bytes, packet, nested)
    case 137: network(bytes, packet, type: 0x8847, nested: nested)  // RFC 4023
    case 50: .encapsulated("IPsec (ESP)")
    case 97: .encapsulated("EtherIP")
    case 115: .encapsulated("L2TP")
    default: nil
    }
  }

  /// The name of what carries other packets and came in fragments, which are not put together; nil for anything else.
  /// - Parameter isFirst: false for a fragment that has no header of its own.
  static func fragmentedTunnel(_ number: UInt8, _ bytes: ArraySlice<UInt8>, isFirst: Bool) -> String? {
    let name: String? =
      switch number {
      case 4, 41: "IP in IP"
      case 47: "GRE"
      case 137: "MPLS in IP"
      case 50: "IPsec (ESP)"
      case 51: "IPsec (AH)"
      case 97: "EtherIP"
      case 115: "L2TP"
      case 17 where isFirst:
        switch bytes.uint16(2) {
        case 4789, 8472: "VXLAN"
        case 4790: "VXLAN-GPE"
        case 6081: "Geneve"
        case 2152: "GTP-U"
        case 1701: "L2TP"
        case 4500: "IPsec over UDP"
        case 51820: "WireGuard"
        case 3544: "Teredo"
        default: nil
        }
      default: nil
      }
    return name.map { "\($0), in IP fragments" }
  }

  /// RFC 2784 and RFC 2890: flags and version, the EtherType of the content, then four bytes each for a checksum, a key
  /// and a sequence number where their flags are set.
  private static func gre(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    _ nested: Int
  ) -> PacketContent {
    guard let flags = bytes.uint16(0), let type = bytes.uint16(2) else { return .cutShort }
    switch type {
    case 0x88BE, 0x22EB: return .encapsulated("ERSPAN")
    case 0x880B: return .encapsulated("PPTP")
    default: break
    }
    // Version 0, without source routes (RFC 1701).
    guard flags & 0x4007 == 0 else { return .encapsulated("GRE of RFC 1701") }
    let options = [0x8000, 0x2000, 0x1000].count { flags & UInt16($0) != 0 }
    let content = bytes.dropFirst(4 + 4 * options)
    // An Ethernet frame, as NVGRE (RFC 7637) and mirroring switches send it.
    return type == 0x6558
      ? ethernet(content, packet, nested: nested) : network(content, packet, type: type, nested: nested)
  }

  /// UDP's header is eight bytes (RFC 768); what it carries is known by the port that it is sent to.
  private static func udp(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    _ nested: Int
  ) -> PacketContent? {
    guard let source = bytes.uint16(0), let port = bytes.uint16(2) else { return .cutShort }
    // Relays answer from it (RFC 4380).
    if source == 3544 { return .encapsulated("Teredo") }
    let content = bytes.dropFirst(8)
    switch port {
    case 4789, 8472:
      // VXLAN (RFC 7348): eight bytes, of whose flags the one for a valid network is set. 8472 was Linux's port.
      guard let flags = content.uint8(0) else { return .cutShort }
      return flags & 0x08 != 0 ? ethernet(content.dropFirst(8), packet, nested: nested) : nil
    case 6081:
      // Geneve (RFC 8926): the length of the options in units of four bytes, the EtherType at byte 2.
      guard let first = content.uint8(0), let type = content.uint16(2) else { return .cutShort }
      let inner = content.dropFirst(8 + 4 * Int(first & 0x3F))
      return type == 0x6558
        ? ethernet(inner, packet, nested: nested) : network(inner, packet, type: type, nested: nested)
    case 4790: return .encapsulated("VXLAN-GPE")
    case 2152: return .encapsulated("GTP-U")
    case 1701: return .encapsulated("L2TP")
    case 4500: return .encapsulated("IPsec over UDP")
    case 51820: return .encapsulated("WireGuard")
    case 3544: return .encapsulated("Teredo")
    default: return nil
    }
  }

  /// The content after MPLS labels: an IP packet, or a pseudowire's Ethernet frame (RFC 4448), perhaps after a control
  /// word of four bytes, which begins with four zero bits (RFC 4385).
  static func labelled(
    _ bytes: ArraySlice<UInt8>,
    _ packet: CapturedPacket,
    nested: Int
  ) -> PacketContent {
    guard let first = bytes.first else { return .cutShort }
    guard nested <= mostNested else { return .other }
    let isIP = first >> 4 == 4 || first >> 4 == 6
    // An Ethernet address may begin with any digit.
    for frame in first >> 4 == 0 ? [bytes.dropFirst(4), bytes] : [bytes] {
      guard let type = frame.uint16(12), isOfFrame(type) else { continue }
      let inner = ethernet(frame, packet, nested: nested + 1)
      if case .segment = inner { return inner }
      if !isIP { return inner }
    }
    return isIP ? internet(bytes, packet, nested: nested) : .encapsulated("Ethernet over MPLS")
  }
}
