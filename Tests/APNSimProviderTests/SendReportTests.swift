import APNSimWire
import Testing

@testable import APNSimProvider

@Suite struct `Notifications that are sent` {
  @Test func `a plan goes through tokens, then payloads, and counts identifiers on`() {
    let plan = NotificationPlan(
      payloads: [[0xA], [0xB]],
      tokens: [[1], [2]],
      count: 5,
      template: NotificationFrame(command: 2, token: [], payload: []),
      firstIdentifier: .max
    )
    let frames = (0..<5).map { plan.frame(at: $0) }
    #expect(frames.map(\.token) == [[1], [2], [1], [2], [1]])
    #expect(frames.map(\.payload) == [[0xA], [0xA], [0xB], [0xB], [0xA]])
    #expect(frames.map { $0.identifier?.rawValue } == [.max, 0, 1, 2, 3])
    #expect(plan.index(of: NotificationIdentifier(rawValue: 1)) == 2)
    #expect(plan.index(of: NotificationIdentifier(rawValue: 4)) == nil)
  }

  private func report(_ ending: SendEnding, first: UInt32 = 1) -> SendReport {
    let plan = NotificationPlan(count: 10, firstIdentifier: first) { _ in
      NotificationFrame(command: 1, token: [1], payload: [])
    }
    return SendReport(
      plan: plan,
      written: 5,
      bytes: 100,
      writing: .milliseconds(2),
      answering: .milliseconds(3),
      ending: ending
    )
  }

  private func answer(_ status: StatusCode, _ identifier: UInt32) -> SendEnding {
    .answered(ErrorResponse(status: status, identifier: NotificationIdentifier(rawValue: identifier)))
  }

  @Test func `an answer settles what came before it and discards what came after`() {
    let refused = report(answer(.invalidToken, 3))
    #expect(refused.refusedIndex == 2 && refused.accepted == 2 && refused.discarded == 3..<5)
    let shutdown = report(answer(.shutdown, 3))
    #expect(shutdown.refusedIndex == nil && shutdown.accepted == 3 && shutdown.discarded == 3..<5)
    let foreign = report(answer(.invalidToken, 9))
    #expect(foreign.namedIndex == nil && foreign.accepted == nil && foreign.discarded == nil)
  }

  @Test func `identifier 0 is believed only for a status that names a notification`() {
    #expect(report(answer(.invalidToken, 0), first: 0).namedIndex == 0)
    #expect(report(answer(.unknown, 0), first: 0).namedIndex == nil)
  }

  @Test func `only silence is success, and other endings leave the count open`() {
    #expect(report(.silence).isSuccess && report(.silence).accepted == 5)
    for ending in [SendEnding.closed, .stalled, .broken("reset"), .unintelligible([1])] {
      #expect(!report(ending).isSuccess && report(ending).accepted == nil)
    }
  }
}
