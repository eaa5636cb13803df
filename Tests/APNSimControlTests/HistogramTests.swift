import APNSimControl
import APNSimCore
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `The histogram of notifications` {
  private static let path = "/api/v1/notifications/histogram"

  private static func counts(_ reply: TestClient.Reply, _ member: String) -> [Int] {
    reply["bars"]?.arrayValue?.compactMap { $0[member]?.intValue } ?? []
  }

  /// Sends so many good notifications in each second, and in the last of them bad ones as well.
  private static func send(_ counts: [Int], bad: Int, _ test: TestControl) throws {
    let provider = try test.provider()
    var number: UInt32 = 0
    for (second, count) in counts.enumerated() {
      for _ in 0..<count {
        number += 1
        let moment = TestControl.start + .milliseconds(Int64(second) * 1000)
        provider.send(TestControl.frame(number, #"{"aps":{"badge":\#(number % 2)}}"#), at: moment)
      }
    }
    let last = TestControl.start + .milliseconds(Int64(counts.count - 1) * 1000)
    for _ in 0..<bad {
      try test.provider().send(TestControl.frame(9, "{}", to: [1, 2, 3]), at: last)
    }
  }

  @Test func `the histogram has each notification in the slice of its time, accepted or refused`()
    async throws
  {
    try await TestControl.run { test in
      try Self.send([3, 0, 5, 2], bad: 2, test)
      let window = "from=2012-06-01T00:00:00Z&to=2012-06-01T00:00:04Z"
      let reply = try await test.http(.GET, Self.path + "?bars=4&" + window)
      #expect(
        Self.counts(reply, "accepted") == [3, 0, 5, 2] && Self.counts(reply, "refused") == [0, 0, 0, 2]
      )
      #expect(reply["step"] == .number("1000") && reply["bars.2.at"] == .string("2012-06-01T00:00:02.000Z"))
      #expect(reply["from"] == .string("2012-06-01T00:00:00.000Z"))
      #expect(reply["to"] == .string("2012-06-01T00:00:04.000Z"))
      let later = "?bars=2&from=2012-06-01T00:00:02Z&to=2012-06-01T00:00:04Z&query=payload.aps.badge:1"
      #expect(Self.counts(try await test.http(.GET, Self.path + later), "accepted") == [2, 1])
    }
  }

  @Test func `the histogram spans what the history has where nobody says, and is empty without any`()
    async throws
  {
    try await TestControl.run { test in
      let empty = try await test.http(.GET, Self.path + "?bars=3")
      #expect(Self.counts(empty, "accepted") == [0, 0, 0] && empty["marks"] == .array([]))
    }
    try await TestControl.run { test in
      try Self.send([1, 0, 0, 4], bad: 0, test)
      let all = try await test.http(.GET, Self.path)
      #expect(Self.counts(all, "accepted").count == 120 && Self.counts(all, "accepted").reduce(0, +) == 5)
      #expect(all["bars.0.accepted"] == .number("1") && all["from"] == .string("2012-06-01T00:00:00.000Z"))
    }
  }

  @Test func `the histogram marks a burst of one reason, faults and moves of the clock`() async throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: TestControl.start)
    try await TestControl.run(scenario: scenario) { test in
      try Self.send([4], bad: 0, test)
      try test.simulator.perform(.advanceClock(.minutes(10)), at: TestControl.start)
      try test.simulator.perform(
        .addRule(Rule(name: "flaky", after: 1000, action: .fault(.swallow))),
        at: TestControl.start
      )
      for _ in 0..<12 { try test.provider().send(TestControl.frame(9, "{}", to: [1, 2, 3])) }
      let reply = try await test.http(.GET, Self.path + "?bars=10")
      let marks = reply["marks"]?.arrayValue ?? []
      func text(_ kind: String) -> String? {
        marks.first { $0["kind"] == .string(kind) }?["text"]?.stringValue
      }
      #expect(text("burst") == "12 refused, mostly 5 Invalid token size")
      #expect(text("fault") == "fault on: flaky" && text("clock") == "clock moved by 10m")
    }
  }

  @Test(arguments: [
    "bars=0", "bars=1001", "from=x", "from=2012-06-01T00:00:01Z&to=2012-06-01T00:00:01Z", "query=a:",
  ])
  func `the histogram refuses what it cannot take`(_ query: String) async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, Self.path + "?" + query)
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func `the histogram bears any times`() async throws {
    try await TestControl.run { test in
      try Self.send([1], bad: 0, test)
      let wide = "?bars=7&from=-9223372036854775&to=9223372036854775"
      let reply = try await test.http(.GET, Self.path + wide)
      #expect(reply.status == 200 && Self.counts(reply, "accepted").reduce(0, +) == 1)
    }
  }
}
