import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimCapture

/// Recordings of version 0.1.0 in which later versions decide otherwise: docs/journal.md lists what, and each file of
/// fixtures/captures/otherwise has one of it. The difference is shown, and it is the one that is listed.
@Suite struct `A recording in which something is decided otherwise` {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let kind: ReplayResult.Difference.Kind
    /// Parts of the first difference, as recorded and as replayed.
    let recorded: String
    let replayed: String

    var testDescription: String { name }
  }

  static let cases = [
    // The event is new: version 0.1.0 closed the connection without it.
    Case(name: "same-meaning", kind: .journal, recorded: "connectionClosed", replayed: #""event":"resent""#),
    Case(name: "canonical-text", kind: .verdict, recorded: "rejected", replayed: "delivered"),
    Case(name: "prescribed-payloads", kind: .verdict, recorded: "rejected", replayed: "delivered"),
    Case(name: "canonical-topics", kind: .answer, recorded: "0101", replayed: ""),
  ]

  @Test(arguments: cases) func `shows it as its first difference`(_ expected: Case) throws {
    let path = Fixtures.root.appendingPathComponent("captures/otherwise/\(expected.name).jsonl").path
    let replay = try Replay(CaptureReader(path: path))
    #expect(replay.isExact)
    let result = replay.run()
    let difference = try #require(result.firstDifference)
    #expect(difference.kind == expected.kind)
    #expect(Self.text(difference.recorded, difference).contains(expected.recorded))
    let replayed = Self.text(difference.replayed, difference)
    #expect(
      expected.replayed.isEmpty ? replayed.isEmpty : replayed.contains(expected.replayed),
      "\(replayed)"
    )
    #expect(result.damage == nil && result.unknownKeys.isEmpty && result.unknownEvents.isEmpty)
  }

  private static func text(_ bytes: [UInt8], _ difference: ReplayResult.Difference) -> String {
    difference.isText
      ? String(decoding: bytes, as: UTF8.self)
      : bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
