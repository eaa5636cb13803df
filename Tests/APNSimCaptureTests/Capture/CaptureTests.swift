import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimCapture

@Suite struct `A capture` {
  static let entries: [CaptureEntry] = {
    let id = ConnectionID(rawValue: 1)
    let provider = ProviderIdentity(
      topics: ["com.example.app", "com.example.app.voip"],
      environment: .sandbox,
      subject: "CN=\"quoted\"\\, UID=com.example.app"
    )
    let connection = CapturedConnection(
      id: id,
      listener: .gateway,
      peer: "127.0.0.1:50000",
      provider: provider,
      tlsVersion: "1.2",
      cipher: "AES",
      ordinal: 7
    )
    let time = Timestamp("2012-06-01T00:00:00.250Z") ?? Timestamp(rawValue: 0)
    return [
      .connectionOpened(connection),
      .bytesIn(id, [1, 2, 3, 0xFF], dropped: 0, notification: nil),
      .bytesIn(id, [9], dropped: 41, notification: nil),
      .bytesMissing(id, .in, count: 1460),
      .framesFound(id),
      .bytesOut(id, [8, 8, 0, 0, 0, 1]),
      .connectionClosed(id, .peerClosed),
      .command(Array(#"{"device.online":"bob"}"#.utf8)),
      .captureEnded,
    ].map { CaptureEntry(time: time, kind: $0) }
  }()

  static var header: CaptureHeader {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "night.pcap")
    header.start = entries.first?.time
    return header
  }

  static func text() -> [UInt8] {
    var writer = CaptureWriter(header)
    for entry in entries { writer.write(entry) }
    return writer.takeLines()
  }

  private func read(_ bytes: [UInt8]) throws -> (entries: [CaptureEntry], reader: CaptureReader) {
    let file = try TemporaryFile(bytes)
    let reader = try CaptureReader(path: file.path)
    var entries: [CaptureEntry] = []
    while let entry = reader.next() { entries.append(entry) }
    return (entries, reader)
  }

  private func kinds(_ entries: [CaptureEntry]) -> [CaptureEntry.Kind] { entries.map(\.kind) }

  @Test(arguments: ["capture.jsonl", "capture.jsonl.gz"])
  func `a capture is read as it was written, plain and gzip`(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/" + name
    let output = try CaptureOutput(path: path)
    try output.write(Self.text())
    try output.finish()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: [0x1F, 0x8B]) == name.hasSuffix(".gz"))
    let reader = try CaptureReader(path: path)
    var found: [CaptureEntry] = []
    while let entry = reader.next() { found.append(entry) }
    #expect(kinds(found) == kinds(Self.entries))
    #expect(found.map(\.time) == Self.entries.map(\.time))
    #expect(found.map(\.seq) == Array(1...UInt64(found.count)))
    #expect(found.map(\.line) == Array(2...found.count + 1))
    #expect(reader.header.source == CaptureSource(kind: "pcap", name: "night.pcap"))
    #expect(reader.damage == nil && reader.unknownEvents.isEmpty && reader.progress == 1)
  }

  @Test func `a capture that is cut anywhere is read up to there, and says where`() throws {
    let whole = Self.text()
    let starts = [0] + whole.indices.filter { whole[$0] == 0x0A }.map { $0 + 1 }
    for end in starts[1]..<whole.count - 1 {
      let (found, reader) = try read(Array(whole[..<end]))
      let complete = starts.dropFirst().filter { $0 <= end }.count - 1
      // A last line that lacks only its newline is whole.
      let isWhole = starts.contains(end + 1)
      #expect(found.count == complete + (isWhole ? 1 : 0))
      #expect(kinds(found) == kinds(Array(Self.entries.prefix(found.count))))
      let isCut = !starts.contains(end) && !isWhole
      #expect((reader.damage != nil) == isCut)
      if let damage = reader.damage {
        #expect(damage.line == complete + 2 && damage.offset == Int64(starts[complete + 1]))
        #expect(damage.reason.contains("the file ends within a line"))
      }
    }
  }

  @Test func `a capture that is damaged is read up to the damage`() throws {
    var lines = String(decoding: Self.text(), as: UTF8.self).split(separator: "\n").map(String.init)
    lines[3] = lines[3].replacing(#""bytes":""#, with: #""bytes":"!"#)
    let (found, reader) = try read(Array(lines.joined(separator: "\n").utf8))
    #expect(found.count == 2)
    #expect(reader.damage?.line == 4)
    #expect(reader.damage?.reason == #"expected "bytes" with bytes in Base64"#)
  }

  @Test func `a capture whose gzip is cut or damaged says so`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/a.gz"
    let output = try CaptureOutput(path: path)
    try output.write(Self.text())
    try output.finish()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let cut = try read(Array(bytes.dropLast(12)))
    #expect(cut.reader.damage?.reason == "the compressed file ends before its text does")
    bytes[bytes.count - 6] ^= 0xFF
    let damaged = try read(bytes)
    #expect(damaged.reader.damage?.reason.contains("damaged") == true)
    #expect(kinds(damaged.entries).starts(with: kinds(Array(Self.entries.prefix(3)))))
  }

  @Test func `a capture whose gzip is filled up with zeros is whole`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/a.gz"
    let output = try CaptureOutput(path: path)
    try output.write(Self.text())
    try output.finish()
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let padded = try read(bytes + [UInt8](repeating: 0, count: 700_000))
    #expect(padded.reader.damage == nil && kinds(padded.entries) == kinds(Self.entries))
    let followed = try read(bytes + [0, 0, 7, 7])
    #expect(followed.reader.damage != nil && kinds(followed.entries) == kinds(Self.entries))
  }

  @Test(arguments: ["\\/", "\\u002F"])
  func `a capture is read though another program escaped the slashes of Base64`(slash: String) throws {
    let lines = try NativeCapture.lines([NativeCapture.frame(1, to: [UInt8](repeating: 0xFF, count: 32))])
    #expect(lines.contains { $0.contains(#""event":"notification""#) && $0.contains("//") })
    let escaped = lines.map { $0.replacing("/", with: slash) }
    let (plain, _) = try read(NativeCapture.bytes(lines))
    let (found, reader) = try read(NativeCapture.bytes(escaped))
    #expect(kinds(found) == kinds(plain) && reader.damage == nil)
    var redacted: [[UInt8]] = []
    for lines in [lines, escaped] {
      let redactor = JournalRedactor(TokenPseudonyms { token in token.map { $0 ^ 0x55 } })
      redacted.append(NativeCapture.bytes(lines).withUnsafeBytes { redactor.redact($0) } + redactor.finish())
    }
    #expect(kinds(try read(redacted[0]).entries) == kinds(try read(redacted[1]).entries))
    let diff = CaptureDiff(
      CaptureDigest(try NativeCapture.reader(lines)),
      CaptureDigest(try NativeCapture.reader(escaped)),
      comparesTimes: true,
      comparesConnections: true
    )
    #expect(diff.isSame)
    if slash == #"\/"# {
      let replay = try Replay(NativeCapture.reader(escaped)).run()
      #expect(replay.isSame)
    }
  }

  @Test func `a capture is read though an editor put a mark, CR LF and blank lines into it`() throws {
    let text =
      "\u{FEFF}\r\n" + String(decoding: Self.text(), as: UTF8.self).replacing("\n", with: "\r\n \t\r\n")
    let (found, reader) = try read(Array(text.utf8))
    #expect(kinds(found) == kinds(Self.entries) && reader.damage == nil)
    #expect(found.map(\.line) == (1...found.count).map { 2 + 2 * $0 })
    #expect(reader.headerLine.last == UInt8(ascii: "}"))
  }

  @Test func `a capture hands out events that it does not know by name, and counts them`() throws {
    var text = String(decoding: Self.text(), as: UTF8.self)
    for number in 100...102 {
      text +=
        #"{"seq":\#(number),"time":"2012-06-01T00:00:00.000Z","event":"moonPhase","x":[{"y":"]"}]}"# + "\n"
    }
    text += #"{"seq":103,"time":"2012-06-01T00:00:00.000Z","event":"deviceOnline","device":"bob"}"# + "\n"
    let (found, reader) = try read(Array(text.utf8))
    #expect(
      kinds(found.suffix(4)) == [
        .other("moonPhase"), .other("moonPhase"), .other("moonPhase"), .other("deviceOnline"),
      ]
    )
    #expect(reader.unknownEvents == ["moonPhase": 3] && reader.damage == nil)
  }

  @Test func `a capture keeps header keys that a later version may add out of the way`() throws {
    let text = #"{"apnsim":"journal","version":1,"later":{"a":[1,"}"]},"seed":18446744073709551615}"#
    let (_, reader) = try read(Array(text.utf8))
    #expect(reader.header.seed == .max && reader.header.version == 1)
    #expect(!reader.header.isComplete)
  }

  @Test(arguments: [
    ("", "is empty: expected a journal"), ("\r\n \n", "is empty: expected a journal"),
    (#"{"apnsim":"journal","ver"#, "is damaged in its first line, the header"),
    (#"{"seq":1,"time":"","event":"shutdown"}"#, "lacks its first line, the header"),
    (#"{"apnsim":"journal"}"#, "is a journal without a version"),
    ("\u{2}\u{0}\u{0}", "its first line is not a JSON object"),
    (#"{"version":1}"#, "does not begin with"),
    (
      #"{"apnsim":"journal","version":2}"#,
      "is a journal of version 2, of a newer apnsim; this one reads up to version 1"
    ),
  ])
  func `a capture is told from other files by its first line`(text: String, expected: String) throws {
    let file = try TemporaryFile(Array(text.utf8))
    let failure = #expect(throws: CaptureFailure.self) { try CaptureReader(path: file.path) }
    #expect(failure?.kind == .notAJournal && failure?.reason.contains(expected) == true)
  }

  @Test func `a capture that is not there says so`() {
    let failure = #expect(throws: CaptureFailure.self) { try CaptureReader(path: "/nonexistent/x") }
    #expect(failure?.kind == .unreadable && failure?.reason == "No such file or directory")
  }

  @Test func `a capture is read line by line, however long its lines are`() throws {
    var text = Self.text()
    let id = ConnectionID(rawValue: 1)
    let large = [UInt8](repeating: 7, count: 2_000_000)
    var writer = CaptureWriter(CaptureHeader())
    _ = writer.takeLines()
    for _ in 0..<3 {
      let kind = CaptureEntry.Kind.bytesIn(id, large, dropped: 0, notification: nil)
      writer.write(CaptureEntry(time: Timestamp(rawValue: 0), kind: kind))
    }
    text += writer.takeLines()
    let (found, reader) = try read(text)
    #expect(found.count == Self.entries.count + 3 && reader.damage == nil)
    #expect(found.last?.kind == .bytesIn(id, large, dropped: 0, notification: nil))
  }
}
