import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import apnsim

@Suite(.mustNotHang) struct `A state that outlives its process` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func start(_ arguments: String...) async throws -> RunningServer {
    try await RunningServer.start(["--state", "state"] + arguments, in: folder)
  }

  /// Runs a server that ends by itself, because it cannot start.
  private func refused(_ arguments: String..., environment: [String: String] = [:]) async throws
    -> Binary.Result
  {
    try await Binary.run(
      ["serve", "--ephemeral", "--certs", TestCertificates.path] + arguments,
      in: folder,
      environment: environment
    )
  }

  /// The output of a server up to the end of its banner.
  private func said(_ server: RunningServer) async throws -> String {
    try #require(try await eventually { try server.errors().contains("\n  try  ") })
    return try server.errors()
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(name)) }

  /// An offline device with a stored notification, and a tuple on the feedback list.
  private func fill(_ server: RunningServer) async throws {
    let (app, token) = ("com.example.app", String(repeating: "b0", count: 32))
    try folder.write("order.apns", #"{"Simulator Target Bundle":"\#(app)","aps":{"alert":"Order"}}"#)
    for command in [
      ["device", "add", "bob", "--offline", "--app", "\(app)=\(token)"],
      ["feedback", "add", String(repeating: "fe", count: 32), "--app", app],
      ["send", "order.apns", "--to", token, "--timeout", "200ms"],
    ] {
      let result = try await server.run(command)
      #expect(result.status == 0, "\(command): \(result.errors)")
    }
  }

  private func expectFilled(_ server: RunningServer) async throws {
    let stored = try await server.run(["device", "inbox", "bob", "--stored"])
    #expect(stored.output.contains("Order"), "\(stored)")
    let feedback = try await server.run(["feedback", "list"])
    #expect(feedback.output.contains(String(repeating: "fe", count: 32)), "\(feedback)")
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a state that outlives its process is there again, however that ended`(signal: Int32) async throws {
    let first = try await start()
    try await fill(first)
    let banner = try await said(first)
    #expect(banner.contains("  state     state · new\n"), "\(banner)")
    #expect(try await first.stop(signal) == (signal == SIGKILL ? SIGKILL : 0))

    let second = try await start()
    try await expectFilled(second)
    let said = try await said(second)
    let line = said.split(separator: "\n").first { $0.hasPrefix("  state     state · ") } ?? ""
    #expect(line.contains("restored in ") && line.contains(" input"), "\(said)")
    if signal == SIGTERM { #expect(line.contains("snapshot of ") && line.contains(" 0 inputs)"), "\(line)") }
    // A connection that one run did not end is ended by the next.
    let list = try await second.run(["connections", "list"])
    #expect(list.status == 0, "\(list)")
    #expect(try await second.stop() == 0)
  }

  @Test func `a state that outlives its process is gone after a reset, and that lasts`() async throws {
    let first = try await start()
    try await fill(first)
    #expect(try await first.run(["reset"]).status == 0)
    #expect(try await first.stop(SIGKILL) == SIGKILL)
    let second = try await start()
    let devices = try await second.run(["device", "list"])
    #expect(!devices.output.contains("bob"), "\(devices)")
    #expect(try await second.stop() == 0)
  }

  @Test func `a state that outlives its process keeps its seed, and a clock that stands still`() async throws
  {
    let first = try await start("--clock", "virtual@2012-06-01")
    #expect(try await first.run(["clock", "advance", "3h"]).status == 0)
    func seed(_ server: RunningServer) async throws -> Substring? {
      try await said(server).split(separator: "\n").first { $0.hasPrefix("  seed") }
    }
    let before = try await seed(first)
    #expect(try await first.stop(SIGKILL) == SIGKILL)
    let second = try await start("--clock", "virtual@2012-06-01")
    #expect(try await seed(second) == before && before != nil)
    let clock = try await second.run(["clock", "show"])
    #expect(clock.output.contains("2012-06-01T03:00:00"), "\(clock)")
    #expect(try await second.stop() == 0)
  }

  // MARK: The recording

  @Test(arguments: ["run.jsonl", "run.jsonl.gz"], [[], ["--redact", "--redact-key", "key"]])
  func `a state that outlives its process has its recording go on, exact across every end`(
    name: String,
    flags: [String]
  ) async throws {
    try folder.write("key", (0..<64).map { UInt8($0) })
    func start() async throws -> RunningServer {
      try await RunningServer.start(["--state", "state", "--record", name] + flags, in: folder)
    }
    for (round, signal) in [SIGKILL, SIGTERM, SIGKILL, SIGTERM].enumerated() {
      let server = try await start()
      let said = try server.errors()
      // The first may be killed before it has written anything, and the second begins then.
      let goesOn = said.contains("the recording goes on in it, from event ")
      #expect(round == 1 || goesOn == (round > 1), "\(said)")
      let demo = try await server.run(["send", "--demo", "--timeout", Hang.timeout])
      #expect(demo.status == 0, "\(demo)")
      _ = try await server.stop(signal)
    }
    #expect(!exists("\(name).previous"))
    let result = try await Binary.run(["replay", "--offline", name], in: folder)
    #expect(result.status == 0 && result.output.contains("24 notifications"), "\(result)")
    #expect(result.output.contains("the same journal, byte for byte\n"), "\(result)")
  }

  @Test func `a state does not go on in a recording that is another's, or redacted otherwise`() async throws {
    let other = try await RunningServer.start(["--record", "run.jsonl"], in: folder)
    _ = try await other.run(["send", "--demo", "--timeout", Hang.timeout])
    #expect(try await other.stop() == 0)
    for flags in [[], ["--redact"], []] {
      let server = try await RunningServer.start(
        ["--state", "state", "--record", "run.jsonl"] + flags,
        in: folder
      )
      #expect(try server.errors().contains("the recording that was there is run.jsonl.previous now"))
      _ = try await server.run(["send", "--demo", "--timeout", Hang.timeout])
      #expect(try await server.stop() == 0)
    }
  }

  // MARK: Exit codes

  @Test func `64 for values that cannot be, and for what belongs to a state without one`() async throws {
    for (arguments, expected) in [
      (
        ["--state", "state", "--state-sync", "always"],
        "--state-sync: expected interval or off (always, where every answer waits for the disk, is not there"
      ),
      (["--state", "state", "--state-log", "1MiB"], "--state-log: expected a size from 4MiB to "),
      (["--state", "state", "--state-log", "much"], "found \"much\""),
      (["--state", "state", "--state-mismatch", "keep"], "--state-mismatch: expected refuse or reset"),
      (["--state-log", "64MiB"], "--state-log requires --state"),
      (["--state", ""], "--state: expected a directory, or none"),
    ] {
      let result = try await Binary.run(["serve", "--ephemeral"] + arguments, in: folder)
      #expect(result.status == 64 && result.errors.contains(expected), "\(arguments): \(result)")
    }
    #expect(!exists("state"))
  }

  @Test func `73 for a directory that another process has, or that cannot be one`() async throws {
    let first = try await start()
    let second = try await refused("--state", "state")
    #expect(second.status == 73 && second.errors.contains("is used by pid "), "\(second)")
    #expect(second.errors.contains("hint: each simulator needs a state of its own"), "\(second)")
    #expect(try await first.stop() == 0)
    try folder.write("file", "mine")
    for path in ["file", "file/state"] {
      let result = try await refused("--state", path)
      #expect(result.status == 73 && result.errors.hasPrefix("apnsim: error: "), "\(result)")
    }
    #expect(try folder.read("file") == Array("mine".utf8))
  }

  @Test func `78 for a state that began otherwise, which names what differs, and may begin anew`()
    async throws
  {
    let first = try await start("--seed", "1")
    try await fill(first)
    #expect(try await first.stop() == 0)
    let scenario = try folder.write("s.yaml", "devices: { carol: { apps: [com.example.app] } }")
    for (flags, expected) in [
      (["--seed", "2"], "the seed was 1, and is 2"),
      (["--badge-absent", "clear"], "the setting badgeAbsent was keep, and is clear"),
      (["--clock", "virtual"], "the clock was real, and is virtual"),
      (["--scenario", scenario], "the key devices of the scenario"),
    ] {
      let result = try await Binary.run(
        ["serve", "--ephemeral", "--certs", TestCertificates.path, "--state", "state"] + flags,
        in: folder
      )
      #expect(result.status == 78 && result.errors.contains(expected), "\(result)")
      #expect(result.errors.contains("or --state-mismatch reset removes the state"), "\(result)")
    }
    // An unseeded run goes on with the seed that is there.
    let unseeded = try await start()
    try await expectFilled(unseeded)
    #expect(try await unseeded.stop() == 0)

    let anew = try await start("--seed", "2", "--state-mismatch", "reset")
    let said = try await said(anew)
    #expect(said.contains("the state that was there is removed: the seed was 1, and is 2"), "\(said)")
    #expect(said.contains("state · new\n"))
    let devices = try await anew.run(["device", "list"])
    #expect(!devices.output.contains("bob"))
    #expect(try await anew.stop() == 0)
  }

  @Test func `78 for a state whose beginning cannot be read`() async throws {
    #expect(try await start().stop() == 0)
    try folder.write("state/state.json", "{")
    let result = try await refused("--state", "state")
    #expect(result.status == 78 && result.errors.contains("state.json"), "\(result)")
  }

  // MARK: Who has one

  @Test func `a state is not for a simulator on free ports, unless its command line says so`() async throws {
    let variable = ["APNSIM_STATE": folder.file("state")]
    let run = try await Binary.shell(
      """
      certs='--certs \(TestCertificates.path)'
      apnsim exec $certs -- true && test ! -e state || exit 8
      apnsim exec $certs --state state -- apnsim send --demo --timeout \(Hang.timeout) > sent && test -d state || exit 9
      apnsim serve --ephemeral $certs --endpoints-file e.json > out 2>&1 & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      kill -TERM $server; wait $server; grep -c '  state' out
      """,
      in: folder,
      environment: variable
    )
    #expect(run.output == "0\n", "\(run)")
  }

  @Test func `a state that outlives its process is named by a variable where ports are given`() throws {
    func state(_ flags: [(String, String)], _ environment: [String: String]) throws -> String? {
      try SettingLayers(
        flags: flags.map { SettingAssignment(name: $0.0, text: $0.1) },
        environment: environment
      ).plan().run.state
    }
    let variable = ["APNSIM_STATE": "a"]
    #expect(try state([], variable) == "a")
    #expect(try state([("state", "b")], variable) == "b")
    #expect(try state([("state", "none")], variable) == nil)
    #expect(try state([("ephemeral", "on")], variable) == nil)
    #expect(try state([], variable.merging(["APNSIM_EPHEMERAL": "on"]) { $1 }) == nil)
    #expect(try state([("ephemeral", "on"), ("state", "b")], variable) == "b")
    let config = try folder.write("c.yaml", "state: c\nstateLog: 8MiB\n")
    #expect(try state([("config", config)], [:]) == "c")
    #expect(try state([("config", config), ("ephemeral", "on")], [:]) == nil)
  }

  @Test func `sizes are read and written as people do`() {
    for (text, count) in [
      ("256MiB", 256 << 20), ("1GiB", 1 << 30), ("5KiB", 5 << 10), ("4194305", 4_194_305),
    ] {
      #expect(ByteSize.parse(text) == count && ByteSize.text(count) == text)
    }
    for text in ["", "MiB", "-1", "+1", "1.5GiB", "9999999999GiB", "1 MiB", "1MB"] {
      #expect(ByteSize.parse(text) == nil, "\(text)")
    }
    #expect(ByteSize.text(0) == "0")
  }
}
