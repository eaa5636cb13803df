import NIOHTTP1
import Synchronization
import Testing

@testable import APNSimControl

@Suite struct `Work that takes long` {
  @Test func `work that takes long is done one at a time`() async {
    let turns = Turns()
    let work = Work()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await turns.take()
          work.begin()
          await Task.yield()
          work.end()
          turns.leave()
        }
      }
    }
    #expect(work.mostAtOnce == 1 && work.count == 200)
  }

  @Test func `work that takes long waits until the one before is done`() async {
    let turns = Turns()
    let work = Work()
    await turns.take()
    work.begin()
    let second = Task {
      await turns.take()
      work.begin()
      turns.leave()
    }
    await Task.yield()
    #expect(work.count == 1)
    work.end()
    turns.leave()
    await second.value
    #expect(work.mostAtOnce == 1 && work.count == 2)
  }

  @Test func `work that takes long is done for each of many large bodies, and others are answered meanwhile`()
    async throws
  {
    try await TestControl.run { test in
      let comment = String(repeating: "# \(String(repeating: "x", count: 97))\n", count: 10_000)
      let checks = (0..<8).map { _ in
        Task {
          try await test.http(
            .POST,
            "/api/v1/scenario/check",
            comment + "version: 2\n",
            type: "application/yaml"
          )
        }
      }
      let clock = try await test.http(.GET, "/api/v1/clock")
      #expect(clock.status == 200)
      for check in checks { #expect(try await check.value.text.contains(#""mistakes":["#)) }
    }
  }
}

/// Counts how much is done at once.
private final class Work: Sendable {
  private let state = Mutex((now: 0, most: 0, count: 0))

  var mostAtOnce: Int { state.withLock { $0.most } }
  var count: Int { state.withLock { $0.count } }

  func begin() {
    state.withLock { state in
      state.now += 1
      state.count += 1
      state.most = max(state.most, state.now)
    }
  }

  func end() { state.withLock { $0.now -= 1 } }
}
