import APNSimCore

/// Writes a native capture as a pcapng file that Wireshark opens: the plaintext of its connections, as the TCP packets
/// that could have carried it.
///
/// Handshakes, acknowledgements and endings are made up, bytes and times are the capture's. What it does not know is
/// left out: there is no handshake where the capture begins inside a connection, and a gap is a hole in the sequence
/// numbers.
package struct CaptureExport {
  package private(set) var connections = 0
  package private(set) var bytes = 0

  private var file: PcapngWriter
  private var open: [ConnectionID: ExportedConnection] = [:]
  private var taken: Set<[NetworkEndpoint]> = []

  /// - Parameters:
  ///   - application: the program's name and version.
  ///   - comment: what the file is of.
  package init(application: String, comment: String) {
    file = PcapngWriter(application: application, comment: comment)
  }

  package var packets: Int { file.packets }

  /// How many bytes wait to be taken.
  package var pendingByteCount: Int { file.bytes.count }

  package mutating func takeBytes() -> [UInt8] { file.takeBytes() }

  /// Takes the next entry of the capture.
  package mutating func add(_ entry: CaptureEntry) {
    switch entry.kind {
    case .connectionOpened(let connection):
      connections += 1
      let (provider, service) = ends(of: connection)
      taken.insert([provider, service])
      open[connection.id] = ExportedConnection(
        connection,
        provider: provider,
        service: service,
        at: entry.time
      )
    case .bytesIn(let id, let data, let dropped, _):
      bytes += data.count
      if !data.isEmpty { open[id]?.provider(sends: data, at: entry.time, to: &file) }
      if dropped > 0 { open[id]?.miss(dropped, isProvider: true, to: &file) }
    case .bytesOut(let id, let data):
      bytes += data.count
      if !data.isEmpty { open[id]?.service(sends: data, at: entry.time, to: &file) }
    case .bytesMissing(let id, let direction, let count):
      open[id]?.miss(count, isProvider: direction == .in, to: &file)
    case .connectionClosed(let id, let reason):
      guard var connection = open.removeValue(forKey: id) else { return }
      connection.close(reason, at: entry.time, to: &file)
      taken.remove(connection.ends)
    case .command, .other: return
    }
  }

  /// The captured address of the provider, where there is one that no other open connection has; else one of 10.0.0.0/8
  /// that says the connection's number. The service has its usual port, at an address of the same kind.
  private func ends(of connection: CapturedConnection) -> (NetworkEndpoint, NetworkEndpoint) {
    let port = Self.port(connection)
    if let provider = NetworkEndpoint(connection.peer) {
      let service = Self.service(for: provider, port)
      if !taken.contains([provider, service]) { return (provider, service) }
    }
    let number = connection.id.rawValue
    let made = NetworkEndpoint(
      ipv4: 0x0A00_0000 | number & 0x00FF_FFFF,
      port: 49_152 + UInt16(truncatingIfNeeded: number >> 24)
    )
    return (made, Self.service(for: made, port))
  }

  private static func port(_ connection: CapturedConnection) -> UInt16 {
    connection.listener.usualPort(in: connection.provider.environment)
  }

  /// Loopback talks to loopback; otherwise an address for documentation (RFC 5737, RFC 3849).
  private static func service(for provider: NetworkEndpoint, _ port: UInt16) -> NetworkEndpoint {
    if provider.isLoopback { return NetworkEndpoint(high: provider.high, low: provider.low, port: port) }
    return provider.isIPv4
      ? NetworkEndpoint(ipv4: 0xC000_0201, port: port)
      : NetworkEndpoint(high: 0x2001_0DB8_0000_0000, low: 1, port: port)
  }
}
