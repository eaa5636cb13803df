#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension NetworkEndpoint {
  /// Reads `10.0.0.1:2195` or `[fe80::1]:2195`.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      return nil
    }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      var address = in6_addr()
      guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
      let bytes = withUnsafeBytes(of: address) { Array($0) }
      self.init(
        high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) },
        port: port
      )
    } else {
      var address = in_addr()
      guard inet_pton(AF_INET, String(host), &address) == 1 else { return nil }
      self.init(ipv4: UInt32(bigEndian: address.s_addr), port: port)
    }
  }

  var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }
}
