internal import APNSimCore
internal import NIOCore
internal import Synchronization

/// The one timer of a simulator: calls it when something is due though nothing comes in.
///
/// What is due also happens with the next input, at its own moment; the timer is for the quiet times between.
/// Whoever may have given the simulator something to do later calls `reconsider`.
final class WakeTimer: Sendable {
  private struct State {
    var due = Timestamp(rawValue: .max)
    var task: Scheduled<Void>?
    var isStopped = false
  }

  private let simulator: Simulator
  private let loop: any EventLoop
  private let state = Mutex(State())
  /// A moment that is further away is looked at again after this, since the wall clock may be set.
  private static let longest = TimeSpan.hours(1)

  init(_ simulator: Simulator, on loop: any EventLoop) {
    self.simulator = simulator
    self.loop = loop
  }

  /// Asks when something is due next, and sees to it.
  func reconsider() {
    guard let next = simulator.nextWake else { return }
    state.withLock { state in
      guard !state.isStopped, next < state.due else { return }
      state.task?.cancel()
      state.due = next
      state.task = schedule(next)
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.task?.cancel()
      state.task = nil
    }
  }

  private func schedule(_ moment: Timestamp) -> Scheduled<Void> {
    let wait = max(.zero, min(moment - WallClock.now(), Self.longest))
    // A millisecond more, since moments are whole milliseconds and the loop may be early.
    return loop.scheduleTask(in: .milliseconds(wait.milliseconds + 1)) { self.fire() }
  }

  private func fire() {
    state.withLock { state in
      state.due = Timestamp(rawValue: .max)
      state.task = nil
    }
    simulator.wake(at: WallClock.now())
    reconsider()
  }
}
