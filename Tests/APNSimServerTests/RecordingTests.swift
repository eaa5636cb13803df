import APNSimCapture
import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite(.mustNotHang) struct `Recording the journal` {
  @Test func `the file has every line, header first`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl")
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.files.record = path
    }
    let provider = try await test.gateway()
    try await provider.send(Frames.many(500, bad: 400))
    #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 400))
    await test.journal.wait(for: "connectionClosed")
    await test.server.stop()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix(#"{"apnsim":"journal""#) == true)
    let opened = #""event":"connectionOpened""#
    #expect(lines.drop { !$0.contains(opened) } == test.journal.lines.drop { !$0.contains(opened) })
    #expect(lines.filter { $0.contains(#""event":"notification""#) }.count == 500)
  }

  @Test func `a recording of many blocks is whole`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl")
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.files.record = path
    }
    let provider = try await test.gateway()
    for _ in 0..<3 { try await provider.send(Frames.many(4000, bad: nil)) }
    try await provider.send(Frames.enhanced(7, to: Frames.unknown))
    #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 7))
    await test.journal.wait(for: "connectionClosed")
    await test.server.stop()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let opened = #""event":"connectionOpened""#
    #expect(lines.joined().utf8.count > 2 << 20)
    #expect(lines.drop { !$0.contains(opened) } == test.journal.lines.drop { !$0.contains(opened) })
  }

  @Test func `lines reach the disk while the server runs`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl")
    try await TestServer.run {
      $0.server.files.record = path
    } _: { test in
      let provider = try await test.gateway()
      // Somebody who reads along sees it soon, with nothing else happening.
      #expect(
        try await eventually {
          try String(contentsOfFile: path, encoding: .utf8).contains("connectionOpened")
        }
      )
      await provider.close()
    }
  }

  @Test func `a compressed file is readable while it grows, and whole in the end`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl.gz")
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.files.record = path
    }
    let provider = try await test.gateway()
    try await provider.send(Frames.many(500, bad: 400))
    #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 400))
    await test.journal.wait(for: "connectionClosed")
    // A process killed now would leave this file.
    var killed = try Self.read(path)
    let isThere = try await eventually {
      killed = try Self.read(path)
      return killed.events.contains("connectionClosed")
    }
    #expect(isThere)
    #expect(killed.damage?.reason == "the compressed file ends before its text does")
    await test.server.stop()
    let whole = try Self.read(path)
    #expect(whole.damage == nil)
    #expect(whole.events.filter { $0 == "notification" }.count == 500)
    #expect(Array(whole.events.prefix(killed.events.count)) == killed.events)
  }

  /// The names of a capture's events, and where it is damaged.
  private static func read(_ path: String) throws -> (events: [String], damage: CaptureDamage?) {
    guard (try? Data(contentsOf: URL(fileURLWithPath: path)).isEmpty) == false else { return ([], nil) }
    let reader = try CaptureReader(path: path)
    var events: [String] = []
    while reader.next() != nil {
      events.append(reader.withLine { fields, _ in fields.string("event") } ?? "")
    }
    return (events, reader.damage)
  }

  @Test func `lines are changed on their way to the file, and what was there before is not in it`()
    async throws
  {
    let path = TemporaryDirectory.ofThisRun.file("journal-\(UUID()).jsonl")
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.files.record = path
      $0.recordFilter = JournalRedactor(TokenPseudonyms { token in token.map { $0 ^ 0x5A } }).filter
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, payload: #"{"aps":{"alert":"SECRET"}}"#))
      await test.journal.wait(for: "notification")
      await provider.close()
      await test.server.stop()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let lines = text.split(separator: "\n")
      #expect(lines.count == test.journal.lines.count)
      #expect(lines.first?.hasPrefix(#"{"apnsim":"journal","version":1,"redacted":true,"#) == true)
      #expect(!text.contains(Hex.encode(Frames.online)))
      let line = try #require(lines.first { $0.contains(#""event":"notification""#) })
      let raw = try #require(line.components(separatedBy: #""raw":""#).last?.dropLast(2))
      let frame = try #require(Base64.decode(raw))
      let token = Array(frame.dropFirst(11).prefix(32))
      #expect(token != Frames.online)
      let payload = String(decoding: frame.dropFirst(45), as: UTF8.self)
      #expect(frame == Frames.enhanced(1, to: token, payload: payload))
      #expect(payload.hasPrefix(#"{"aps":{"alert":""#) && !payload.contains("SECRET"))
    }
  }

  @Test(arguments: ["/dev/full", TemporaryDirectory.ofThisRun.file("full.gz")])
  func `a full disk is said once, and the simulator continues`(path: String) async throws {
    if path.hasSuffix(".gz") { _ = symlink("/dev/full", path) }
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.files.record = path
    }
    for _ in 0..<3 {
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: Frames.unknown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 1))
    }
    await test.journal.wait(for: "connectionClosed", count: 3)
    // One that is stopping does not say that it serves on.
    #expect(await test.log.waitAndCount("the simulator continues") == 1)
    await test.server.stop()
    #expect(test.log.count("no space left on the device; the simulator continues") == 1)
    #expect(test.log.count("lines of the journal were lost") == 1)
  }

  @Test func `a disk that is full only at the end is not said to be served on without`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("late-\(UUID()).gz")
    _ = symlink("/dev/full", path)
    let test = try await TestServer.start { $0.server.files.record = path }
    // The lines so far, which are written after a tenth of a second, failed before the end.
    let before = test.log.lines.count
    await test.server.stop()
    #expect(test.log.count("lines of the journal were lost") == 1)
    #expect(!test.log.lines[before...].contains { $0.contains("serves on") })
  }

  @Test func `a file that cannot be made stops the start`() async throws {
    let error = await #expect(throws: ServerError.self) {
      try await TestServer.start { $0.server.files.record = "/nowhere/at/all/journal.jsonl" }
    }
    #expect(error?.kind == .write)
  }
}
