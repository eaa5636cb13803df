/// Connections that an earlier reading of a capture has found, by the segments that begin them.
///
/// What a connection is shows in what is said on it, which may be long after it was made: read twice, a capture's
/// connections have the numbers and times of their beginnings.
package struct ForeseenConnections: Sendable {
  private var connections: [Int: StreamConnection] = [:]
  /// Of more connections than this the later ones are told when they show what they are.
  private static let most = 1 << 18

  package init() {}

  /// Takes what the earlier reading tells of a connection.
  package mutating func add(_ event: StreamEvent) {
    guard case .opened(let connection) = event.kind, connections.count < Self.most else { return }
    connections[connection.beginning] = connection
  }

  /// Those that are not TLS, for whom cannot decrypt it.
  var plaintext: ForeseenConnections {
    var plaintext = self
    plaintext.connections = connections.filter { !$0.value.isTLS }
    return plaintext
  }

  subscript(beginning: Int) -> StreamConnection? { connections[beginning] }
}
