internal import APNSimCore
internal import Synchronization

/// Cuts off the reader of a stream that takes nothing while very much happens: by events, not by time.
final class StreamWatch: Sendable {
  private struct State {
    var isSending = false
    /// Stretches that were taken, and how many there were at the last look.
    var taken = 0
    var seen = -1
    var isOver = false
    /// What waits for the next look.
    var watcher: JournalWatcher?
  }

  private let simulator: Simulator
  private let mostBehind: UInt64
  private let cutOff: @Sendable () -> Void
  private let state = Mutex(State())

  /// How many events may happen while a reader takes nothing of one stretch.
  static let mostBehind: UInt64 = 100_000

  init(
    _ simulator: Simulator,
    mostBehind: UInt64 = StreamWatch.mostBehind,
    cutOff: @escaping @Sendable () -> Void
  ) {
    self.simulator = simulator
    self.mostBehind = mostBehind
    self.cutOff = cutOff
  }

  func start() {
    let seq = simulator.nextSeq &+ mostBehind
    guard let watcher = simulator.whenJournalReaches(seq, { [weak self] in self?.look() }) else { return }
    let isOver = state.withLock { state in
      state.watcher = watcher
      return state.isOver
    }
    if isOver { simulator.forget(watcher) }
  }

  func begin() { state.withLock { $0.isSending = true } }

  func end() {
    state.withLock { state in
      state.isSending = false
      state.taken += 1
    }
  }

  func stop() {
    let watcher = state.withLock { state in
      state.isOver = true
      return state.watcher
    }
    if let watcher { simulator.forget(watcher) }
  }

  private func look() {
    let (isOver, isStalled) = state.withLock { state in
      defer { state.seen = state.taken }
      return (state.isOver, state.isSending && state.seen == state.taken)
    }
    if isOver { return }
    if isStalled { cutOff() } else { start() }
  }
}
