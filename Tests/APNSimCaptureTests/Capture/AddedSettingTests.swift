import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimCapture

/// A setting that the program gets later leaves earlier recordings as they are.
@Suite struct `A setting that is added` {
  /// One of a later version, which decides nothing here.
  private static let added = Setting.number("later", 0...9, \.limits.deviceApps, "").omittedAtDefault()

  /// The settings of version 0.1.0, which every header names. A setting that joins the table is declared
  /// `omittedAtDefault()`: with another name in this list, earlier recordings would no longer be exact.
  private static let named = [
    "edition", "commands", "payload", "tokens", "badgeAbsent", "quirk", "storagePeriod", "idleClose",
    "feedbackKeep",
    "magicTokens", "enforce", "keep",
  ]

  @Test func `an added setting is no longer named by every header`() {
    #expect(Setting.all.filter { !$0.isOmittedAtDefault }.map(\.name) == Self.named)
  }

  @Test(arguments: KeptRecordings.names)
  func `an added setting leaves the header of an earlier recording as it was`(
    name: String
  ) throws {
    // The mark of a redaction was put into the line after it was recorded.
    let recorded = try KeptRecordings.header(of: name).replacing(
      #""redacted":true,"#,
      with: "",
      maxReplacements: 1
    )
    var header = try Self.header(recorded)
    #expect(String(decoding: header.line, as: UTF8.self) == recorded + "\n")
    header.settings = Setting.all + [Self.added]
    #expect(String(decoding: header.line, as: UTF8.self) == recorded + "\n")
    try Self.added.apply("7", to: &header.configuration)
    let line = String(decoding: header.line, as: UTF8.self)
    let isNamed = #","later":"7"},"scenario""#
    #expect(line == recorded.replacing(#"},"scenario""#, with: isNamed, maxReplacements: 1) + "\n")
  }

  @Test(arguments: named)
  func `an added setting need not be in a recording, which is replayed by its default`(setting: String)
    throws
  {
    let recorded = try KeptRecordings.lines(of: "scenarios/idle-connection.jsonl.gz")
    let header = try Self.without(setting, recorded[0])
    let replay = try Replay(NativeCapture.reader([header] + recorded.dropFirst()))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run { #expect($0.isSame) }
    #expect(result.notifications > 0 && result.damage == nil && result.unknownKeys.isEmpty)
    #expect(journal.lines == recorded)
  }

  /// A header, as a simulator would write it.
  private static func header(_ line: String) throws -> JournalHeader {
    let read = try NativeCapture.reader([line]).header
    var configuration = Configuration()
    configuration.rules = read.rules
    for assignment in read.settings {
      try #require(Setting.named(assignment.name)).apply(assignment.text, to: &configuration)
    }
    return JournalHeader(
      seed: try #require(read.seed),
      start: try #require(read.start),
      isVirtual: read.isVirtual,
      scenario: try ScenarioFile.parse(
        written: String(decoding: try #require(read.scenario), as: UTF8.self),
        name: "header"
      ),
      configuration: configuration,
      now: try #require(read.start)
    )
  }

  private static func without(_ setting: String, _ header: String) throws -> String {
    let settings = try #require(header.range(of: #""settings":\{[^}]*\}"#, options: .regularExpression))
    let rest = header[settings].replacing("{\"", with: "{,\"")
      .replacingOccurrences(of: #","\#(setting)":"[^"]*""#, with: "", options: .regularExpression)
      .replacing("{,", with: "{")
    let shortened = header.replacingCharacters(in: settings, with: rest)
    try #require(shortened.count < header.count)
    return shortened
  }
}
