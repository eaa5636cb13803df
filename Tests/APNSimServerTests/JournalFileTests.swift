import APNSimGzip
import APNSimTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import APNSimServer

@Suite(.mustNotHang) struct `A recording` {
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

  @Test(arguments: ["", ".gz"])
  func `lines that were kept on their way are in the file in the end`(suffix: String) throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl\(suffix)")
    let kept = Mutex<[UInt8]>([])
    let journal = try JournalFile(path: path) { lines in
      kept.withLock { kept in
        guard let lines else { return kept }
        kept += lines
        return []
      }
    }
    let lines = Array("one\ntwo\n".utf8)
    Self.record(lines, to: journal)
    #expect(journal.finish().failure == nil)
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(suffix.isEmpty ? file == lines : try Self.inflated(file) == lines)
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    let inflater = try GzipInflater()
    var output = [UInt8](repeating: 0, count: 1024)
    let step = try bytes.withUnsafeBytes { input in
      try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
    }
    return Array(output.prefix(step.produced))
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
      #expect(result.failure?.reason == "it accepts no more bytes")
      #expect(result.lostLines == 300_000)
    }
    // The writer is let go: a pipe without a reader would end the process.
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let isLetGo = await eventually { read(reader, &bytes, bytes.count) == 0 }
    #expect(isLetGo)
  }
}
