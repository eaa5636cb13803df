internal import Synchronization

/// Tells what runs for long (waits, streams) that it is to end.
final class Ending: Sendable {
  private struct State {
    var hasCome = false
    var next = 0
    var listeners: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Calls back at the end, at once if it has come. The number is for `forget`.
  func whenEnding(_ body: @escaping @Sendable () -> Void) -> Int {
    let (token, hasCome) = state.withLock { state in
      state.next += 1
      if !state.hasCome { state.listeners[state.next] = body }
      return (state.next, state.hasCome)
    }
    if hasCome { body() }
    return token
  }

  func forget(_ token: Int) { state.withLock { $0.listeners[token] = nil } }

  func come() {
    let listeners = state.withLock { state in
      state.hasCome = true
      defer { state.listeners = [:] }
      return state.listeners.sorted { $0.key < $1.key }.map(\.value)
    }
    for listener in listeners { listener() }
  }
}
