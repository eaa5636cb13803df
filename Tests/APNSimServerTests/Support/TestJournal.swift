import APNSimCore
import APNSimTestSupport
import Foundation
import Synchronization
import Testing

/// The journal of a server under test: what happened so far, and a way to wait for what shall happen.
final class TestJournal: JournalRecorder {
  private struct Waiter {
    let id: Int
    let condition: Condition
    let continuation: CheckedContinuation<Void, Never>
  }

  /// Looks at all lines, and at how many there are of each kind of event.
  private typealias Condition = @Sendable (_ lines: [String], _ counts: [Substring: Int]) -> Bool

  private struct State {
    var lines: [String] = []
    /// Kept as lines come: a journal may be long, and is waited on with every one of its lines.
    var counts: [Substring: Int] = [:]
    var waiters: [Waiter] = []
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  func record(_ bytes: UnsafeRawBufferPointer) {
    let new = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let ready = state.withLock { state in
      state.lines += new
      for line in new { state.counts[Self.event(of: line), default: 0] += 1 }
      let index = state.waiters.partition { $0.condition(state.lines, state.counts) }
      defer { state.waiters.removeSubrange(index...) }
      return Array(state.waiters[index...])
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  var lines: [String] { state.withLock { $0.lines } }

  /// The lines of one kind of event.
  func events(_ name: String) -> [String] { lines.filter { $0.contains(#""event":"\#(name)""#) } }

  /// Returns once so many events of a kind have happened.
  func wait(for name: String, count: Int = 1) async {
    await wait { _, counts in counts[name[...], default: 0] >= count }
  }

  /// The name of a line's event; empty for the header.
  private static func event(of line: String) -> Substring {
    guard let key = line.range(of: #""event":""#) else { return "" }
    return line[key.upperBound...].prefix { $0 != "\"" }
  }

  /// Returns once the journal is so long.
  func wait(forLines count: Int) async { await wait { lines, _ in lines.count >= count } }

  /// Returns once the condition holds; records an issue and gives up where that hangs, and when the test's own time is over.
  func wait(until condition: @escaping @Sendable ([String]) -> Bool) async {
    await wait { lines, _ in condition(lines) }
  }

  private func wait(_ condition: @escaping Condition) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let limit = Task {
      try await Task.sleep(for: Hang.limit)
      giveUp(id)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if condition(state.lines, state.counts) || Task.isCancelled { return true }
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
