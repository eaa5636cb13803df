package import APNSimCore
internal import Synchronization

/// Cuts off the reader of a stream that takes nothing for long while very much happens.
///
/// Neither is enough alone: at full speed very much happens while a busy machine leaves a good reader waiting for its
/// turn, and where little happens nobody is in a reader's way.
package final class StreamWatch: Sendable {
  private struct State {
    var isSending = false
    /// Stretches that were taken, and how many there were at the last look.
    var taken = 0
    var seen = -1
    /// Since when nothing more has been.
    var stalledSince: ContinuousClock.Instant?
    var isOver = false
    /// What waits for the next look.
    var watcher: JournalWatcher?
  }

  private let simulator: Simulator
  private let mostBehind: UInt64
  private let patience: Duration
  private let cutOff: @Sendable () -> Void
  private let state = Mutex(State())

  /// How many events may happen while a reader takes nothing of one stretch.
  static let mostBehind: UInt64 = 100_000

  /// - Parameters:
  ///   - mostBehind: how many events have to happen meanwhile.
  ///   - patience: how long it has to last.
  ///   - cutOff: is called once at most, when the journal comes to it.
  package init(
    _ simulator: Simulator,
    mostBehind: UInt64,
    patience: Duration,
    cutOff: @escaping @Sendable () -> Void
  ) {
    self.simulator = simulator
    self.mostBehind = mostBehind
    self.patience = patience
    self.cutOff = cutOff
  }

  package func start() {
    let seq = simulator.nextSeq &+ mostBehind
    guard let watcher = simulator.whenJournalReaches(seq, { [weak self] in self?.look() }) else { return }
    let isOver = state.withLock { state in
      state.watcher = watcher
      return state.isOver
    }
    if isOver { simulator.forget(watcher) }
  }

  /// A stretch is on its way to the reader.
  package func begin() { state.withLock { $0.isSending = true } }

  /// The reader has taken it.
  package func end() {
    state.withLock { state in
      state.isSending = false
      state.taken += 1
    }
  }

  package func stop() {
    let watcher = state.withLock { state in
      state.isOver = true
      return state.watcher
    }
    if let watcher { simulator.forget(watcher) }
  }

  private func look() {
    let now = ContinuousClock.now
    let (isOver, isLost) = state.withLock { state in
      let isStalled = state.isSending && state.seen == state.taken
      state.seen = state.taken
      state.stalledSince = isStalled ? state.stalledSince ?? now : nil
      return (state.isOver, state.stalledSince.map { now - $0 >= patience } ?? false)
    }
    if isOver { return }
    if isLost { cutOff() } else { start() }
  }
}
