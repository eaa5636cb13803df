/// Writes a TCP segment as the IP packet that would have carried it, checksums and all.
struct PacketBytes {
  /// Bytes of data in a packet: what an Ethernet without options leaves.
  static let segmentSize = 1460

  /// - Parameter options: TCP options, padded to a multiple of four bytes.
  static func packet(
    from source: NetworkEndpoint,
    to destination: NetworkEndpoint,
    sequence: UInt32,
    acknowledgement: UInt32,
    flags: TCPSegment.Flags,
    options: [UInt8] = [],
    payload: ArraySlice<UInt8> = []
  ) -> [UInt8] {
    var tcp: [UInt8] = []
    tcp.reserveCapacity(20 + options.count + payload.count)
    append(source.port, to: &tcp)
    append(destination.port, to: &tcp)
    append(sequence, to: &tcp)
    append(acknowledgement, to: &tcp)
    tcp.append(UInt8(truncatingIfNeeded: ((20 + options.count) / 4) << 4))
    tcp.append(flags.rawValue)
    tcp += [0xFF, 0xFF, 0, 0, 0, 0]  // window, checksum, urgent pointer
    tcp += options
    tcp += payload

    let isIPv4 = source.isIPv4 && destination.isIPv4
    let addresses = bytes(of: source, isIPv4) + bytes(of: destination, isIPv4)
    var checksum = InternetChecksum()
    checksum.add(addresses)
    checksum.add([0, 6, UInt8(truncatingIfNeeded: tcp.count >> 8), UInt8(truncatingIfNeeded: tcp.count)])
    checksum.add(tcp)
    (tcp[16], tcp[17]) = (UInt8(checksum.value >> 8), UInt8(truncatingIfNeeded: checksum.value))
    return (isIPv4 ? ipv4(addresses, tcp.count) : ipv6(addresses, tcp.count)) + tcp
  }

  private static func ipv4(_ addresses: [UInt8], _ length: Int) -> [UInt8] {
    var header: [UInt8] = [0x45, 0]
    append(UInt16(truncatingIfNeeded: 20 + length), to: &header)
    header += [0, 0, 0x40, 0, 64, 6, 0, 0]  // do not fragment
    header += addresses
    var checksum = InternetChecksum()
    checksum.add(header)
    (header[10], header[11]) = (UInt8(checksum.value >> 8), UInt8(truncatingIfNeeded: checksum.value))
    return header
  }

  private static func ipv6(_ addresses: [UInt8], _ length: Int) -> [UInt8] {
    var header: [UInt8] = [0x60, 0, 0, 0]
    append(UInt16(truncatingIfNeeded: length), to: &header)
    return header + [6, 64] + addresses
  }

  private static func bytes(of endpoint: NetworkEndpoint, _ isIPv4: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if !isIPv4 { append(endpoint.high, to: &bytes) }
    if isIPv4 {
      append(UInt32(truncatingIfNeeded: endpoint.low), to: &bytes)
    } else {
      append(endpoint.low, to: &bytes)
    }
    return bytes
  }

  private static func append(_ value: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// The ones' complement sum of IP and TCP (RFC 1071).
struct InternetChecksum {
  private var sum: UInt64 = 0
  private var isOdd = false

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      sum += isOdd ? UInt64(byte) : UInt64(byte) << 8
      isOdd.toggle()
    }
  }

  var value: UInt16 {
    var folded = sum
    while folded > 0xFFFF { folded = (folded & 0xFFFF) + (folded >> 16) }
    return ~UInt16(truncatingIfNeeded: folded)
  }
}
