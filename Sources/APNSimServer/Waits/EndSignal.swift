import Synchronization

/// A signal to long-running answers (waits, streams) that they are to end.
package final class EndSignal: Sendable {
  private struct State {
    var hasFired = false
    var next = 0
    var listeners: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var hasFired: Bool { state.withLock { $0.hasFired } }

  /// Calls back when the signal fires, at once if it has. The returned number is for `forget`.
  package func whenFired(_ body: @escaping @Sendable () -> Void) -> Int {
    let (token, hasFired) = state.withLock { state in
      state.next += 1
      if !state.hasFired { state.listeners[state.next] = body }
      return (state.next, state.hasFired)
    }
    if hasFired { body() }
    return token
  }

  package func forget(_ token: Int) { state.withLock { $0.listeners[token] = nil } }

  package func fire() {
    let listeners = state.withLock { state in
      state.hasFired = true
      defer { state.listeners = [:] }
      return state.listeners.sorted { $0.key < $1.key }.map(\.value)
    }
    for listener in listeners { listener() }
  }
}
