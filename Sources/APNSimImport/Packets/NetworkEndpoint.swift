import APNSimSystem

/// An address and port of a captured packet.
package struct NetworkEndpoint: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The upper and lower half of the address; an IPv4 address is mapped (`::ffff:0:0/96`, RFC 4291, 2.5.5.2).
  package var high: UInt64
  package var low: UInt64
  package var port: UInt16

  package init(high: UInt64, low: UInt64, port: UInt16) {
    self.high = high
    self.low = low
    self.port = port
  }

  package init(ipv4 address: UInt32, port: UInt16) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address), port: port)
  }

  /// Four bytes for IPv4, sixteen for IPv6.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  package static func < (left: NetworkEndpoint, right: NetworkEndpoint) -> Bool {
    (left.high, left.low, left.port) < (right.high, right.low, right.port)
  }

  /// `10.0.0.1:2195`, `[fe80::1]:2195`
  package var description: String { isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)" }

  /// The address alone, IPv6 in the form of RFC 5952: lower case, the longest run of zero groups as `::`.
  package var address: String {
    if isIPv4 {
      return (0..<4).map { String((low >> (24 - 8 * UInt64($0))) & 0xFF) }.joined(separator: ".")
    }
    let groups = (0..<8).map { index in
      UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> (48 - 16 * UInt64(index % 4)))
    }
    var best = 0..<0
    var start = 0
    while start < 8 {
      var end = start
      while end < 8, groups[end] == 0 { end += 1 }
      if end - start > max(1, best.count) { best = start..<end }
      start = max(end, start + 1)
    }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !best.isEmpty else { return text(0..<8) }
    return text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
  }
}

extension NetworkEndpoint {
  /// Reads `10.0.0.1:2195` or `[fe80::1]:2195`.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      return nil
    }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      guard let bytes = AddressText.ipv6(String(host.dropFirst().dropLast())) else { return nil }
      self.init(
        high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) },
        port: port
      )
    } else {
      guard let bytes = AddressText.ipv4(String(host)) else { return nil }
      self.init(ipv4: bytes.reduce(0) { $0 << 8 | UInt32($1) }, port: port)
    }
  }

  var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }
}
