import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimTestSupport
import Foundation
import Synchronization
import Testing

@testable import apnsim

/// The words of a replay over the network where a gateway refuses, answers otherwise, or nobody waits for its end.
@Suite struct `Trouble of a replay over the network` {
  private static func line(_ seq: Int, _ time: String, _ event: String, _ members: String) -> String {
    #"{"seq":\#(seq),"time":"2012-06-01T\#(time)Z","event":"\#(event)"\#(members)}"#
  }

  private static func opened(_ seq: Int, _ connection: String) -> String {
    line(
      seq,
      "00:00:01.000",
      "connectionOpened",
      #","connection":"\#(connection)","ordinal":\#(seq),"listener":"gateway","peer":"","provider":"#
        + #"{"topic":"com.example.app","environment":"production"},"tls":{"version":"","cipher":""}"#
    )
  }

  private static func closed(_ seq: Int, _ connection: String) -> String {
    line(seq, "00:00:01.000", "connectionClosed", #","connection":"\#(connection)","reason":"peerClosed""#)
  }

  private func server(rule: String) async throws -> RunningServer {
    let folder = try TemporaryDirectory()
    let scenario = try folder.write("s.yaml", "version: 1\nname: s\nrules:\n  - \(rule)\n")
    return try await RunningServer.start(["--scenario", scenario, "--payload", "lenient"], in: folder)
  }

  @Test(arguments: [1, 2])
  func `a connection that is refused is a difference, and the others are played`(refused: Int) async throws {
    let server = try await server(
      rule: "{ when: { connection: \(refused) }, fault: { refuseHandshake: close } }"
    )
    let following = [Self.opened(4, "c2"), Self.closed(5, "c2")]
    let report = try await NetworkReplays.play(
      NetworkReplays.journal("peerClosed", following: following),
      to: server
    )
    #expect(report.same == 1 && report.connections == 1 && report.differences.count == 1)
    let difference = try #require(report.differences.first)
    #expect("\(difference.captured.id)" == "c\(refused)")
    #expect(difference.summary == "the connection was refused")
    _ = try await server.stop()
  }

  @Test func `where every connection is refused, the gateway cannot be reached`() async throws {
    let server = try await server(rule: "{ fault: { refuseHandshake: close } }")
    let failure = await #expect(throws: ProviderFailure.self) {
      _ = try await NetworkReplays.play(NetworkReplays.journal("peerClosed"), to: server)
    }
    #expect(failure.map { CommandFailure($0).status } == .unreachable)
    _ = try await server.stop()
  }

  @Test func `attempts that were refused in the capture are left out`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let refusal = Self.line(4, "00:00:01.000", "connectionRefused", #","listener":"gateway","peer":"""#)
    let report = try await NetworkReplays.play(
      NetworkReplays.journal("peerClosed", following: [refusal]),
      to: server
    )
    #expect(report.skipped == 1 && report.notes == ["left out: connections that were refused in the capture"])
    _ = try await server.stop()
  }

  @Test func `an answer says whether it is missing, short, more or another one`() async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    // A payload without aps is refused.
    let cases: [(String, String)] = [
      ("", "an answer came back that the capture does not have (47 bytes sent)"),
      ("CAEAAAAACAEAAAAA", "only 6 of the recorded answer's 12 bytes came before"),
      ("CAEA", "more came back than the recorded answer"),
      ("CAgAAAAA", "another answer came back"),
    ]
    for (text, summary) in cases {
      let ends =
        text.isEmpty
        ? [] : [Self.line(3, "00:00:00.010", "bytesOut", #","connection":"c1","bytes":"\#(text)""#)]
      let journal = try NetworkReplays.journal(
        nil,
        start: [1] + [UInt8](repeating: 0, count: 8),
        following: ends + [Self.closed(3 + ends.count, "c1")]
      )
      let report = try await NetworkReplays.play(journal, to: server, patience: Hang.limit)
      let difference = try #require(report.differences.first, "\(text)")
      #expect(difference.summary.hasPrefix(summary), "\(difference.summary)")
      #expect(difference.replayedBytes == [8, 1, 0, 0, 0, 0])
      #expect(report.json.contains(#""replayedBytes":"080100000000""#))
    }
    _ = try await server.stop()
  }

  @Test func `what comes back without being compared is shown`() async throws {
    let server = try await RunningServer.start(in: TemporaryDirectory())
    let source = #","source":{"kind":"raw","name":"x"}"#
    let journal = try NetworkReplays.journal(
      "peerClosed",
      source: source,
      start: [1, 0, 0, 0, 9, 0, 0, 0, 0]
    )
    // So long is waited at most; the answer comes at once.
    let report = try await NetworkReplays.play(journal, to: server, silence: Hang.limit)
    #expect(report.uncompared == 1 && report.differences.isEmpty)
    #expect(
      report.lines.suffix(3) == [
        "came back without being compared:", "c1 (gateway, com.example.app):",
        "  080100000009  status 1 (Processing error), identifier 00000009",
      ],
      "\(report.lines)"
    )
    #expect(report.json.contains(#""uncomparedAnswers":[{"connection":"c1","listener":"gateway""#))
    _ = try await server.stop()
  }

  @Test func `a connection goes on over a new one after a gap`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let frame = Data([0, 0, 32] + [UInt8](repeating: 0, count: 32) + [0, 2] + Array("{}".utf8))
    let following = [
      Self.line(3, "00:00:01.000", "bytesMissing", #","connection":"c1","direction":"in","count":0"#),
      Self.line(4, "00:00:01.000", "framesFound", #","connection":"c1""#),
      Self.line(
        5,
        "00:00:01.000",
        "bytesIn",
        #","connection":"c1","bytes":"\#(frame.base64EncodedString())","count":39"#
      ),
      Self.closed(6, "c1"),
    ]
    let report = try await NetworkReplays.play(
      NetworkReplays.journal(nil, source: #","source":{"kind":"pcap","name":"x"}"#, following: following),
      to: server
    )
    #expect(report.connections == 2 && report.bytesSent == 78 && report.uncompared == 2, "\(report)")
    #expect(report.notes.contains("c1 goes on after the gap over a new connection"))
    _ = try await server.stop()
  }

  @Test func `a reset by the service is an end that is compared`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    for (by, same) in [("", 1), (#","by":"service""#, 0)] {
      let end = Self.line(
        3,
        "00:00:00.010",
        "connectionClosed",
        #","connection":"c1","reason":"reset"\#(by)"#
      )
      let report = try await NetworkReplays.play(
        NetworkReplays.journal(nil, following: [end]),
        to: server,
        patience: .milliseconds(200)
      )
      #expect(report.same == same)
      #expect(
        report.differences.map(\.summary) == (same == 1 ? [] : ["the service did not end the connection"])
      )
    }
    _ = try await server.stop()
  }

  @Test func `what an operator ended is not compared`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    for operation in [
      Self.line(3, "00:00:00.010", "shutdown", #","connection":"c1""#),
      Self.line(3, "00:00:00.010", "command", #","do":{"connection.end":{"connection":"c1","mode":"rst"}}"#),
    ] {
      let end = Self.line(
        4,
        "00:00:00.010",
        "connectionClosed",
        #","connection":"c1","reason":"simulatorClosed""#
      )
      let report = try await NetworkReplays.play(
        NetworkReplays.journal(nil, following: [operation, end]),
        to: server,
        patience: .milliseconds(200)
      )
      #expect(report.uncompared == 1 && report.differences.isEmpty)
      #expect(report.notes == ["c1 is not compared: an operator ended it"])
    }
    _ = try await server.stop()
  }

  @Test func `a connection that was open before the recording is played from its first notification on`()
    async throws
  {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let frame = Data([0, 0, 32] + [UInt8](repeating: 0, count: 32) + [0, 2] + Array("{}".utf8))
    let notification = Self.line(
      7,
      "00:00:01.000",
      "notification",
      #","id":"n9","connection":"c9","topic":"com.example.app","outcome":"delivered","#
        + #""raw":"\#(frame.base64EncodedString())""#
    )
    let lines = [
      #"{"apnsim":"journal","version":1,"completeFrom":7}"#, notification, Self.closed(8, "c9"),
      // A notification's line after the end of its connection does not begin it again.
      notification.replacing(#""seq":7"#, with: #""seq":9"#), "",
    ]
    let reader = try CaptureReader(name: "journal", bytes: Array(lines.joined(separator: "\n").utf8))
    let report = try await NetworkReplays.play(reader, to: server)
    #expect(report.connections == 1 && report.bytesSent == 39 && report.uncompared == 1, "\(report)")
    #expect(report.notes.last == "c9: a notification after the connection's end was not sent")
    #expect(report.notes.first?.hasPrefix("c9 has no beginning in the capture") == true)
    _ = try await server.stop()
  }

  /// The pauses of a capture's replay in all, by a clock of the test's own.
  private func pauses(_ capture: CaptureReader, _ server: RunningServer) async throws -> (
    Duration, NetworkReplayReport
  ) {
    let sum = Mutex(Duration.zero)
    let report = try await NetworkReplays.play(capture, to: server) {
      $0.pace = .asCaptured
      $0.pause = { pause in sum.withLock { $0 = max($0, pause) } }
    }
    return (sum.withLock { $0 }, report)
  }

  @Test func `nobody waits for a clock that was moved by hand`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let moved = [
      Self.line(4, "00:20:00.000", "command", #","do":{"clock.advance":"1d"}"#),
      #"{"seq":5,"time":"2012-06-02T00:30:00.000Z","event":"command","do":{"history.clear":""},"#
        + #""wall":"2012-06-01T00:30:00.000Z"}"#,
    ]
    let (wait, report) = try await pauses(NetworkReplays.journal("peerClosed", following: moved), server)
    #expect(wait > .seconds(1200) && wait <= .seconds(1800), "\(wait)")
    #expect(report.differences.isEmpty && report.notes.isEmpty)
    let header = #","clock":{"mode":"virtual","start":"2012-06-01T00:00:00.000Z"}"#
    let day = [#"{"seq":4,"time":"2012-06-02T00:00:00.000Z","event":"captureEnded"}"#]
    let (none, virtual) = try await pauses(
      NetworkReplays.journal("peerClosed", header: header, following: day),
      server
    )
    #expect(none == .zero)
    #expect(virtual.notes == ["the capture's clock was virtual: it is replayed without pauses"])
    _ = try await server.stop()
  }

  @Test func `a replay that is stopped gives what was compared by then`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let following = [
      Self.opened(4, "c2"),
      #"{"seq":5,"time":"2012-06-02T00:00:00.000Z","event":"connectionClosed","connection":"c2","#
        + #""reason":"peerClosed"}"#,
    ]
    let journal = try NetworkReplays.journal("peerClosed", following: following)
    let report = try await NetworkReplays.play(journal, to: server) {
      $0.pace = .asCaptured
      $0.pause = { if $0 > .seconds(60) { throw CancellationError() } }
    }
    #expect(report.same == 1 && report.uncompared == 1 && report.differences.isEmpty)
    #expect(
      report.lines.contains { $0.hasPrefix("stopped   1s into the capture") },
      "\(report.lines)"
    )
    #expect(report.json.contains(#""complete":false"#))
    _ = try await server.stop()
  }

  @Test func `Ctrl-C ends a replay with its report`() async throws {
    let server = try await RunningServer.start(["--payload", "lenient"], in: TemporaryDirectory())
    let header = #"{"apnsim":"journal","version":1}"#
    let late = #"{"seq":4,"time":"2012-06-02T00:00:00.000Z","event":"captureEnded"}"#
    let file = try server.folder.write(
      "slow.jsonl",
      [header, Self.opened(1, "c1"), Self.closed(2, "c1"), Self.opened(3, "c2"), late, ""]
        .joined(separator: "\n")
    )
    let watch = try await Binary.start(
      ["watch", "--endpoints-file", server.endpointsFile, "--json", "--all"],
      in: server.folder
    )
    let replay = try await Binary.start(
      [
        "replay", file, "--to", "127.0.0.1:\(try NetworkReplays.ports(server).gateway)", "--certs",
        TestCertificates.path, "--timeout", Hang.timeout,
      ],
      in: server.folder
    )
    // The second connection begins when the first one has been compared.
    while let line = await watch.line(), !(line.contains("connectionOpened") && line.contains(#""c2""#)) {}
    replay.signal(SIGINT)
    let output = await replay.rest()
    #expect(try await replay.status() == 2)
    #expect(output.contains("stopped   0 into the capture") && output.contains("same      "), "\(output)")
    watch.signal(SIGINT)
    _ = try await watch.status()
    _ = try await server.stop()
  }
}
