import APNSimCore
import NIOCore
import Synchronization

/// Timers of simulated time for connections: faults that the server performs last by the scenario's clock, so a
/// virtual clock that stands still holds them, and one that is advanced releases them.
///
/// The simulator only knows the reminders' numbers. The callbacks are kept here, so that a closed connection leaves
/// nothing in the simulator.
final class SimulatedTimers: Sendable {
  private struct State {
    var last: UInt32 = 0
    var waiting: [Reminder: @Sendable () -> Void] = [:]
  }

  private let simulator: Simulator
  private let wakeTimer: WakeTimer
  private let state = Mutex(State())

  init(_ simulator: Simulator, _ wakeTimer: WakeTimer) {
    self.simulator = simulator
    self.wakeTimer = wakeTimer
  }

  /// Runs `body` on the loop, from which this is called, once the span of simulated time has passed.
  @discardableResult
  func schedule(after span: TimeSpan, on loop: any EventLoop, _ body: @escaping () -> Void) -> Reminder {
    let bound = NIOLoopBound(body, eventLoop: loop)
    let reminder = state.withLock { state in
      state.last &+= 1
      let reminder = Reminder(rawValue: state.last)
      state.waiting[reminder] = { loop.execute { bound.value() } }
      return reminder
    }
    simulator.remind(reminder, after: span, at: WallClock.now())
    wakeTimer.reconsider()
    return reminder
  }

  func cancel(_ reminder: Reminder) {
    if take(reminder) != nil { simulator.forget(reminder) }
  }

  /// Runs the callback of a reminder that is due.
  func fire(_ reminder: Reminder) { take(reminder)?() }

  func stop() { state.withLock { $0.waiting = [:] } }

  private func take(_ reminder: Reminder) -> (@Sendable () -> Void)? {
    state.withLock { $0.waiting.removeValue(forKey: reminder) }
  }
}
