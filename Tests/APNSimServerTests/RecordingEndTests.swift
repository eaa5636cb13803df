import APNSimGzip
import APNSimSystem
import APNSimTestSupport
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import APNSimServer

/// A recording in which another process goes on.
@Suite(.mustNotHang) struct `The end of a recording` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let header = #"{"apnsim":"journal","version":1,"seed":7}"#

  private static func line(_ seq: Int) -> String {
    #"{"seq":\#(seq),"time":"2012-06-01T00:00:00.000Z","event":"notification","raw":"\#(seq)"}"#
  }

  private static func text(_ range: ClosedRange<Int>) -> String { range.map { line($0) + "\n" }.joined() }

  /// Records lines, in so many portions that each are flushed.
  private static func record(
    _ portions: [String],
    to path: String,
    goesOn: ((RecordingEnd) -> Bool)? = nil
  ) throws -> JournalFile {
    let journal = try JournalFile(
      path: path,
      keepsPrevious: true,
      continuation: goesOn.map { RecordingContinuation($0) }
    )
    for portion in portions { Array(portion.utf8).withUnsafeBytes { journal.record($0) } }
    return journal
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The text of a file, however many members it has; the end of the last may be missing.
  private static func text(of path: String) throws -> String {
    let bytes = try bytes(path)
    guard bytes.starts(with: GzipInflater.magic) else { return String(decoding: bytes, as: UTF8.self) }
    let inflater = try GzipInflater()
    var (rest, text) = (bytes[...], [UInt8]())
    var room = [UInt8](repeating: 0, count: 65_536)
    while !rest.isEmpty {
      let step = try rest.withUnsafeBytes { input in
        try room.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
      guard step.consumed + step.produced > 0 else { break }
      rest = rest.dropFirst(step.consumed)
      text += room[..<step.produced]
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func end(_ path: String) -> RecordingEnd? {
    (try? SystemFile(path, .readOnly)).flatMap { RecordingEnd($0, isCompressed: path.hasSuffix(".gz")) }
  }

  @Test(arguments: ["", ".gz"])
  func `the end of a recording is found, and lines that are known already are left out`(suffix: String) throws
  {
    let path = folder.file("run.jsonl\(suffix)")
    let header = Self.header + "\n"
    _ = try Self.record([header, Self.text(1...3)], to: path).finish()
    let found = Mutex<RecordingEnd?>(nil)
    // A recorder is given a header, and what the history holds.
    let next = try Self.record(
      [header, Self.text(1...2), Self.text(3...5), Self.text(6...6)],
      to: path,
      goesOn: { end in
        found.withLock { $0 = end }
        return true
      }
    )
    #expect(next.remark == "\(path): the recording goes on in it, from event 4 on")
    #expect(next.finish().failure == nil)
    let end = try #require(found.withLock { $0 })
    #expect(end.seq == 3 && end.seed == 7 && end.cutCount == 0 && end.ending.isEmpty && !end.isRedacted)
    #expect(end.last == Array(Self.line(3).utf8) && end.header == Array(header.utf8))
    #expect(try Self.text(of: path) == header + Self.text(1...6))
    #expect(!FileManager.default.fileExists(atPath: path + ".previous"))
  }

  @Test(arguments: ["", ".gz"])
  func `nothing new leaves the end of a recording as it is`(suffix: String) throws {
    let path = folder.file("run.jsonl\(suffix)")
    let header = Self.header + "\n"
    _ = try Self.record([header, Self.text(1...3)], to: path).finish()
    let before = try Self.bytes(path)
    for _ in 0..<2 {
      let next = try Self.record([header, Self.text(1...3)], to: path, goesOn: { _ in true })
      #expect(next.finish().failure == nil)
      #expect(try Self.bytes(path) == before)
    }
  }

  @Test func `a line that is not whole is cut, wherever it was`() throws {
    let path = folder.file("run.jsonl")
    let whole = Array((Self.header + "\n" + Self.text(1...2)).utf8)
    let third = Array((Self.line(3) + "\n").utf8)
    for count in 0..<third.count {
      try folder.write("run.jsonl", whole + third[..<count])
      let next = try Self.record([Self.header + "\n", Self.text(1...4)], to: path, goesOn: { _ in true })
      let cut = count > 0 ? "; \(count) bytes after its last whole line were cut" : ""
      #expect(next.remark == "\(path): the recording goes on in it, from event 3 on\(cut)")
      #expect(next.finish().failure == nil)
      #expect(try Self.text(of: path) == Self.header + "\n" + Self.text(1...4))
    }
  }

  @Test func `a compressed one that was cut is ended after its last whole line, wherever it was cut`() throws
  {
    let path = folder.file("run.jsonl.gz")
    let header = Self.header + "\n"
    // Two members, the second flushed several times.
    _ = try Self.record([header, Self.text(1...2)], to: path).finish()
    let first = try Self.bytes(path).count
    var bytes = try Self.bytes(path)
    let deflater = try GzipDeflater(level: 3)
    for seq in 3...6 {
      try Array(Self.text(seq...seq).utf8).withUnsafeBytes { line in
        try deflater.deflate(line, .sync) { bytes += $0 }
      }
    }
    for count in first..<bytes.count {
      try folder.write("run.jsonl.gz", Array(bytes[..<count]))
      let next = try Self.record([header, Self.text(1...8)], to: path, goesOn: { _ in true })
      #expect(next.remark?.contains("the recording goes on in it, from event ") == true, "\(count)")
      #expect(next.finish().failure == nil)
      #expect(try Self.text(of: path) == header + Self.text(1...8), "\(count)")
      // Checksums and lengths are right: the next process finds its end as well.
      #expect(Self.end(path)?.seq == 8 && Self.end(path)?.ending == [], "\(count)")
    }
  }

  @Test func `zeros at the end of a compressed text are not taken for a hole`() throws {
    let path = folder.file("run.jsonl.gz")
    // The length of a short text ends with zeros.
    _ = try Self.record([Self.header + "\n", Self.text(1...1)], to: path).finish()
    #expect(try Self.bytes(path).last == 0)
    for seq in 2...4 {
      let lines = [Self.header + "\n", Self.text(1...seq)]
      _ = try Self.record(lines, to: path, goesOn: { _ in true }).finish()
    }
    #expect(try Self.text(of: path) == Self.header + "\n" + Self.text(1...4))
  }

  @Test(arguments: [
    "not a recording\n", #"{"apnsim":"journal","version":1}"# + "\n",
    #"{"apnsim":"journal","version":1}"# + "\n" + #"{"seq":1,"event":"x""# + "\n",
    #"{"apnsim":"journal","version":2}"# + "\n" + #"{"seq":1,"event":"x"}"# + "\n",
    #"{"apnsim":"journal","version":1,"source":{}}"# + "\n" + #"{"seq":1,"event":"x"}"# + "\n",
    #"{"apnsim":"journal","version":1}"# + "\n" + #"{"event":"x"}"# + "\n",
  ])
  func `a recording has no end where lines cannot follow`(text: String) throws {
    #expect(Self.end(try folder.write("run.jsonl", text)) == nil)
  }

  @Test func `a damaged compressed text has no end of a recording, and is moved aside whole`() throws {
    let path = folder.file("run.jsonl.gz")
    let lines = (1...200).map { Self.text($0...$0) }
    _ = try Self.record([Self.header + "\n"] + lines, to: path).finish()
    var bytes = try Self.bytes(path)
    bytes[bytes.count / 2] ^= 0x55
    try folder.write("run.jsonl.gz", bytes)
    // A flipped bit may be noticed by the checksum alone.
    #expect(Self.end(path) == nil)
    _ = try Self.record([Self.header + "\n", lines[0]], to: path, goesOn: { _ in true }).finish()
    #expect(try Self.bytes(path + ".previous") == bytes)
  }

  @Test func `a recording is not continued where what follows is another's`() throws {
    let path = folder.file("run.jsonl")
    _ = try Self.record([Self.header + "\n", Self.text(1...3)], to: path).finish()
    let before = try Self.bytes(path)
    let next = try Self.record([Self.header + "\n", Self.text(1...1)], to: path, goesOn: { _ in false })
    #expect(next.remark?.contains("is \(path).previous now") == true)
    #expect(next.finish().failure == nil)
    #expect(try Self.bytes(path + ".previous") == before)
    #expect(try Self.text(of: path) == Self.header + "\n" + Self.text(1...1))
  }

  @Test(arguments: ["", ".gz"])
  func `a recording that is continued may be truncated by others`(suffix: String) throws {
    let path = folder.file("run.jsonl\(suffix)")
    let header = #"{"apnsim":"journal","version":1,"clock":{"mode":"real"}}"# + "\n"
    _ = try Self.record([header, Self.text(1...3)], to: path).finish()
    let next = try Self.record([header, Self.text(1...4)], to: path, goesOn: { _ in true })
    // The next part begins where the copy ends.
    let written = { try Self.text(of: path).hasSuffix(Self.text(4...4)) }
    while !(try written()) { try Task.checkCancellation() }
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 0)
    Array(Self.text(5...5).utf8).withUnsafeBytes { next.record($0) }
    #expect(next.finish().failure == nil)
    let text = try Self.text(of: path)
    #expect(
      text.hasSuffix("\n" + Self.text(5...5)) && text.contains(#""completeFrom":5,"continues":true"#),
      "\(text)"
    )
  }
}
