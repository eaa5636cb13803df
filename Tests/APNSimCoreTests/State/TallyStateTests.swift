import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A tally that is kept` {
  static var tally: Tally {
    var tally = Tally()
    for (index, outcome) in Outcome.allCases.enumerated() {
      for _ in 0...index { tally.settle(outcome) }
      tally.countRequest(outcome)
    }
    var submission = Submission()
    submission.end = 99
    for (status, interface) in [
      (8, Interface.binary(command: 1, defect: .none)), (Reason.badTopic.rawValue, .http2),
    ] {
      submission.interface = interface
      var record = NotificationRecord(
        seq: 1,
        time: Moment.start,
        evidence: 0,
        connection: ConnectionID(rawValue: 1),
        read: 0,
        submission,
        outcome: .rejected
      )
      record.status = status
      tally.count(record)
    }
    tally.exchanges.leaveUnanswered()
    tally.exchanges.delay(.seconds(2))
    for reason in [nil, Reason.badTopic, .shutdown, .badTopic] {
      tally.exchanges.answer(reason?.status ?? 200, reason)
    }
    return tally
  }

  private static func bytes(_ tally: Tally) -> [UInt8] {
    var state = StateWriter()
    tally.write(to: &state)
    return state.array
  }

  private static func read(_ bytes: [UInt8]) throws -> Tally {
    try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      return try Tally(reading: &state)
    }
  }

  @Test func `a tally that is kept goes on counting`() throws {
    var tally = Self.tally
    var other = try Self.read(Self.bytes(tally))
    #expect(Self.bytes(other) == Self.bytes(tally))
    #expect(other.exchanges.answers == tally.exchanges.answers)
    #expect(other.bytes == 198 && other.rejected[8] == 1)
    #expect(other.rejectedRequests[Int(Reason.badTopic.rawValue)] == 1)
    tally.exchanges.answer(503, .serviceUnavailable)
    other.exchanges.answer(503, .serviceUnavailable)
    #expect(Self.bytes(other) == Self.bytes(tally))
  }
}
