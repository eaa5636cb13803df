import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A wait on outcomes` {
  @Test func `remembers of what counted only as much as the history has`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 100 }
    let query = Query([Query.Condition(path: "outcome", matcher: .equals(.string("delivered")))])
    let (wait, _) = simulator.wait(for: query, from: .now) { _ in }
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...5000 { provider.send(Samples.frame(number)) }
    #expect(wait.progress.matched == 5000)
    #expect((100...1025).contains(wait.counted.count))
  }

  @Test func `counts what changes into its outcome once`() throws {
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
