import Synchronization

/// A progress bar that the writing task may move.
final class SendProgress: Sendable {
  private let bar: Mutex<ProgressBar>
  /// A handful is written before anybody could read the bar.
  private let isWorthIt: Bool

  init(total: Int) {
    bar = Mutex(ProgressBar(total: total, noun: "notifications"))
    isWorthIt = total >= 1000
  }

  func update(_ done: Int) {
    if isWorthIt { bar.withLock { $0.update(done) } }
  }

  func finish() { bar.withLock { $0.finish() } }
}
