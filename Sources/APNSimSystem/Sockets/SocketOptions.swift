#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// The numbers and values of socket options that SwiftNIO does not name.
package enum SocketOptions {
  /// The time between the probes of an idle connection, in seconds.
  package static let keepAliveInterval = TCP_KEEPINTVL
  /// The number of probes without an answer that end a connection.
  package static let keepAliveCount = TCP_KEEPCNT

  #if os(Linux)
    /// The time after which a connection is idle, in seconds.
    package static let keepAliveIdle = TCP_KEEPIDLE
    /// The time for which data may stay unacknowledged, in milliseconds.
    package static let unacknowledged = TCP_USER_TIMEOUT

    /// The number of connections that wait to be accepted, of a listening socket's facts.
    package static func waitingCount(_ facts: tcp_info) -> UInt32 { facts.tcpi_unacked }
  #else
    /// The time after which a connection is idle, in seconds.
    package static let keepAliveIdle = TCP_KEEPALIVE
  #endif

  /// A linger time of zero: closing sends a reset, and drops what is still held.
  package static let reset = linger(l_onoff: 1, l_linger: 0)
}

/// Internet addresses as text.
package enum AddressText {
  /// The four bytes of an address such as `10.0.0.1`; nil for anything else.
  package static func ipv4(_ text: String) -> [UInt8]? { bytes(AF_INET, 4, text) }

  /// The sixteen bytes of an address such as `fe80::1`; nil for anything else.
  package static func ipv6(_ text: String) -> [UInt8]? { bytes(AF_INET6, 16, text) }

  private static func bytes(_ family: CInt, _ count: Int, _ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
