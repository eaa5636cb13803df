import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A wait that looks back` {
  /// Patterns that take as many steps as they have characters for each character of a text.
  private static let costly: [Matcher] = [
    .like("*" + String(repeating: "a", count: 500) + "b"),
    .not(.contains(String(repeating: "a", count: 500) + "b")),
  ]

  private static let patterns =
    costly + ["(a|b|c){50}d"].compactMap { try? Pattern($0) }.map { .not(.matches($0)) }

  private func start(_ matcher: Matcher) throws -> (Simulator, Wait, end: UInt64) {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let payload = #"{"aps":{"alert":"\#(String(repeating: "a", count: 200))"}}"#
    for number in UInt32(1)...300 { provider.send(Samples.frame(number, payload: payload)) }
    let query = Query([Query.Condition(path: "alert", matcher: matcher)])
    let (wait, end) = simulator.wait(for: query, from: .reset) { _ in }
    return (simulator, wait, end)
  }

  @Test(arguments: patterns)
  func `a wait that looks back holds the lock for fewer notifications the more each takes`(
    matcher: Matcher
  ) throws {
    let (simulator, wait, end) = try start(matcher)
    var (looks, from): (Int, UInt64?) = (0, 1)
    while let next = from {
      from = simulator.lookBack(wait, from: next, before: end)
      looks += 1
    }
    #expect((5...50).contains(looks), "\(looks)")
    #expect(wait.progress.isComplete && wait.progress.missed == 0)
  }

  @Test func `a wait that looks back takes many at once where each takes little`() throws {
    let (simulator, wait, end) = try start(.startsWith("a"))
    #expect(simulator.lookBack(wait, from: 1, before: end) == nil)
    #expect(wait.progress.matched == 300)
  }

  @Test func `a wait that looks back says how many it had no time for`() throws {
    let (simulator, wait, end) = try start(Self.costly[1])
    let next = try #require(simulator.lookBack(wait, from: 1, before: end))
    simulator.stopLookingBack(wait, from: next, before: end)
    #expect(wait.progress.isComplete && wait.progress.missed == 301 - next)
    #expect(wait.progress.matched == Int(next) - 1)
  }
}

@Suite struct `A wait on outcomes` {
  @Test func `a wait on outcomes remembers of what counted only as much as the history has`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 100 }
    let query = Query([Query.Condition(path: "outcome", matcher: .equals(.string("delivered")))])
    let (wait, _) = simulator.wait(for: query, from: .now) { _ in }
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...5000 { provider.send(Samples.frame(number)) }
    #expect(wait.progress.matched == 5000)
    #expect((100...1025).contains(wait.counted.count))
  }

  @Test func `a wait on outcomes counts what changes into its outcome once`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 10_000 }
    let query = Query([Query.Condition(path: "outcome", matcher: .not(.equals(.string("rejected"))))])
    let (wait, _) = simulator.wait(for: query, from: .now) { _ in }
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...3000 { provider.send(Samples.frame(number)) }
    provider.send(Samples.frame(3001, to: Samples.offline))
    for number in UInt32(3002)...6000 { provider.send(Samples.frame(number)) }
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.notification(3001)?.outcome == .delivered)
    #expect(wait.progress.matched == 6000)
  }
}
