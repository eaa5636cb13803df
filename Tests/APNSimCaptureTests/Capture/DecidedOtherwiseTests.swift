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

/// A recording of version 0.2 names no generation of outcomes. `fixtures/captures/otherwise/rules` has one of each that a
/// later generation decides otherwise.
@Suite struct `A recording by an earlier generation of outcomes` {
  private static func lines(_ outcome: ChangedOutcome) throws -> [String] {
    let file = "captures/otherwise/rules/\(outcome.rawValue).jsonl"
    return String(decoding: try Fixtures.data(file), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: ChangedOutcome.allCases.filter { !$0.isOfEvidence })
  func `a recording that names no generation is replayed to the byte, by what was decided then`(
    _ outcome: ChangedOutcome
  ) throws {
    let recorded = try Self.lines(outcome)
    let replay = try Replay(NativeCapture.reader(recorded))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.firstDifference == nil && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
  }

  @Test(arguments: ChangedOutcome.allCases.filter { !$0.isOfEvidence })
  func `a recording that names the present generation is decided by it`(_ outcome: ChangedOutcome) throws {
    var lines = try Self.lines(outcome)
    lines[0] = lines[0].replacing(#","settings":"#, with: #","rules":2,"settings":"#, maxReplacements: 1)
    let replay = try Replay(NativeCapture.reader(lines))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    #expect(replay.run().firstDifference != nil)
    #expect(journal.lines[0] == lines[0])
  }

  @Test(arguments: ["3", "0", "-1", #""2""#, "1.5", "null"])
  func `a generation that this program does not have is refused with the first line`(rules: String) {
    #expect(throws: CaptureFailure.self) {
      try NativeCapture.reader([#"{"apnsim":"journal","version":1,"rules":\#(rules),"seed":1}"#])
    }
  }

  @Test func `an imported capture names the present generation, and an earlier one none`() throws {
    let line = String(decoding: CaptureHeader().importedLine, as: UTF8.self)
    #expect(line == #"{"apnsim":"journal","version":1,"rules":2}"# + "\n")
    #expect(try NativeCapture.reader([line]).header.rules == .second)
    #expect(try NativeCapture.reader([#"{"apnsim":"journal","version":1}"#]).header.rules == .first)
  }
}
