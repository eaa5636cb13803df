import APNSimCore

/// The simulator's clock in a replay: the times of the capture's lines move it.
struct ReplayClock {
  private let simulator: Simulator
  private let connections: ReplayConnections
  /// The time of the last line that was played.
  private(set) var last: Timestamp?

  init(_ simulator: Simulator, _ connections: ReplayConnections) {
    (self.simulator, self.connections) = (simulator, connections)
  }

  @inline(__always)
  mutating func note(_ time: Timestamp) { last = time }

  /// Advances the simulator to a moment of the capture and returns the wall time of it.
  /// - Parameter inSteps: true where everything due on the way happens at its own moment, which decides which of two ends
  ///   was first.
  func wall(reaching time: Timestamp, inSteps: Bool) -> Timestamp {
    var reached: Timestamp?
    // A clock that stands still makes no progress.
    while inSteps, let due = simulator.nextDeadline, due < time, due != reached {
      reached = due
      pass(to: due)
    }
    return simulator.wall(showing: time)
  }

  /// Lets time pass to a moment of the capture, through everything that is due.
  func pass(to time: Timestamp) {
    wake(at: time)
    connections.deliverDue(at: time)
  }

  /// Lets time pass; the answers that are due wait.
  func wake(at time: Timestamp) { simulator.wake(at: simulator.wall(showing: time)) }
}
