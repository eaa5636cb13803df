import APNSimCapture
import APNSimCore
import APNSimTestSupport
import Testing

@testable import APNSimImport

@Suite struct `Commands of a native capture` {
  private func lines() throws -> [String] {
    let lines = try NativeCapture.lines([NativeCapture.frame(1)])
    let command = #""event":"command","do":{"rule.add":{"reply":{"status":8}}}}"#
    return lines + [#"{"seq":\#(lines.count),"time":"2012-06-01T00:00:00.000Z",\#(command)"#]
  }

  @Test func `commands of a native capture are left out where captures are put together, which is said`()
    throws
  {
    let folder = try TemporaryDirectory()
    let one = try folder.write("one.jsonl", NativeCapture.bytes(lines()))
    let other = try NativeCapture.lines([NativeCapture.frame(2)])
    let two = try folder.write("two.jsonl", NativeCapture.bytes(other))
    let (entries, summary) = try ImportSpy.run([one, two])
    #expect(!entries.contains { if case .command = $0.kind { true } else { false } })
    #expect(summary.frames == 2 && summary.gatewayConnections == 2)
    #expect(
      summary.notes.filter { $0.contains("command") } == [
        "1 command of one.jsonl left out: captures put together have no common history"
      ]
    )
  }

  @Test func `commands are gone from an import, but not that a simulator's silence was an answer`() throws {
    let folder = try TemporaryDirectory()
    let paths = try ["one", "two"].map { name in
      try folder.write("\(name).jsonl", NativeCapture.bytes(NativeCapture.lines([NativeCapture.frame(1)])))
    }
    let (entries, _) = try ImportSpy.run(paths)
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "journal", name: "one.jsonl, two.jsonl")
    var writer = CaptureWriter(header)
    for entry in entries { writer.write(entry) }
    let merged = writer.takeLines()
    func differences(_ settings: [SettingAssignment]) throws -> UInt64 {
      var options = ReplayOptions()
      options.settings = settings
      return try Replay(CaptureReader(name: "merged", bytes: merged), options: options).run().differences
    }
    #expect(try differences([]) == 0)
    #expect(try differences([SettingAssignment(name: "tokens", text: "known")]) == 2)
  }

  @Test func `commands of a native capture are copied with everything else of the only capture`() throws {
    let folder = try TemporaryDirectory()
    let lines = try lines()
    let path = try folder.write("one.jsonl", NativeCapture.bytes(lines))
    var capture = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { _ in })
    var copied: [String] = []
    try capture.copy(path) { copied.append(String(decoding: $0, as: UTF8.self)) }
    #expect(copied == lines)
    #expect(capture.finish().notes == [])
  }
}
