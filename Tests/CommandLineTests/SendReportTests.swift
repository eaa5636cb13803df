import APNSimProvider
import APNSimTLS
import APNSimWire
import Testing

@testable import apnsim

@Suite struct `Reports of send` {
  private let target = ProviderTarget(
    host: "127.0.0.1",
    port: 2195,
    certificateFile: "p.pem",
    keyFile: nil,
    password: "",
    trust: .anyServer
  )

  private func report(
    _ ending: SendEnding,
    written: Int = 5,
    command: UInt8 = 1,
    first: UInt32 = 1
  ) -> SendReport {
    let plan = NotificationPlan(
      payloads: [[0x7B, 0x7D]],
      tokens: [[1], [2]],
      count: 10,
      template: NotificationFrame(command: command, token: [], payload: []),
      firstIdentifier: first
    )
    return SendReport(
      plan: plan,
      written: written,
      bytes: 100,
      writing: .milliseconds(2),
      answering: .milliseconds(3),
      ending: ending
    )
  }

  private func answer(_ status: StatusCode, _ identifier: UInt32) -> SendEnding {
    .answered(ErrorResponse(status: status, identifier: NotificationIdentifier(rawValue: identifier)))
  }

  @Test func `silence is success`() {
    let report = report(.silence)
    #expect(report.accepted == 5)
    #expect(
      SendSummary(report, target: target).lines(.plain) == [
        "sent 5 notifications to 127.0.0.1:2195", "accepted: no answer, which means success",
      ]
    )
  }

  @Test func `an error response names the refused one, what stands and what has to be sent again`() {
    let report = report(answer(.invalidToken, 3))
    #expect(report.refusedIndex == 2)
    #expect(report.accepted == 2)
    #expect(report.discarded == 3..<5)
    #expect(
      SendSummary(report, target: target).lines(.plain) == [
        "sent 5 notifications to 127.0.0.1:2195",
        "status 8 Invalid token  identifier 00000003, notification 3 of 5",
        "2 notifications before it accepted, 2 after it discarded unread: to be sent again",
      ]
    )
    #expect(SendSummary(report, target: target).status == .failed)
  }

  @Test func `a shutdown names the last one accepted`() {
    let report = report(answer(.shutdown, 3))
    #expect(report.refusedIndex == nil)
    #expect(report.accepted == 3)
    #expect(report.discarded == 3..<5)
  }

  @Test func `an answer that names none of ours leaves everything open`() {
    let report = report(answer(.unknown, 0), first: 0)
    #expect(report.namedIndex == nil)
    #expect(report.accepted == nil)
    #expect(SendSummary(report, target: target).lines(.plain).last?.contains("no telling which") == true)
  }

  @Test func `identifier 0 is believed where it was sent`() {
    #expect(report(answer(.invalidToken, 0), first: 0).refusedIndex == 0)
  }

  @Test func `a close without an answer is explained for command 0`() {
    let summary = SendSummary(report(.closed, command: 0), target: target)
    #expect(summary.status == .failed)
    #expect(
      summary.hints == [
        "command 0 has no error response: a notification was refused, but there is no telling which"
      ]
    )
  }

  @Test func `the result for programs has stable keys`() throws {
    #expect(
      try JSONLine.text(SendResult(report(answer(.invalidPayloadSize, 2)))) == """
        {"accepted":1,"answer":{"identifier":"00000002","milliseconds":3,"name":"Invalid payload size",\
        "notification":2,"status":7},"bytes":100,"discarded":3,"milliseconds":2,"outcome":"rejected","sent":5}
        """
    )
    #expect(
      try JSONLine.text(SendResult(report(.silence)))
        == #"{"accepted":5,"bytes":100,"milliseconds":2,"outcome":"accepted","sent":5}"#
    )
  }

  @Test func `the demo tells its story`() {
    let demo = DemoPlan(tokens: [])
    let report = SendReport(
      plan: demo.plan,
      written: 6,
      bytes: 1,
      writing: .zero,
      answering: .milliseconds(2),
      ending: answer(.invalidTokenSize, 5)
    )
    let story = DemoStory(demo: demo, report: report)
    #expect(story.isAsExpected)
    #expect(
      story.lines(.plain) == [
        "sent",
        "  1  command 0                       good: the simple format, which cannot be answered",
        "  2  command 1  identifier 00000002  good: the enhanced format, with identifier and expiry",
        "  3  command 2  identifier 00000003  good: the framed format of later years",
        "  4  command 1  identifier 00000004  good, but its device lost the app: see `apnsim feedback read`",
        "  5  command 1  identifier 00000005  bad: its device token is a byte short",
        "  6  command 1  identifier 00000006  good, but sent after the bad one",
        "came back",
        "  08 05 00000005  status 5 (Invalid token size) for notification 5, after 2 ms",
        "  1 accepted: success is silence",
        "  2 accepted: success is silence",
        "  3 accepted: success is silence",
        "  4 accepted: success is silence",
        "  5 refused: bad: its device token is a byte short",
        "  6 discarded unread: to be sent again over a new connection",
      ]
    )
  }

  @Test func `a demo that goes otherwise says why that may be`() {
    let demo = DemoPlan(tokens: [])
    let report = SendReport(plan: demo.plan, written: 5, bytes: 1, writing: .zero, ending: .closed)
    let story = DemoStory(demo: demo, report: report)
    #expect(!story.isAsExpected)
    #expect(story.hints.count == 1)
  }
}
