/// What the log's lines are about; each kind has its own budget of lines.
enum LogKind: Int, CaseIterable, Sendable {
  /// A handshake that was refused or failed, with a peer that speaks TLS.
  case handshake
  /// Something that is not TLS on a TLS port.
  case notTLS
  /// A peer that never finished its handshake.
  case halfOpen
  /// No room: descriptors, connections, apps.
  case limit
  /// A connection that broke after its handshake.
  case connection
  /// Bytes where none belong.
  case unexpected
}
