/// What reassembly met besides the streams themselves, for the summary.
package struct StreamTally: Hashable, Sendable {
  /// Connections that are TLS.
  package var tlsConnections = 0
  /// Connections of other protocols, and those where nothing tells which side is the service.
  package var otherConnections = 0
  package var unknownSides = 0
  /// Connections beyond the number that can be followed at once.
  package var unfollowed = 0
  /// Segments that are out of any window of their connections.
  package var strays = 0
  /// Bytes that came later behind a reset than those that were under way can.
  package var lateBytes = 0
  /// Bytes of retransmissions and overlaps.
  package var repeatedBytes = 0

  package init() {}
}
