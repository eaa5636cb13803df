package import APNSimCore

/// One packet of a capture file, as much of it as was captured.
package struct CapturedPacket: Sendable {
  /// Its place among the packets of the file, from 1, as Wireshark numbers them.
  package var number: Int
  /// The time of capture; a packet without one has that of the packet before it.
  package var time: Timestamp
  package var link: LinkType
  package var bytes: ArraySlice<UInt8>
  /// The length on the wire, in bytes; more than `bytes` where the capture's snap length cut the packet.
  package var wireLength: Int
}

/// The type of a captured packet's link header, by its number in pcap files (the LINKTYPE_ values of
/// tcpdump.org/linktypes.html).
package struct LinkType: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// BSD loopback: the address family in the byte order of the machine that captured.
  static let null = LinkType(rawValue: 0)
  static let ethernet = LinkType(rawValue: 1)
  /// No link header: IPv4 or IPv6. 12 and 14 are what some systems wrote for it.
  static let raw = LinkType(rawValue: 101)
  static let rawOfBSD = LinkType(rawValue: 12)
  static let rawOfOpenBSD = LinkType(rawValue: 14)
  /// OpenBSD loopback: the address family, big endian.
  static let loop = LinkType(rawValue: 108)
  /// Linux "any" device, first version: 16 bytes.
  static let linuxCooked = LinkType(rawValue: 113)
  /// Linux "any" device, second version: 20 bytes.
  static let linuxCooked2 = LinkType(rawValue: 276)
  static let ipv4 = LinkType(rawValue: 228)
  static let ipv6 = LinkType(rawValue: 229)

  /// The kinds that are understood, for messages.
  static let understood =
    "Ethernet (1), Linux cooked (113, 276), loopback (0, 108), raw IP (12, 14, 101, 228, 229)"
}
