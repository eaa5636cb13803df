import APNSimCore
import APNSimServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Recording the journal` {
  @Test func `the file has every line, header first`() async throws {
    let path = TemporaryDirectory.shared.file("journal-\(UUID()).jsonl")
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
    let path = TemporaryDirectory.shared.file("journal-\(UUID()).jsonl")
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
    let path = TemporaryDirectory.shared.file("journal-\(UUID()).jsonl")
    try await TestServer.run {
      $0.server.files.record = path
    } _: { test in
      let provider = try await test.gateway()
      // Somebody who reads along sees it soon, with nothing else happening.
      while try !String(contentsOfFile: path, encoding: .utf8).contains("connectionOpened") {
        await Task.yield()
      }
      await provider.close()
    }
  }

  @Test func `a full disk is said once, and the simulator serves on`() async throws {
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.files.record = "/dev/full"
    }
    for _ in 0..<3 {
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: Frames.unknown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 1))
    }
    await test.journal.wait(for: "connectionClosed", count: 3)
    await test.server.stop()
    #expect(test.log.count("no space left on the device; the simulator serves on") == 1)
    #expect(test.log.count("lines of the journal were lost") == 1)
  }

  @Test func `a file that cannot be made stops the start`() async throws {
    let error = await #expect(throws: ServerError.self) {
      try await TestServer.start { $0.server.files.record = "/nowhere/at/all/journal.jsonl" }
    }
    #expect(error?.kind == .write)
  }
}
