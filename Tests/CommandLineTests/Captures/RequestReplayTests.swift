import APNSimCapture
import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

@testable import apnsim

@Suite struct `Replaying requests over the network` {
  private struct Ports: Decodable {
    var gateway: Int
    var http2: Int
  }

  private static func ports(_ server: RunningServer) throws -> Ports {
    try JSONDecoder().decode(Ports.self, from: Data(contentsOf: URL(fileURLWithPath: server.endpointsFile)))
  }

  /// Records the demonstration of `send` over HTTP/2, and over the binary interface where asked.
  private static func record(_ folder: TemporaryDirectory, binary: Bool = false) async throws -> String {
    let file = folder.file("recorded.jsonl")
    let server = try await RunningServer.start(["--record", file], in: folder)
    for api in binary ? ["http2", "binary"] : ["http2"] {
      let sent = try await server.run(["send", "--demo", "--timeout", Hang.timeout, "--api", api])
      #expect(sent.status == 0, "\(sent.output)\(sent.errors)")
    }
    #expect(try await server.stop() == 0)
    return file
  }

  private static func replay(
    _ file: String,
    _ server: RunningServer,
    _ arguments: [String] = []
  ) async throws -> Binary.Result {
    try await Binary.run(
      ["replay", file, "--to", "127.0.0.1:\(try ports(server).http2)", "--certs", TestCertificates.path]
        + (arguments.contains("--timeout") ? [] : ["--timeout", Hang.timeout]) + arguments,
      in: server.folder
    )
  }

  @Test func `the same service answers as recorded, and the captures are the same`() async throws {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder)
    let again = folder.file("again.jsonl")
    let server = try await RunningServer.start(["--record", again], in: folder)
    let done = try await Self.replay(file, server)
    #expect(done.status == 0, "\(done.output)\(done.errors)")
    #expect(done.output.contains("; 1 HTTP/2 connection, 7 requests"))
    #expect(done.output.contains("same      every answer is as recorded"))
    #expect(try await server.stop() == 0)
    let diff = try await Binary.run(["diff", file, again], in: folder)
    #expect(diff.status == 0, "\(diff.output)")
    #expect(diff.output.contains("7 notifications in both, no differences"))
    // Requests have no error responses to count.
    #expect(diff.output.contains(": 7 notifications on 1 connection\n"), "\(diff.output)")
  }

  @Test func `another answer is 1, shown by stream, status and reason`() async throws {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder)
    let server = try await RunningServer.start(["--magic-tokens", "off"], in: folder)
    let done = try await Self.replay(file, server, ["--speed", "max"])
    #expect(done.status == 1, "\(done.output)\(done.errors)")
    #expect(done.output.contains("c1 (http2): 1 of 7 requests fared otherwise"), "\(done.output)")
    #expect(done.output.contains("  recorded  stream 9  410 Unregistered"))
    #expect(done.output.contains("  replayed  stream 9  200"))
    let json = try await Self.replay(file, server, ["--speed", "max", "--json"])
    #expect(json.output.contains(#""recorded":{"status":410,"reason":"Unregistered""#), "\(json.output)")
    #expect(json.output.contains(#""http2Connections":1,"requests":7,"requestsUnsent":0"#))
    #expect(try await server.stop() == 0)
  }

  @Test func `RST_STREAM is another answer than none`() async throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("reset.jsonl")
    let recorder = try await RunningServer.start(["--record", file], in: folder)
    let payload = try folder.write("a.json", #"{"aps":{"alert":"hi"}}"#)
    let token = "41504e53494dd105" + String(repeating: "0", count: 48)
    let sent = try await recorder.run(["send", payload, "--to", token, "--api", "http2"])
    #expect(sent.output.contains("reset INTERNAL_ERROR"), "\(sent.output)")
    #expect(try await recorder.stop() == 0)
    let rule = "{ when: { token: \"\(token)\" }, fault: { unanswered: { delivered: false } } }"
    let scenario = try folder.write(
      "s.yaml",
      "version: 1\nname: s\napps:\n  com.example.app: {}\nrules:\n  - \(rule)\n"
    )
    let server = try await RunningServer.start(["--scenario", scenario], in: folder)
    let done = try await Self.replay(file, server, ["--speed", "max", "--timeout", "1s"])
    #expect(done.status == 1, "\(done.output)\(done.errors)")
    #expect(done.output.contains("  recorded  stream 1  RST_STREAM INTERNAL_ERROR"), "\(done.output)")
    #expect(done.output.contains("  replayed  stream 1  no answer"))
    // The connection is silent until the wait is over, and it is said so.
    let silent = try await server.run(["send", payload, "--to", token, "--api", "http2", "--timeout", "1s"])
    #expect(silent.output.contains("nothing came within the timeout, with 1 request unanswered"))
    #expect(try await server.stop() == 0)
  }

  @Test func `tokens are signed by the key that is given, and without one it is said what is missing`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder)
    let other = folder.file("other")
    #expect(
      try await Binary.run(["certs", "init", "--key-type", "ec", "--certs", other], in: folder).status == 0
    )
    #expect(try await Binary.run(["certs", "key", "--certs", other], in: folder).status == 0)
    let keys = try FileManager.default.contentsOfDirectory(atPath: other)
    let name = try #require(keys.first { $0.hasSuffix(".p8") && $0 != "AuthKey_APNSIMKEY1.p8" })
    let server = try await RunningServer.start(in: folder)
    let unknown = try await Self.replay(
      file,
      server,
      ["--speed", "max", "--auth-key", "\(other)/\(name)", "--json"]
    )
    #expect(unknown.status == 1)
    #expect(unknown.output.contains(#""reason":"InvalidProviderToken""#), "\(unknown.output)")
    #expect(unknown.errors.contains("are signed by"), "\(unknown.errors)")
    #expect(try await server.stop() == 0)
  }

  @Test func `a capture with both interfaces has each go to its own service`() async throws {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder, binary: true)
    let server = try await RunningServer.start(in: folder)
    let ports = try Self.ports(server)
    let done = try await Binary.run(
      [
        "replay", file, "--to", "127.0.0.1:\(ports.gateway)", "--http2-to", "127.0.0.1:\(ports.http2)",
        "--certs", TestCertificates.path, "--no-feedback", "--speed", "max",
        "--timeout", Hang.timeout,
      ],
      in: folder
    )
    #expect(done.status == 0, "\(done.output)\(done.errors)")
    #expect(done.output.contains("replayed  1 gateway connection, 0 feedback connections"))
    let note =
      "gateway connections go to 127.0.0.1:\(ports.gateway) (--to), those of HTTP/2 to 127.0.0.1:\(ports.http2) (--http2-to)"
    #expect(done.errors.contains(note), "\(done.errors)")
    #expect(done.output.contains("; 1 HTTP/2 connection, 7 requests"))
    #expect(try await server.stop() == 0)
  }

  /// A capture of a connection whose streams ended in that order.
  /// - Parameter headers: further ones, by stream.
  private static func capture(
    _ streams: [UInt32],
    headers: [UInt32: (String, String)] = [:],
    in folder: TemporaryDirectory
  ) throws -> String {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "har", name: "x")
    var writer = CaptureWriter(header)
    let id = ConnectionID(rawValue: 1)
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    let time = Timestamp(seconds: 1_700_000_000)
    writer.write(
      CaptureEntry(
        time: time,
        kind: .connectionOpened(CapturedConnection(id: id, listener: .http2, peer: "", provider: none))
      )
    )
    for stream in streams {
      let token = String(repeating: "0", count: 62) + "a\(stream)"
      let fields =
        [
          (":method", "POST"), (":path", "/3/device/\(token)"), ("authorization", ""),
          ("apns-topic", "com.example.app"),
        ] + (headers[stream].map { [$0] } ?? [])
      let request = ProviderRequest(
        stream: stream,
        headers: fields.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
        body: Array("{}".utf8),
        authorization: .bearer(
          ProviderTokenFacts(number: 1, keyID: "K", teamID: "T", issuedAt: time.seconds, verdict: .good)
        )
      )
      writer.write(CaptureEntry(time: time, kind: .stream(id, .request(request.bytes))))
    }
    return try folder.write("streams.jsonl", String(decoding: writer.takeLines(), as: UTF8.self))
  }

  @Test func `requests that a service does not take are differences, also where the capture has no answers`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let file = try Self.capture([1, 3, 5], in: folder)
    for (fault, replayed) in [
      ("{ reset: { afterBytes: 40 } }", "no answer"), ("{ unanswered: { delivered: false } }", "no answer"),
    ] {
      let scenario = try folder.write("s.yaml", "version: 1\nname: s\nrules:\n  - { fault: \(fault) }\n")
      let server = try await RunningServer.start(["--scenario", scenario], in: folder)
      let done = try await Self.replay(file, server, ["--speed", "max", "--timeout", "1s"])
      #expect(done.status == 1, "\(done.output)\(done.errors)")
      #expect(done.output.contains("c1 (http2): 3 of 3 requests fared otherwise"), "\(done.output)")
      #expect(done.output.contains("  recorded  stream 1  no answer (the capture does not have it)"))
      #expect(done.output.contains("  replayed  stream 1  \(replayed)"), "\(done.output)")
      #expect(try await server.stop() == 0)
    }
  }

  @Test func `a capture in which nothing was sent has no answers that are as recorded`() async throws {
    let folder = try TemporaryDirectory()
    let file = try Self.capture([], in: folder)
    let server = try await RunningServer.start(in: folder)
    let done = try await Self.replay(file, server, ["--speed", "max"])
    #expect(done.status == 0 && done.output.contains("1 HTTP/2 connection, 0 requests"), "\(done.output)")
    #expect(done.output.contains("same      nothing was sent, as recorded"), "\(done.output)")
    #expect(try await server.stop() == 0)
  }

  @Test func `a request after its connection's end is a difference`() async throws {
    let folder = try TemporaryDirectory()
    let file = try Self.capture([1], in: folder)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    var lines = text.split(separator: "\n").map(String.init)
    lines.insert(
      #"{"seq":2,"time":"2023-11-14T22:13:20.000Z","event":"connectionClosed","connection":"c1","#
        + #""reason":"peerClosed"}"#,
      at: 2
    )
    let late = try folder.write("late.jsonl", lines.joined(separator: "\n") + "\n")
    let server = try await RunningServer.start(in: folder)
    let done = try await Self.replay(late, server, ["--speed", "max"])
    #expect(done.status == 1, "\(done.output)\(done.errors)")
    #expect(done.output.contains("c1 (http2): a request after the connection's end was not sent"))
    #expect(try await server.stop() == 0)
  }

  @Test func `a recorded request after its connection's end is a difference of HTTP/2`() async throws {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder)
    let recorded = try String(contentsOfFile: file, encoding: .utf8)
    var lines = recorded.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains(#""event":"connectionClosed""#) })
    lines.insert(lines.remove(at: place), at: 2)
    let late = try folder.write("late.jsonl", lines.joined(separator: "\n") + "\n")
    let server = try await RunningServer.start(in: folder)
    let done = try await Self.replay(late, server, ["--speed", "max"])
    #expect(done.status == 1, "\(done.output)\(done.errors)")
    #expect(done.output.contains("c1 (http2): a notification after the connection's end was not sent"))
    #expect(try await server.stop() == 0)
  }

  @Test func `streams open and end in the order of the capture`() async throws {
    let folder = try TemporaryDirectory()
    let file = try Self.capture([3, 1, 7, 5], in: folder)
    let again = folder.file("again.jsonl")
    let server = try await RunningServer.start(["--record", again], in: folder)
    let done = try await Self.replay(file, server, ["--speed", "max", "--timeout", Hang.timeout])
    // The capture does not have the answers, so that there is nothing to compare.
    #expect(done.output.contains("compared  nothing"), "\(done.output)\(done.errors)")
    #expect(try await server.stop() == 0)
    let pushes = try String(contentsOfFile: again, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains(#""event":"notification""#) }
    let order = pushes.map { line in
      (1...4).map { 2 * $0 - 1 }.first { line.contains("a\($0)\",\"interface\":\"http2\",\"stream\":\($0),") }
    }
    #expect(order == [3, 1, 7, 5], "\(pushes)")
  }

  @Test
  func `a request that cannot be sent is a difference with its reason, and the streams after it are sent`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let headers: [UInt32: (String, String)] = [
      1: ("cookie", String(repeating: "~", count: 20_000)), 3: ("", ""),
    ]
    let file = try Self.capture([1, 3, 5], headers: headers, in: folder)
    let again = folder.file("again.jsonl")
    let server = try await RunningServer.start(["--record", again], in: folder)
    let done = try await Self.replay(file, server, ["--speed", "max", "--timeout", Hang.timeout])
    #expect(done.status == 1, "\(done.output)\(done.errors)")
    #expect(done.output.contains("c1 (http2): 2 of 3 requests fared otherwise"), "\(done.output)")
    #expect(done.output.contains("stream 1  no answer (it could not be sent: its header list has "))
    #expect(done.output.contains("stream 3  no answer (it could not be sent: a header has no name)"))
    #expect(done.output.contains("1 HTTP/2 connection, 1 of 3 requests"), "\(done.output)")
    #expect(try await server.stop() == 0)
    let pushes = try String(contentsOfFile: again, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains(#""event":"notification""#) }
    #expect(pushes.count == 1 && pushes.first?.contains("a5\"") == true, "\(pushes)")
  }

  @Test func `without a network the verdicts are those of HTTP/2`() async throws {
    let folder = try TemporaryDirectory()
    let file = try await Self.record(folder)
    let same = try await Binary.run(["replay", file, "--offline", "--json"], in: folder)
    #expect(
      same.status == 0 && same.output.contains(#""status":410,"reason":"Unregistered""#),
      "\(same.output)"
    )
    let other = try await Binary.run(["replay", file, "--offline", "--magic-tokens", "off"], in: folder)
    #expect(other.status == 1)
    #expect(other.output.contains("recorded: rejected 410 Unregistered"), "\(other.output)")
    #expect(other.errors.contains("delivered, 200"), "\(other.errors)")
  }
}
