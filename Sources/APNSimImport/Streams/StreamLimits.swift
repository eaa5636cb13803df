package import APNSimCore

/// The bounds of reassembly, which limit the importer's memory.
package struct StreamLimits: Hashable, Sendable {
  /// Bytes of one direction that wait for what comes before them. TCP's window bounds them in honest captures.
  package var heldBytes = 4 << 20
  /// Segments of one direction that wait.
  package var heldSegments = 4096
  /// Connections that are open at once.
  package var connections = 65_536
  /// Connections that are over and remembered, so that late packets of theirs are not taken for new ones.
  package var remembered = 65_536
  /// Packets of a connection that may pass after a missing segment was acknowledged, before it is given up: the
  /// receiver has it, so nobody will send it again, and a capture swaps no packets farther apart.
  package var patience = 64
  /// The same in time: a segment that comes so long after its acknowledgement was not swapped with it.
  package var swapped = TimeSpan(milliseconds: 200)

  /// The most delay of a SYN-ACK: captures of several processors are a little out of order, and it may stand after the
  /// provider's first bytes.
  package var lateService = TimeSpan(milliseconds: 100)
  /// Pieces of a connection that wait for it.
  package var lateServicePieces = 8
  /// The time for which the other side may go on after a reset that it has not received.
  package var afterReset = TimeSpan(milliseconds: 500)

  package init() {}
}

/// Counts of what reassembly left out or repaired, for the summary.
package struct StreamTally: Hashable, Sendable {
  /// Connections that are TLS.
  package var tlsConnections = 0
  /// Connections through a proxy of HTTP (CONNECT), and where the first of them goes.
  package var proxied = 0
  package var proxiedTo = ""
  /// Connections of other protocols, and those whose service side cannot be recognized.
  package var otherConnections = 0
  package var unknownSides = 0
  /// Connections beyond the number that can be followed at once.
  package var unfollowed = 0
  /// Segments that are out of any window of their connections.
  package var strays = 0
  /// Bytes that came later after a reset than bytes in flight can.
  package var lateBytes = 0
  /// Bytes of retransmissions and overlaps.
  package var repeatedBytes = 0

  package init() {}
}
