import APNSimCore
import APNSimServer
import NIOHTTP1
import Synchronization

/// The sandboxes of a server: separate simulators on ports of their own, in the same process.
final class Sandboxes: Sendable {
  private struct State {
    var next = 1
    var spaces: [String: Space] = [:]
    /// The number of sandboxes being made, which count towards the limit.
    var reserved = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let most: Int

  init(most: Int) { self.most = most }

  var count: Int { state.withLock { $0.spaces.count } }

  /// All sandboxes, in the order in which they were made.
  var all: [Space] {
    state.withLock { $0.spaces.values.sorted { Self.number($0) < Self.number($1) } }
  }

  private static func number(_ space: Space) -> Int { space.id.flatMap { Int($0.dropFirst()) } ?? 0 }

  subscript(id: String) -> Space? { state.withLock { $0.spaces[id] } }

  /// Makes a sandbox beside the main simulator, with its settings and clock unless the scenario has others.
  /// - Throws: `ProblemDetails`.
  func make(_ scenario: Scenario, beside main: Space) async throws -> Space {
    let id = try reserve()
    defer { state.withLock { $0.reserved -= 1 } }
    do {
      let space = Space(id: id, server: try await main.server.startSandbox(scenario))
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.spaces[id] = space }
        return state.hasEnded
      }
      guard !hasEnded else {
        await space.server.stop()
        throw CancellationError()
      }
      return space
    } catch let error as APNSimCore.CommandError {
      throw ProblemDetails(error)
    } catch let error as ServerError {
      throw ProblemDetails(.serviceUnavailable, title: "No room for a sandbox", detail: error.description)
    }
  }

  private func reserve() throws(ProblemDetails) -> String {
    let id: String? = state.withLock { state in
      guard state.spaces.count + state.reserved < most else { return nil }
      state.reserved += 1
      defer { state.next += 1 }
      return "s\(state.next)"
    }
    guard let id else {
      throw .conflict(
        "there are already \(most) sandboxes, the maximum",
        hint: "DELETE /sandboxes/{id} ends one"
      )
    }
    return id
  }

  /// Ends a sandbox and drains its connections; false if there is none of that name.
  func end(_ id: String) async -> Bool {
    guard let space = state.withLock({ $0.spaces.removeValue(forKey: id) }) else { return false }
    space.ending.fire()
    await space.server.stop()
    return true
  }

  func endAll() async {
    let ids = state.withLock { state in
      state.hasEnded = true
      return Array(state.spaces.keys)
    }
    await withDiscardingTaskGroup { tasks in
      for id in ids { tasks.addTask { _ = await self.end(id) } }
    }
  }
}
