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
    let kind: ReplayDifference.Kind
    /// Parts of the first difference, as recorded and as replayed.
    let recorded: String
    let replayed: String

    var testDescription: String { name }
  }

  static let cases = [
    // The event of what came again stands where the recording goes on.
    Case(name: "same-meaning", kind: .journal, recorded: "clock.advance", replayed: #""event":"resent""#),
    // An error response with status 8 or 1, and none.
    Case(name: "canonical-text", kind: .answer, recorded: "0808", replayed: ""),
    Case(name: "prescribed-payloads", kind: .answer, recorded: "0801", replayed: ""),
    // A tuple of another provider's feedback, and none.
    Case(name: "canonical-topics", kind: .answer, recorded: "4fc6b4810020", replayed: ""),
  ]

  @Test(arguments: cases)
  func `a recording in which something is decided otherwise shows it as its first difference`(
    _ expected: Case
  ) throws {
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

  private static func text(_ bytes: [UInt8], _ difference: ReplayDifference) -> String {
    difference.isText
      ? String(decoding: bytes, as: UTF8.self)
      : bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
