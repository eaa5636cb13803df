internal import APNSimCore

/// How a TCP connection came in, before anything is known of its provider.
struct Arrival: Hashable, Sendable {
  /// Its place among the connections of its listener, from 1, in the order they were accepted.
  var ordinal: UInt32
  /// How long its handshake is to wait, in simulated time.
  var acceptDelay: TimeSpan
}
