import APNSimCore
import Logging
import NIOCore
import Synchronization

/// The single timer of a simulator: it wakes the simulator when something is due without any input.
///
/// Any input also performs what is due; the timer serves the quiet times between. After any change that may make
/// something due later, `reconsider` is called.
final class WakeTimer: Sendable {
  private struct State {
    var due = Timestamp(rawValue: .max)
    var task: Scheduled<Void>?
    var watch: RepeatedTask?
    var isStopped = false
  }

  private let simulator: Simulator
  private let loop: any EventLoop
  /// Told of steps of the system's clock.
  private let log: ServerLog?
  private let state = Mutex(State())
  /// The longest wait, after which a later moment is reconsidered.
  private static let longest = TimeSpan.hours(1)
  /// The interval of looks at the system's clock, which may be set forward, or have gone on while the system was suspended:
  /// the loop's timers do not notice.
  private static let watchInterval = TimeAmount.seconds(1)

  init(_ simulator: Simulator, on loop: any EventLoop, _ log: ServerLog? = nil) {
    self.simulator = simulator
    self.loop = loop
    self.log = log
  }

  /// Begins to look at the system's clock.
  func start() {
    let interval = Self.watchInterval
    let watch = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in self.lookAtClock() }
    state.withLock { $0.watch = watch }
  }

  private func lookAtClock() {
    if let step = WallClock.takeStep() { log?.say(.warning, "\(step)") }
    guard state.withLock({ !$0.isStopped && $0.due <= WallClock.now() }) else { return }
    fire()
  }

  /// Schedules the timer for the next due moment.
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
      state.watch?.cancel()
      state.watch = nil
    }
  }

  private func schedule(_ moment: Timestamp) -> Scheduled<Void> {
    let wait = max(.zero, min(moment - WallClock.now(), Self.longest))
    // The wait is a millisecond longer, since moments are whole milliseconds and the loop may be early.
    return loop.scheduleTask(in: .milliseconds(wait.milliseconds + 1)) { self.fire() }
  }

  private func fire() {
    state.withLock { state in
      state.due = Timestamp(rawValue: .max)
      state.task?.cancel()
      state.task = nil
    }
    simulator.wake(at: WallClock.now())
    reconsider()
  }
}
