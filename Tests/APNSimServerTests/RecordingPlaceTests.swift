import APNSimGzip
import APNSimTestSupport
import Foundation
import Synchronization
import Testing

@testable import APNSimServer

@Suite(.mustNotHang) struct `The place of a recording` {
  private static let header = #"{"apnsim":"journal","version":1}"# + "\n"
  private static let notification = #"{"seq":1,"event":"notification"}"# + "\n"

  private static func record(_ text: String, to path: String, keepsPrevious: Bool = true) throws
    -> JournalFile
  {
    let journal = try JournalFile(path: path, keepsPrevious: keepsPrevious)
    Array(text.utf8).withUnsafeBytes { journal.record($0) }
    return journal
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `two recordings to one file are one too many, and who has it is said`() throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl")
    let first = try Self.record(Self.header + Self.notification, to: path)
    let failure = #expect(throws: OutputFailure.self) { try JournalFile(path: path) }
    #expect(failure?.isInUse == true)
    let reason = failure?.reason ?? ""
    #expect(reason.hasPrefix("another process is recording to it"))
    #if os(Linux)
      #expect(reason.contains("pid \(getpid()) ("), "\(reason)")
    #endif
    #expect(first.finish().failure == nil)
    #expect(try Self.text(path) == Self.header + Self.notification)
  }

  @Test(.mustNotHang) func `the next part of a recording does not wait for the reader of a pipe`()
    throws
  {
    let path = TemporaryDirectory.ofThisRun.file("pipe-\(UUID()).jsonl")
    let first = try Self.record(Self.header + Self.notification, to: path)
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    let failure = #expect(throws: OutputFailure.self) { try JournalFile(path: path, after: first) }
    #expect(failure?.reason == "a regular file was expected, found a pipe, a device or a directory")
    #expect(first.finish().failure == nil)
  }

  @Test(arguments: [
    "-----BEGIN PRIVATE KEY-----\nMIIE\n", "{", "{}", "\u{1F}\u{8B}", "{\"apnsim\":\"capture\"}\n",
  ])
  func `a file that is not a recording is not replaced`(content: String) throws {
    try expectKept(Data(content.utf8))
  }

  @Test func `a compressed file of nothing, and what cannot be inflated, is not replaced`() throws {
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    try expectKept(Data(header + [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    try expectKept(Data(header + [0xFF, 0xFF, 0xFF, 0xFF]))
  }

  private func expectKept(_ content: Data) throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID())")
    try content.write(to: URL(fileURLWithPath: path))
    for keepsPrevious in [true, false] {
      let failure = #expect(throws: OutputFailure.self) {
        try JournalFile(path: path, keepsPrevious: keepsPrevious)
      }
      #expect(failure?.reason.hasPrefix("it is not a recording") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
  }

  @Test(arguments: ["", ".gz"])
  func `a recording that is there is kept, unless it has no notification`(suffix: String) throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl\(suffix)")
    let first = try Self.record(Self.header + Self.notification, to: path)
    #expect(first.remark == nil && first.finish().failure == nil)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for round in 0..<3 {
      // Only the first of these finds notifications.
      let next = try Self.record(Self.header, to: path)
      #expect((next.remark != nil) == (round == 0))
      #expect(next.finish().failure == nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".previous")) == bytes)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < bytes.count)
  }

  @Test func `what is in the way of the previous recording is not replaced`() throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl")
    _ = try Self.record(Self.header + Self.notification, to: path).finish()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".previous"))
    let failure = #expect(throws: OutputFailure.self) {
      try JournalFile(path: path, keepsPrevious: true)
    }
    #expect(failure?.reason.contains("which is not a recording") == true)
    #expect(try Self.text(path) == Self.header + Self.notification)
    #expect(try Self.text(path + ".previous") == "mine")
  }

  @Test func `a recording that goes on under the previous one's name is not replaced`() throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl")
    _ = try Self.record(Self.header + Self.notification, to: path).finish()
    let other = try Self.record(Self.header + Self.notification, to: path + ".previous")
    let failure = #expect(throws: OutputFailure.self) {
      try JournalFile(path: path, keepsPrevious: true)
    }
    #expect(failure?.isInUse == true)
    #expect(other.finish().failure == nil)
    #expect(try Self.text(path + ".previous") == Self.header + Self.notification)
  }

  @Test(arguments: ["deleted", "renamed", "truncated"])
  func `what others do to the file is said once`(change: String) async throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl")
    let said = Mutex<[String]>([])
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let journal = try JournalFile(
      path: path,
      notice: { text in
        said.withLock { $0.append(text) }
        line.yield(text)
      }
    )
    Array((Self.header + Self.notification).utf8).withUnsafeBytes { journal.record($0) }
    #expect(try await eventually { try !Self.text(path).isEmpty })
    switch change {
    case "deleted": unlink(path)
    case "renamed": rename(path, path + ".1")
    default: truncate(path, 0)
    }
    let first = await lines.first { _ in true }
    #expect(first?.contains("the recording was \(change)") == true)
    Array(Self.notification.utf8).withUnsafeBytes { journal.record($0) }
    #expect(journal.finish().failure == nil)
    #expect(said.withLock { $0.count } == 1)
  }

  @Test(arguments: ["", ".gz"], [false, true])
  func `a recording that is truncated goes on as the next part of it, while lines are written`(
    suffix: String,
    isFiltered: Bool
  ) async throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl\(suffix)")
    let said = Mutex<[String]>([])
    let filter: JournalFile.Filter = { $0.map { Array($0) } ?? [] }
    let journal = try JournalFile(
      path: path,
      filter: isFiltered ? filter : nil,
      notice: { text in said.withLock { $0.append(text) } }
    )
    Array(Self.header.utf8).withUnsafeBytes { journal.record($0) }
    // Some 4 MiB, in which whole blocks are written too, and lines are cut by their ends.
    let padding = String(repeating: "x", count: 2_000)
    let (lines, cuts) = (3_000, Set([500, 501, 1_400, 2_900]))
    for seq in 1...lines {
      Array(
        #"{"seq":\#(seq),"time":"2026-11-25T08:00:00.000Z","event":"notification","x":"\#(padding)"}\#n"#.utf8
      )
      .withUnsafeBytes { journal.record($0) }
      guard cuts.contains(seq) else { continue }
      #expect(await eventually { (try? Data(contentsOf: URL(fileURLWithPath: path)))?.isEmpty == false })
      truncate(path, seq == 501 ? 30 : 0)
    }
    let result = journal.finish()
    #expect(result.failure == nil && result.lostLines == 0)
    #expect(said.withLock { !$0.isEmpty && $0.allSatisfy { $0.contains("the recording was truncated") } })
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let text = String(decoding: suffix.isEmpty ? data : try Self.inflated(data), as: UTF8.self)
    #expect(!text.contains("\0"))
    let found = text.split(separator: "\n")
    let header = try #require(found.first)
    let first = try #require(
      Int(header.split(separator: #""completeFrom":"#).last?.prefix { $0.isNumber } ?? "")
    )
    #expect(header.contains(#""completeFrom":\#(first),"continues":true"#), "\(header.prefix(200))")
    #expect(found.dropFirst().map { $0.prefix { $0 != "," } } == (first...lines).map { #"{"seq":\#($0)"# })
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    let inflater = try GzipInflater()
    var output: [UInt8] = []
    var rest = bytes[...]
    var room = [UInt8](repeating: 0, count: 65_536)
    while !rest.isEmpty {
      let step = try rest.withUnsafeBytes { input in
        try room.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
      guard step.consumed > 0 || step.produced > 0 else { break }
      output += room.prefix(step.produced)
      rest = rest.dropFirst(step.consumed)
    }
    while true {
      let step = try room.withUnsafeMutableBytes { room in
        try [UInt8]().withUnsafeBytes { try inflater.inflate($0, into: room) }
      }
      guard step.produced > 0 else { return output }
      output += room.prefix(step.produced)
    }
  }

  @Test func `nothing else replaces a recording that is being written to, a recording or a key`() throws {
    let path = TemporaryDirectory.ofThisRun.file("place-\(UUID()).jsonl")
    let journal = try Self.record(Self.header + Self.notification, to: path)
    for kind in [NamedFile.Kind.recording, .key, .keyLog, .other] {
      let failure = #expect(throws: OutputFailure.self) { try NamedFile.check(path, for: kind) }
      #expect(failure?.isInUse == true)
    }
    #expect(journal.finish().failure == nil)
    #expect(throws: Never.self) { try NamedFile.check(path, for: .recording) }
    #expect(throws: OutputFailure.self) { try NamedFile.check(path, for: .other) }
    let key = TemporaryDirectory.ofThisRun.file("key-\(UUID())")
    let der = Data([0x30, 0x81, 0x80] + [UInt8](repeating: 2, count: 128))
    for content in [Data("x\n-----BEGIN PRIVATE KEY-----\nMIIE\n".utf8), der] {
      try content.write(to: URL(fileURLWithPath: key))
      #expect(throws: OutputFailure.self) { try NamedFile.check(key, for: .other) }
      #expect(throws: OutputFailure.self) { try NamedFile.check(key, for: .keyLog) }
      #expect(throws: Never.self) { try NamedFile.check(key, for: .key) }
    }
    try Data("CLIENT_RANDOM 00 00\n".utf8).write(to: URL(fileURLWithPath: key))
    #expect(throws: OutputFailure.self) { try NamedFile.check(key, for: .other) }
    let imported = #"{"apnsim":"journal","version":1,"source":{"kind":"raw","name":"x"}}"# + "\n"
    for text in [imported, "old\n"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: key))
      #expect(throws: Never.self) { try NamedFile.check(key, for: .other) }
    }
    try Data("old\n".utf8).write(to: URL(fileURLWithPath: key))
    #expect(throws: Never.self) { try NamedFile.check(key, for: .other) }
  }

  @Test(
    arguments: [
      Data("\u{FEFF}CLIENT_RANDOM 00 00\n".utf8), Data("\n\nCLIENT_RANDOM 00 00\n".utf8),
      Data("# SSL/TLS secrets log file, generated by NSS\n".utf8),
      Data("CLIENT_EARLY_TRAFFIC_SECRET 0a 0B\r\n".utf8),
      Data("CLIENT_TRAFFIC_SECRET_1 00 00\n".utf8), Data("RSA 0011223344556677 00\n".utf8),
      Data("RSA Session-ID:00 Master-Key:00\nSERVER_TRAFFIC_SECRET_0 00 00\n".utf8),
      wide("CLIENT_RANDOM 00 00\n", isMarked: true), wide("CLIENT_RANDOM 00 00\n", isMarked: false),
    ]
  )
  func `a key log in any spelling is continued and not replaced`(content: Data) throws {
    let path = TemporaryDirectory.ofThisRun.file("log-\(UUID())")
    try content.write(to: URL(fileURLWithPath: path))
    let failure = #expect(throws: OutputFailure.self) { try NamedFile.check(path, for: .other) }
    #expect(failure?.reason.contains("a key log") == true, "\(failure?.reason ?? "")")
    #expect(throws: Never.self) { try NamedFile.check(path, for: .keyLog) }
  }

  @Test(
    arguments: [
      Data("\u{FEFF}-----BEGIN PRIVATE KEY-----\nMIIE\n".utf8),
      Data("  -----BEGIN EC PRIVATE KEY-----\n".utf8),
      wide("-----BEGIN PRIVATE KEY-----\n", isMarked: true),
      wide("-----BEGIN CERTIFICATE-----\n", isMarked: false),
      Data((String(repeating: "Certificate:\n", count: 4_000) + "-----BEGIN CERTIFICATE-----\n").utf8),
      Data("{\n \"kty\": \"EC\", \"crv\": \"P-256\" }".utf8), Data("{\"keys\":[{\"kty\":\"EC\"}]}".utf8),
      Data([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]), Data([0x30, 46, 2, 1] + [UInt8](repeating: 0, count: 44)),
    ]
  )
  func `a key in any spelling is not replaced`(content: Data) throws {
    let path = TemporaryDirectory.ofThisRun.file("key-\(UUID())")
    try content.write(to: URL(fileURLWithPath: path))
    let failure = #expect(throws: OutputFailure.self) { try NamedFile.check(path, for: .other) }
    #expect(failure?.reason.contains("a key or certificate") == true, "\(failure?.reason ?? "")")
    #expect(throws: OutputFailure.self) { try JournalFile(path: path, keepsPrevious: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
  }

  @Test(
    arguments: [
      "\u{FEFF}" + header + notification, "\n\n" + header + notification, "\u{FEFF}" + header.prefix(12),
      "{ \"apnsim\": \"journal\", \"version\": 1, \"seed\": 1 }\n",
      "{\n  \"apnsim\": \"journal\",\n  \"version\": 1\n}\n",
    ]
  )
  func `a recording in any spelling is not replaced`(text: String) throws {
    let path = TemporaryDirectory.ofThisRun.file("recording-\(UUID())")
    for content in [Data(text.utf8), wide(text, isMarked: true)] {
      try content.write(to: URL(fileURLWithPath: path))
      let failure = #expect(throws: OutputFailure.self) { try NamedFile.check(path, for: .other) }
      #expect(failure?.reason.contains("a recording") == true, "\(failure?.reason ?? "")")
      #expect(throws: OutputFailure.self) { try JournalFile(path: path, keepsPrevious: true) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }
  }

  @Test(
    arguments: [
      "{ \"apnsim\": \"journal\", \"version\": 1, \"source\": {} }\n", "RSA is an algorithm\n",
      "# CLIENT_RANDOM\n",
      "{\"host\":\"127.0.0.1\"}\n", "", "\u{FEFF}", "0", "{\"apns\":1}",
    ]
  )
  func `anything else is replaced`(text: String) throws {
    let path = TemporaryDirectory.ofThisRun.file("other-\(UUID())")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Never.self) { try NamedFile.check(path, for: .other) }
  }
}

/// A text in UTF-16.
private func wide(_ text: String, isMarked: Bool) -> Data {
  Data(((isMarked ? [0xFEFF] : []) + Array(text.utf16)).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
}
