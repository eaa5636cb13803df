import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite(.mustNotHang) struct `The commands for a running server` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Sends one notification with a short alert, as a provider.
  private func send(_ server: RunningServer, to tokens: String..., alert: String, timeout: String = "0.3")
    async throws
  {
    let file = try folder.write("\(UUID().uuidString).apns", #"{"aps":{"alert":"\#(alert)","badge":2}}"#)
    _ = try await server.run(["send", file, "--timeout", timeout, "--to"] + tokens)
  }

  private func device(_ server: RunningServer, _ name: String) async throws -> String {
    let added = try await server.run(["device", "add", name, "--app", "com.example.app", "--json"])
    try #require(added.status == 0, "\(added.errors)")
    let answer = try JSONValue.parse(Array(added.output.utf8))
    return try #require(answer["apps.0.token"]?.stringValue)
  }

  @Test func `devices come and go, and show what their users saw`() async throws {
    let server = try await RunningServer.start(in: folder)
    let token = try await device(server, "bob")
    try await send(server, to: token, alert: "first")
    let arrived = try await server.run([
      "wait", "--query", "device:bob alert~first", "--timeout", Hang.timeout,
    ])
    #expect(arrived.status == 0)
    #expect(arrived.output.contains("bob  delivered  #00000001  \"first\"  badge 2"))

    #expect(try await server.run(["device", "offline", "bob"]).errors == "bob is offline\n")
    try await send(server, to: token, alert: "second")
    let stored = try await server.run(["device", "inbox", "bob", "--stored"])
    #expect(stored.output.contains("waits until") && stored.output.contains("  second\n  [Close] [View]"))
    #expect(try await server.run(["device", "online", "bob"]).status == 0)
    let inbox = try await server.run(["device", "inbox", "bob"])
    #expect(inbox.output.contains("  first\n") && inbox.output.contains("  second\n"))

    let before = String(repeating: "5e", count: 32)
    let installed = try await server.run(["device", "install", "bob", "com.example.new:production=\(before)"])
    #expect(installed.errors == "com.example.new (production) on bob: installed\n")
    #expect(try await server.run(["device", "list"]).output.contains(before))
    #expect(try await server.run(["device", "uninstall", "bob", "com.example.app"]).status == 0)
    try await send(server, to: token, alert: "third")
    #expect(try await server.run(["feedback", "list"]).output.contains(token))
    let rotated = try await server.run(["device", "rotate", "bob", "--app", "com.example.new"])
    #expect(rotated.errors == "com.example.new on bob: another token\n")
    #expect(try await server.run(["device", "list"]).output.contains(before) == false)
    #expect(
      try await server.run(["device", "rotate", "bob", "--app", "com.example.new=\(before)"]).status == 64
    )
    // A device may have a name of hex digits.
    #expect(try await server.run(["device", "add", "cafe", "--app", "com.example.app"]).status == 0)
    #expect(try await server.run(["feedback", "clear"]).status == 0)
    #expect(try await server.run(["feedback", "add", "cafe", "--app", "com.example.app"]).status == 0)
    let listed = try await server.run(["feedback", "list"]).output.split(whereSeparator: \.isWhitespace)
    #expect(listed.contains { $0.count == 64 } && !listed.contains("cafe"), "\(listed)")
    #expect(try await server.run(["device", "remove", "cafe"]).status == 0)
    #expect(try await server.run(["feedback", "add", "fade", "--app", "com.example.app"]).status != 0)
    #expect(try await server.run(["feedback", "clear"]).status == 0)
    #expect(try await server.run(["feedback", "list"]).output == "the feedback lists are empty\n")

    #expect(try await server.run(["device", "remove", "bob"]).status == 0)
    #expect(try await server.run(["device", "list"]).output == "no devices\n")
    let nobody = try await server.run(["device", "online", "bob"])
    #expect(nobody.status == 2)
    #expect(nobody.errors.hasPrefix("apnsim: error: there is no device \"bob\""))
    #expect(try await server.stop() == 0)
  }

  @Test func `a fault is added, fires, and tells what it cost`() async throws {
    let server = try await RunningServer.start(in: folder)
    let token = try await device(server, "bob")
    let added = try await server.run(["fault", "add", "--name", "second", "--nth", "2", "--status", "8"])
    #expect(added.output == "r1\n")
    try await send(server, to: token, token, token, alert: "x", timeout: Hang.timeout)
    #expect(try await server.run(["fault", "list"]).output.contains("r1  second  fired 1"))
    let connection = try await server.run(["connections", "show", "c1"])
    #expect(connection.output.contains("status 8 for 00000002"))
    #expect(connection.output.contains("awaited    00000003"))
    let scripted =
      #"  scripted  n2  08 08 00 00 00 02  (error response, status 8 Invalid token, by rule "second")"#
    #expect(connection.output.contains(scripted), "\(connection.output)")
    #expect(try await server.run(["fault", "remove", "second"]).status == 0)
    #expect(try await server.run(["fault", "list"]).output == "no faults\n")

    let never = try await server.run([
      "wait", "--never", "--query", "outcome:rejected", "--timeout", Hang.timeout,
    ])
    #expect(never.status == 1)
    let vain = try await server.run(["wait", "--query", "device:bob alert~y", "--timeout", "50ms"])
    #expect(vain.status == 1)
    #expect(vain.output.contains("expected contains \"y\", found \"x\""))
    #expect(try await server.run(["wait", "--query", "bogus:1", "--timeout", "50ms"]).status == 64)
    #expect(try await server.stop() == 0)
  }

  @Test func `the clock, the scenario and the reset steer it`() async throws {
    let server = try await RunningServer.start(["--clock", "virtual@2012-06-01T00:00:00Z"], in: folder)
    #expect(try await server.run(["ready", "--json"]).output.hasPrefix(#"{"version":1,"#))
    let advanced = try await server.run(["clock", "advance", "2h"])
    #expect(advanced.output.hasPrefix("2012-06-01T02:00:00.000Z  virtual"))
    let scenario = try folder.write("s.yaml", "name: one device\ndevices: { zed: { apps: [com.a] } }")
    let loaded = try await server.run(["scenario", "load", scenario])
    #expect(loaded.errors.hasSuffix("s.yaml: one device\n"), "\(loaded.errors)")
    #expect(try await server.run(["scenario", "show", "--json"]).output.contains(#""name":"one device""#))
    _ = try await device(server, "extra")
    #expect(try await server.run(["reset"]).status == 0)
    #expect(try await server.run(["device", "list"]).output.hasPrefix("zed  online"))
    let wrong = try folder.write("w.yaml", "devices: { zed: { aps: [com.a] } }")
    #expect(try await server.run(["scenario", "load", wrong]).status == 78)
    #expect(try await server.run(["scenario", "load", "nowhere.yaml"]).status == 78)
    #expect(try await server.stop() == 0)
  }

  @Test func `a recording has the header, every event and whole lines`() async throws {
    let server = try await RunningServer.start(in: folder)
    let token = try await device(server, "bob")
    try await send(server, to: token, alert: "before")
    let recorder = try await Binary.start(
      ["record", "live.jsonl", "--endpoints-file", server.endpointsFile],
      in: folder
    )
    // It has begun once it has what was before.
    let file = folder.file("live.jsonl")
    func text() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
    #expect(await eventually { text().contains(#""event":"connectionClosed""#) })
    try await send(server, to: token, alert: "after")
    #expect(await eventually { text().components(separatedBy: #""event":"connectionClosed""#).count == 3 })
    recorder.signal(SIGINT)
    #expect(try await recorder.status() == 0)
    let lines = text().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix(#"{"apnsim":"journal","version":1"#) == true)
    #expect(lines.last == "")
    #expect(try recorder.errors() == "\(lines.count - 2) events recorded\n")
    let events = try lines.dropFirst().dropLast().map { try JSONValue.parse(Array($0.utf8)) }
    let numbers = events.compactMap { $0.member("seq")?.intValue }
    #expect(numbers == numbers.sorted() && Set(numbers).count == events.count)

    let watched = try await server.run(["watch", "--all", "--query", "device:bob", "--count", "2"])
    #expect(watched.output.contains("\"before\"") && watched.output.contains("\"after\""))
    #expect(try await server.stop() == 0)
  }

  @Test func `where a notification failed without an error response, none is told of`() async throws {
    let server = try await RunningServer.start(in: folder)
    try folder.write("p.apns", #"{"aps":{"alert":"hi"}}"#)
    let token = String(repeating: "22", count: 32)
    #expect(try await server.run(["fault", "add", "--fault", "close", "--times", "1"]).status == 0)
    let sent = try await server.run(["send", "p.apns", "--to", token, "--timeout", Hang.timeout])
    #expect(sent.errors.contains("a rule, a magic token, --enforce"), "\(sent.errors)")
    let shown = try await server.run(["connections", "show", "c1"])
    #expect(shown.output.contains("failed  00000001  (there was no error response)"), "\(shown.output)")
    let waited = try await server.run(["wait", "--query", "outcome:rejected"])
    #expect(waited.output.contains("  rejected, by a rule  #00000001"), "\(waited.output)")
    #expect(try await server.stop() == 0)
  }

  @Test(arguments: ["1", "2"])
  func `a notification without an expiry waits for an offline device, whatever its command`(
    command: String
  ) async throws {
    let server = try await RunningServer.start(in: folder)
    try folder.write("p.apns", #"{"aps":{"alert":"hi"}}"#)
    let added = try await server.run(["device", "add", "off", "--offline", "--app", "com.example.app", "-q"])
    let token = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let sent = try await server.run([
      "send", "p.apns", "--to", token, "--command", command, "--timeout", "1ms",
    ])
    #expect(sent.status == 0, "\(added.errors)\(sent.errors)")
    let waited = try await server.run(["wait", "--query", "device:off outcome:stored"])
    #expect(waited.status == 0, "\(waited.errors)")
    #expect(try await server.stop() == 0)
  }

  @Test(arguments: [["reset"], ["scenario", "load"]])
  func `a recording goes on over what clears the history, and ends with the server`(
    _ command: [String]
  ) async throws {
    let server = try await RunningServer.start(in: folder)
    let scenario = try folder.write("s.yaml", "devices: { zed: { apps: [com.example.app] } }")
    let recorder = try await Binary.start(
      ["record", "-", "--endpoints-file", server.endpointsFile],
      in: folder
    )
    var lines = [try #require(await recorder.line())]
    func read(to text: String) async throws {
      while lines.last?.contains(text) != true { lines.append(try #require(await recorder.line())) }
    }
    let token = String(repeating: "11", count: 32)
    try await send(server, to: token, alert: "before")
    try await read(to: #""event":"connectionClosed""#)
    let done = try await server.run(command == ["reset"] ? command : command + [scenario])
    #expect(done.status == 0, "\(done.errors)")
    try await read(to: #""event":"historyCleared""#)
    try await send(server, to: token, alert: "after")
    #expect(try await server.stop() == 0)
    while let line = await recorder.line() { lines.append(line) }
    #expect(try await recorder.status() == 0)
    #expect(try recorder.errors() == "\(lines.count - 1) events recorded\n")
    let file = try folder.write("over.jsonl", lines.joined(separator: "\n") + "\n")
    let replay = try await Binary.run(["replay", file, "--offline", "--quiet"], in: folder)
    #expect(replay.status == 0 && replay.output.hasSuffix("the same journal, byte for byte\n"), "\(replay)")
  }

  @Test func `a recording of a server that is not there leaves the file alone, and makes none`() async throws
  {
    let precious = try folder.write("precious.jsonl", "kept")
    for file in [precious, folder.file("new.jsonl")] {
      let run = try await Binary.run(["record", file, "--control", "http://127.0.0.1:1"], in: folder)
      #expect(run.status == 69)
    }
    #expect(try String(contentsOfFile: precious, encoding: .utf8) == "kept")
    #expect(!FileManager.default.fileExists(atPath: folder.file("new.jsonl")))
  }

  @Test func `a device is added with nothing but its tokens said, and not without a name`() async throws {
    let server = try await RunningServer.start(in: folder)
    let (first, second) = (String(repeating: "bb", count: 32), String(repeating: "aa", count: 32))
    let apps = ["--app", "com.example.b=\(first)", "--app", "com.example.a=\(second)"]
    let added = try await server.run(["device", "add", "bob", "-q"] + apps)
    #expect(added.output == "\(first)\n\(second)\n")
    let nobody = try await server.run(["device", "add", "", "--app", "com.example.a"])
    #expect(nobody.status == 64)
    #expect(nobody.errors.contains("a name of 1 to 255 bytes"))
    #expect(try await server.stop() == 0)
  }

  @Test func `a server that is not there is 69, with where it was looked for`() async throws {
    let run = try await Binary.run(
      ["device", "list"],
      in: folder,
      environment: ["APNSIM_CONTROL_URL": "http://127.0.0.1:1"]
    )
    #expect(run.status == 69)
    #expect(
      run.errors.hasPrefix("apnsim: error: there is no apnsim at http://127.0.0.1:1: connection refused\n")
    )
    #expect(run.errors.contains("the address is from APNSIM_CONTROL_URL"))
    let late = try await Binary.run(["ready", "--timeout", "100ms", "--control", "127.0.0.1:1"], in: folder)
    #expect(late.status == 69)
    let absent = try await Binary.run(
      ["ready", "--timeout", "100ms", "--endpoints-file", "late.json"],
      in: folder
    )
    #expect(absent.status == 69)
    #expect(absent.errors.contains("late.json: cannot be read: No such file or directory"))
  }

  @Test func `a virtual clock is one for every scenario that is loaded, and the recording says so`()
    async throws
  {
    let journal = folder.file("journal.jsonl")
    let flags = ["--clock", "virtual", "--record", journal]
    let server = try await RunningServer.start(flags, in: folder)
    let began = try await server.run(["clock"]).output
    #expect(began.contains("virtual, stopped"))
    let scenario = try folder.write("s.yaml", "version: 1\ndevices: { bob: { apps: [com.example.app] } }\n")
    for command in [["scenario", "load", scenario], ["reset"], ["scenario", "load", scenario]] {
      #expect(try await server.run(["clock", "advance", "2h"]).output != began)
      #expect(try await server.run(command).status == 0)
      #expect(try await server.run(["clock"]).output == began)
    }
    #expect(try await server.stop() == 0)
    #expect(try await Binary.run(["replay", journal, "--offline"], in: folder).status == 0)
  }

  @Test func `a token is asked for, and given`() async throws {
    let server = try await RunningServer.start(["--control-token", "secret"], in: folder)
    let denied = try await server.run(["device", "list"])
    #expect(denied.status == 2)
    #expect(denied.errors.contains("Authorization"))
    #expect(try await server.run(["ready", "--timeout", Hang.timeout]).status == 0)
    #expect(try await server.run(["device", "list", "--control-token", "secret"]).status == 0)
    #expect(try await server.stop() == 0)
  }
}
