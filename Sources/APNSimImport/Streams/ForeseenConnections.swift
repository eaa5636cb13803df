/// Connections that an earlier reading of a capture has found, by the segments that begin them.
///
/// The kind of a connection shows in its bytes, perhaps long after it began. With a second reading a capture's
/// connections have the numbers and times of their beginnings.
package struct ForeseenConnections: Sendable {
  private var connections: [Int: StreamConnection] = [:]
  /// The most connections; later ones are emitted when they are recognized.
  private static let most = 1 << 18

  package init() {}

  /// Takes an event of the earlier reading.
  package mutating func add(_ event: StreamEvent) {
    guard case .opened(let connection) = event.kind, connections.count < Self.most else { return }
    connections[connection.beginning] = connection
  }

  /// The connections without TLS, for a reading that cannot decrypt.
  var plaintext: ForeseenConnections {
    var plaintext = self
    plaintext.connections = connections.filter { !$0.value.isTLS }
    return plaintext
  }

  subscript(beginning: Int) -> StreamConnection? { connections[beginning] }
}
