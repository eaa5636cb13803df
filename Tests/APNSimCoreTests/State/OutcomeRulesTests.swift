import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

/// docs/journal.md has the table of ``ChangedOutcome``. `UPDATE=yes` writes it anew.
@Suite struct `The table of outcomes that changed` {
  private static let head = "| `rules` | of | before | now | setting |\n|---|---|---|---|---|\n"

  @Test func `the document of the journal has the outcomes that changed as the program has them`() throws {
    let file = Fixtures.root.deletingLastPathComponent().appendingPathComponent("docs/journal.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: Self.head)).lowerBound
    let end = try #require(text[start...].range(of: "\n\n")).lowerBound
    let written = text[start..<end] + "\n"
    if written != Self.table, ProcessInfo.processInfo.environment["UPDATE"] == "yes" {
      try text.replacingCharacters(in: start...end, with: Self.table)
        .write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(written == Self.table)
  }

  private static var table: String {
    ChangedOutcome.allCases.reduce(into: head) { table, outcome in
      let row = outcome.row
      let setting = row.setting.map { "`\($0)`" } ?? "–"
      table += "| \(outcome.generation.rawValue) | \(row.of) | \(row.before) | \(row.now) | \(setting) |\n"
    }
  }

  @Test func `the first generation has no outcome that changed, the present one has each`() {
    for outcome in ChangedOutcome.allCases {
      #expect(!OutcomeRules.first.have(outcome) && OutcomeRules.current.have(outcome))
    }
  }
}
