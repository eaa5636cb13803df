package import APNSimCore
import Synchronization

/// Disconnects the reader of a stream that accepts nothing for long while very much happens.
///
/// Both conditions are needed: at full speed very much happens while a busy machine delays a good reader, and while
/// little happens a slow reader harms nobody.
package final class StreamWatch: Sendable {
  private struct State {
    var isSending = false
    /// The number of slices accepted, and its value at the last check.
    var taken = 0
    var seen = -1
    /// The time since which no slice has been accepted.
    var stalledSince: ContinuousClock.Instant?
    var isOver = false
    /// The watcher for the next check.
    var watcher: JournalWatcher?
  }

  private let simulator: Simulator
  private let mostBehind: UInt64
  private let patience: Duration
  private let cutOff: @Sendable () -> Void
  private let state = Mutex(State())

  /// The number of events that may happen while a reader accepts nothing of one slice.
  static let mostBehind: UInt64 = 100_000

  /// - Parameters:
  ///   - mostBehind: the number of events that have to happen meanwhile.
  ///   - patience: the minimum time without progress.
  ///   - cutOff: called once at most, while an event is added to the journal.
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

  /// Notes that a slice is being sent to the reader.
  package func begin() { state.withLock { $0.isSending = true } }

  /// Notes that the reader has accepted it.
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
