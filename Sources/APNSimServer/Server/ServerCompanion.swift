/// Something that serves beside a simulator's listeners and comes and goes with them: the control API.
package protocol ServerCompanion: Sendable {
  /// Begins to serve, before the listeners are bound.
  /// - Returns: its base URL, for the endpoints.
  /// - Throws: why it cannot; the server does not start then.
  func start(beside server: SimulatorServer) async throws -> String

  /// Ends what it has begun beside the simulator, while the simulator's own connections are drained; it still serves.
  func finish() async

  /// Ends; the listeners are closed and their connections drained by then.
  func stop() async
}
