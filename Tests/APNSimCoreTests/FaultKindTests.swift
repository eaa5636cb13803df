import APNSimTestSupport
import Testing

@testable import APNSimCore

@Suite struct `The kinds of faults` {
  @Test func `no two faults have a name or a tag in common`() {
    let tags = FaultKind.allCases.compactMap(\.tag)
    #expect(Set(tags).count == tags.count && !tags.contains(.max))
    #expect(Set(FaultKind.names).count == FaultKind.allCases.count)
  }

  @Test func `faults keep the tags with which states were kept`() {
    let names = FaultKind.allCases.filter { $0.tag != nil }.sorted { $0.tag ?? 0 < $1.tag ?? 0 }.map(\.name)
    #expect(
      names.prefix(26) == [
        "swallow", "close", "reset", "stopReading", "unavailable", "lateUnregistered", "goaway",
        "resetStream",
        "unanswered", "slowAnswer", "maxStreams", "stickyServerError", "refuseHandshake", "acceptDelay",
        "latency",
        "jitter", "slice", "closeAfterHandshake", "idleClose", "blackHole", "zeroWindow", "ignorePing",
        "ignoreSettings", "feedbackHoldOpen", "feedbackTruncate", "feedbackKeep",
      ]
    )
  }

  @Test func `arguments are kept in their parameters' order, after the tag`() throws {
    let outage = Fault.unavailable(Fault.Outage(requests: 2))
    #expect(StateBytes.of { outage.write(to: &$0) } == [4, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let slice = Fault.slice(3, .milliseconds(1))
    #expect(StateBytes.of { slice.write(to: &$0) } == [16, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: FaultSamples.all) func `a fault that is kept is read as itself`(fault: Fault) throws {
    let bytes = StateBytes.of { fault.write(to: &$0) }
    #expect(try StateBytes.read(bytes) { try Fault(reading: &$0) } == fault)
  }

  @Test func `a tag that no fault has is refused, and so is a choice that there is not`() {
    let next = (FaultKind.allCases.compactMap(\.tag).max() ?? 0) + 1
    for tag in [next, .max] {
      #expect(throws: StateError.self) { _ = try StateBytes.read([tag]) { try Fault(reading: &$0) } }
    }
    let goAway = StateBytes.of { Fault.goaway(Fault.GoAway(then: .open)).write(to: &$0) }
    let other = goAway.map { $0 == UInt8(ascii: "p") ? UInt8(ascii: "q") : $0 }
    #expect(throws: StateError.self) { _ = try StateBytes.read(other) { try Fault(reading: &$0) } }
  }

  @Test func `a plan keeps a fault that is newer than its members as itself, and has its effect again`()
    throws
  {
    var plan = ConnectionPlan()
    plan.more.keepsFeedback = true
    let usual = StateBytes.of { plan.write(to: &$0) }
    plan.more.faults = [ConnectionPlan.More.Added(fault: .latency(.seconds(1)), seed: 5)]
    let bytes = StateBytes.of { plan.write(to: &$0) }
    #expect(usual.last == 1 && bytes.starts(with: usual.dropLast() + [3]))
    let read = try StateBytes.read(bytes) { try ConnectionPlan(reading: &$0) }
    #expect(read.latency == .seconds(1) && read.more == plan.more)
  }

  @Test(arguments: FaultSamples.all) func `two faults are one where kind and arguments are`(fault: Fault) {
    #expect(fault == Fault(fault.kind, fault.arguments) && Set([fault, fault]).count == 1)
    #expect(FaultSamples.all.count { $0.kind == fault.kind } == 2)
  }

  @Test(arguments: FaultSamples.all) func `each fault has something that a provider sees`(fault: Fault) {
    #expect(
      !fault.kind.sights(of: fault).isEmpty && !fault.kind.meaning.isEmpty && !fault.kind.advice.isEmpty
    )
  }
}
