import APNSimCore
import Synchronization
import Testing

/// The journal of a server under test: what happened so far, and a way to wait for what shall happen.
final class TestJournal: JournalRecorder {
  private struct Waiter {
    let id: Int
    let condition: @Sendable ([String]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var lines: [String] = []
    var waiters: [Waiter] = []
    var lastWaiter = 0
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

  /// Returns once the condition holds; records an issue and gives up after a time in which nothing can take so long,
  /// and when the test's own time is over.
  func wait(until condition: @escaping @Sendable ([String]) -> Bool) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let limit = Task {
      try await Task.sleep(for: .seconds(60))
      giveUp(id)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if condition(state.lines) || Task.isCancelled { return true }
          state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      giveUp(id)
    }
    limit.cancel()
  }

  private func giveUp(_ id: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    guard let waiter else { return }
    Issue.record("the journal never said what was waited for:\n\(lines.suffix(20).joined(separator: "\n"))")
    waiter.continuation.resume()
  }
}
