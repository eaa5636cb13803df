internal import APNSimCore

/// What the server asks of a connection from outside, as an event through its pipeline.
enum ConnectionEvent: Sendable {
  /// The simulator is shutting down: finish what was received, then close.
  case drain
  /// Do what the simulator decided while time passed, such as a delayed error response.
  case perform(GatewayAction)
  /// A device's connection has lines to send.
  case sendLines
  /// There is no room for another: answer whether the peer has been silent for a while, and close if nobody else does.
  case makeWay(RoomRequest)
  /// End the connection, the way an operator asked for.
  case end(ConnectionEnding)
}
