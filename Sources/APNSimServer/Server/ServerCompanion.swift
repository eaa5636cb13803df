/// A service beside a simulator's listeners that starts and stops with them: the control API.
package protocol ServerCompanion: Sendable {
  /// Starts serving, before the listeners are bound.
  /// - Returns: its base URL, for the endpoints.
  /// - Throws: an error if it cannot; the server does not start then.
  func start(beside server: SimulatorServer) async throws -> String

  /// Ends the sandboxes, while the simulator's own connections are drained; it still serves.
  func finish() async

  /// Stops serving, after the listeners are closed and their connections drained.
  func stop() async
}
