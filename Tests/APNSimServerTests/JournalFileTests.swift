import APNSimTestSupport
import Dispatch
import Foundation
import Testing

@testable import APNSimServer

@Suite(.timeLimit(.minutes(5))) struct `A recording` {
  private static func record(_ lines: [UInt8], to journal: JournalFile) {
    lines.withUnsafeBytes { journal.record($0) }
  }

  @Test(arguments: ["", ".gz"])
  func `lines that come all at once are taken, however many`(suffix: String) throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl\(suffix)")
    let journal = try JournalFile(path: path)
    let line = Array(#"{"event":"commandAccepted"}"#.utf8) + [UInt8(ascii: "\n")]
    Self.record(line, to: journal)
    Self.record((0..<400_000).flatMap { _ in line }, to: journal)
    Self.record(line, to: journal)
    let result = journal.finish()
    #expect(result.failure == nil && result.lostLines == 0)
  }

  @Test func `a pipe that nobody reads does not hold up the end, which says how much is lost`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("pipe-\(UUID())")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    do {
      let journal = try JournalFile(path: path)
      Self.record([UInt8](repeating: UInt8(ascii: "\n"), count: 300_000), to: journal)
      let result = journal.finish(within: .milliseconds(200))
      #expect(result.failure?.reason == "it takes no more bytes")
      #expect(result.lostLines == 300_000)
    }
    // The writer is let go: a pipe without a reader would end the process.
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while read(reader, &bytes, bytes.count) != 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
