import DequeModule
import Synchronization

/// Lets one after the other do what takes long, in the order in which they came, so that the threads that answer requests are
/// not all taken by it.
final class Turns: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isTaken = false
    var waiting: Deque<CheckedContinuation<Void, Never>> = []
  }

  /// Waits for its turn, which `leave` ends.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.waiting.popFirst()
    }
    next?.resume()
  }
}
