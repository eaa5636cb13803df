import APNSimCore
import Synchronization

/// The journal of a server under test: what happened so far, and a way to wait for what shall happen.
final class TestJournal: JournalRecorder {
  private struct State {
    var lines: [String] = []
    var waiters: [(condition: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
      []
  }

  private let state = Mutex(State())

  func record(_ bytes: UnsafeRawBufferPointer) {
    let new = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let ready = state.withLock { state in
      state.lines += new
      let lines = state.lines
      let ready = state.waiters.filter { $0.condition(lines) }
      state.waiters.removeAll { $0.condition(lines) }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  var lines: [String] { state.withLock { $0.lines } }

  /// The lines of one kind of event.
  func events(_ name: String) -> [String] { lines.filter { $0.contains(#""event":"\#(name)""#) } }

  /// Returns once so many events of a kind have happened.
  func wait(for name: String, count: Int = 1) async {
    await wait { lines in
      lines.reduce(0) { $0 + ($1.contains(#""event":"\#(name)""#) ? 1 : 0) } >= count
    }
  }

  /// Returns once the journal is so long; gives up after a time in which nothing can take so long.
  func wait(forLines count: Int) async {
    let end = ContinuousClock.now + .seconds(20)
    while state.withLock({ $0.lines.count }) < count, ContinuousClock.now < end { await Task.yield() }
  }

  func wait(until condition: @escaping @Sendable ([String]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if condition(state.lines) { return true }
        state.waiters.append((condition, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
