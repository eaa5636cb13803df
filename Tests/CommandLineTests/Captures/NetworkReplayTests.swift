import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimTestSupport
import ArgumentParser
import Foundation
import Synchronization
import Testing

@testable import apnsim

@Suite struct `Replaying over the network` {
  private func replay(_ server: RunningServer, _ arguments: [String]) async throws -> Binary.Result {
    try await Binary.run(
      [
        "replay", Captures.path("clients.jsonl.gz"), "--to",
        "127.0.0.1:\(try NetworkReplays.ports(server).gateway)",
        "--certs",
        TestCertificates.path, "--no-feedback", "--speed", "max",
      ] + (arguments.contains("--timeout") ? [] : ["--timeout", Hang.timeout]) + arguments,
      in: server.folder
    )
  }

  @Test(arguments: [[], ["--join"]])
  func `the same gateway gives the recorded answers`(arguments: [String]) async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    let done = try await replay(server, arguments)
    #expect(done.status == 0, "\(done.errors)")
    #expect(done.output.contains("replayed  5 gateway connections, 0 feedback connections, 1,058 bytes"))
    #expect(done.output.contains("same      every answer is as recorded"))
    #expect(try await server.stop() == 0)
  }

  @Test func `where nobody listens, the hint names flags that a replay has`() async throws {
    let folder = try TemporaryDirectory()
    #expect(try await Binary.run(["certs", "init", "--key-type", "ec"], in: folder).status == 0)
    let replay = ["replay", Captures.path("clients.jsonl.gz"), "--to", "127.0.0.1:1"]
    let done = try await Binary.run(replay, in: folder)
    #expect(done.status == 69, "\(done.errors)")
    #expect(done.errors.contains("; --to HOST:PORT says where it is"), "\(done.errors)")
  }

  @Test func `another answer is 1, and the first one is shown in full`() async throws {
    let server = try await RunningServer.start(["--magic-tokens", "off"], in: TemporaryDirectory())
    let done = try await replay(server, ["--timeout", "1"])
    #expect(done.status == 1)
    #expect(done.output.contains("c1 (gateway, com.example.app): the recorded answer did not come within 1s"))
    #expect(done.output.contains(" (400 bytes sent)"))
    #expect(done.output.contains("  recorded  080800000002  status 8 (Invalid token), identifier 00000002"))
    #expect(done.output.contains("  replayed  nothing"))
    _ = try await server.stop()
  }

  @Test func `feedback is read again and its lists are compared`() async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    let done = try await Binary.run(
      [
        "replay", Captures.path("clients.jsonl.gz"), "--to",
        "127.0.0.1:\(try NetworkReplays.ports(server).gateway)",
        "--feedback-to", "127.0.0.1:\(try NetworkReplays.ports(server).feedback)", "--certs",
        TestCertificates.path,
        "--speed",
        "max", "--timeout", Hang.timeout, "--json",
      ],
      in: server.folder
    )
    #expect(done.status == 1)
    #expect(done.output.contains(#""feedbackConnections":1"#))
    #expect(done.output.contains(#""summary":"another feedback list came back""#))
    #expect(done.output.contains(#""replayed":["no tuples"]"#))
    _ = try await server.stop()
  }

  @Test func `an end that the capture does not have is a difference, also without a packet`() async throws {
    let server = try await RunningServer.start(
      ["--tokens", "known", "--payload", "lenient"],
      in: TemporaryDirectory()
    )
    for ending in ["peerClosed", nil] {
      // So long is waited at most; the refusal comes at once.
      let report = try await NetworkReplays.play(
        NetworkReplays.journal(ending),
        to: server,
        silence: Hang.limit
      )
      #expect(report.same == 0)
      let difference = try #require(report.differences.first)
      #expect(difference.summary == "the service ended the connection after 39 bytes")
      #expect(
        difference.recorded == [ending == nil ? "still open at the capture's end" : "ended by the provider"]
      )
      #expect(difference.replayed.first == "ended by the service")
    }
    for ending in ["simulatorClosed", "reset", "failed"] {
      #expect(
        try await NetworkReplays.play(NetworkReplays.journal(ending), to: server).differences.isEmpty,
        "\(ending)"
      )
    }
    // A provider that did not wait for an answer does not show that there was none.
    let source = #","source":{"kind":"pcap","name":"x"}"#
    let hasty = try NetworkReplays.journal("peerClosed", source: source, #","answersSeen":true"#)
    #expect(try await NetworkReplays.play(hasty, to: server).differences.isEmpty)
    _ = try await server.stop()
    let other = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    #expect(try await NetworkReplays.play(NetworkReplays.journal("peerClosed"), to: other).same == 1)
    _ = try await other.stop()
  }

  @Test func `an end without a packet long after what came is no refusal`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    for (seconds, isRefusal) in [(1, true), (3, false)] {
      let end =
        #"{"seq":3,"time":"2012-06-01T00:00:0\#(seconds).000Z","event":"connectionClosed","connection":"c1","#
        + #""reason":"simulatorClosed"}"#
      let source = #","source":{"kind":"pcap","name":"x"}"#
      let capture = try NetworkReplays.journal(nil, source: source, #","answersSeen":true"#, following: [end])
      let report = try await NetworkReplays.play(capture, to: server, patience: .milliseconds(200))
      #expect(report.same == (isRefusal ? 0 : 1))
      #expect(
        report.differences.map(\.summary) == (isRefusal ? ["the service did not end the connection"] : [])
      )
    }
    _ = try await server.stop()
  }

  @Test func `what was open when the recording server was stopped ended with the capture`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let report = try await NetworkReplays.play(
      NetworkReplays.journal("drained"),
      to: server,
      silence: .milliseconds(1)
    )
    #expect(report.same == 1 && report.differences.isEmpty)
    _ = try await server.stop()
  }

  /// An answer that waits for frames leaves when the provider ends its side: at the recorded place, and not when the
  /// answer is given up.
  @Test func `a provider ends its side where it did`() async throws {
    let folder = try TemporaryDirectory()
    let rules = try folder.write(
      "rules.yaml",
      "version: 1\nname: late\nrules:\n  - { when: { nth: 1 }, reply: { status: 8, afterFrames: 5 } }\n"
    )
    let server = try await RunningServer.start(["--scenario", rules, "--payload", "lenient"], in: folder)
    func line(_ seq: Int, _ event: String, _ members: String) -> String {
      #"{"seq":\#(seq),"time":"2012-06-01T00:00:00.010Z","event":"\#(event)","connection":"c1"\#(members)}"#
    }
    let ending = [
      line(3, "inputEnded", ""), line(4, "errorSent", #","status":8,"bytes":"CAgAAAAA""#),
      line(5, "bytesIn", #","bytes":"AQI=","count":2"#),
      line(6, "connectionClosed", #","reason":"simulatorClosed""#),
    ]
    let report = try await NetworkReplays.play(
      NetworkReplays.journal(nil, start: [1] + [UInt8](repeating: 0, count: 8), following: ending),
      to: server,
      patience: Hang.limit
    )
    #expect(report.same == 1 && report.differences.isEmpty, "\(report.json)")
    #expect(report.notes == ["c1: 2 bytes that form no frame were left out"])
    _ = try await server.stop()
  }

  @Test func `nothing is called the same that could not be compared`() async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    let source = #","source":{"kind":"raw","name":"x"}"#
    let report = try await NetworkReplays.play(
      NetworkReplays.journal("peerClosed", source: source),
      to: server
    )
    #expect(report.same == 0 && report.uncompared == 1 && report.differences.isEmpty)
    #expect(
      report.lines.last
        == "compared  nothing: the capture has no connection whose answers can be compared"
    )
    #expect(report.json.contains(#""uncomparedConnections":1"#))
    #expect(report.notes == ["c1 is not compared: the capture does not have what came back"])
    _ = try await server.stop()
  }

  @Test
  func `a little is read of a service that sends much more than the capture has, and a little of it shown`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let tuples = (0..<4000).map { number in
      let digits = String(number, radix: 16)
      return
        "  - { token: \"\(String(repeating: "0", count: 64 - digits.count))\(digits)\", app: com.example.app, "
        + "at: 2012-05-31T12:00:00Z }"
    }
    let scenario = try folder.write(
      "many.yaml",
      "version: 1\nname: many\napps:\n  com.example.app: { environment: production }\nfeedback:\n"
        + tuples.joined(separator: "\n") + "\n"
    )
    let server = try await RunningServer.start(["--scenario", scenario], in: folder)
    let done = try await Binary.run(
      [
        "replay", Captures.path("clients.jsonl.gz"), "--to",
        "127.0.0.1:\(try NetworkReplays.ports(server).gateway)",
        "--feedback-to", "127.0.0.1:\(try NetworkReplays.ports(server).feedback)", "--certs",
        TestCertificates.path,
        "--speed", "max",
      ],
      in: folder
    )
    #expect(done.status == 1)
    #expect(done.output.contains("(more came, which was not read)"), "\(done.output)")
    #expect(done.output.utf8.count < 10_000)
    _ = try await server.stop()
  }

  @Test func `the capture's own time is kept by pauses, which its speed divides`() async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    let pauses = Mutex<[Duration]>([])
    var options = NetworkReplay.Options()
    options.pace = ReplayPace(factor: 0.001)
    // A clock of the test's own: nobody waits.
    options.pause = { pause in pauses.withLock { $0.append(pause) } }
    var arguments = try EndpointOptions.parse([])
    arguments.port = UInt16(try NetworkReplays.ports(server).gateway)
    arguments.credentials.server.certs = TestCertificates.path
    let target = try ProviderTarget.resolve(arguments, service: .gateway, environment: [:])
    var replay = NetworkReplay(gateway: target, feedback: nil, options)
    let report = try await replay.run(CaptureReader(path: Captures.path("clients.jsonl.gz")))
    #expect(report.differences.isEmpty && report.connections == 5 && report.skipped == 1)
    // The story takes longer than a second; a thousand times as long leaves a busy machine hundreds.
    #expect(pauses.withLock { $0.max() ?? .zero } > .seconds(500))
    _ = try await server.stop()
  }

  @Test func `speeds are factors or max`() {
    #expect(ReplayPace(argument: "10x")?.factor == 10)
    #expect(ReplayPace(argument: "0.5x")?.factor == 0.5)
    #expect(ReplayPace(argument: "max") == .maximum)
    for text in ["", "x", "0x", "-1x", "10", "fast", "nanx", "infx"] {
      #expect(ReplayPace(argument: text) == nil)
    }
  }

  @Test(
    arguments: [
      ("127.0.0.1:2195", "127.0.0.1", 2195), ("localhost:1", "localhost", 1), ("[::1]:2195", "::1", 2195),
    ]
  )
  func `an address is a host and a port`(text: String, host: String, port: UInt16) throws {
    let address = try #require(NetworkReplayOptions.address(text))
    #expect(address.host == host && address.port == port)
    for text in ["", "host", "host:", ":1", "host:0", "host:70000"] {
      #expect(NetworkReplayOptions.address(text) == nil)
    }
  }
}
