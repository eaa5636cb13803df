import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `A running server` {
  @Test func `a running server ends by saying what an error cost and was not sent again`() async throws {
    let server = try await RunningServer.start([], in: folder)
    _ = try await server.run(["send", "--demo", "--timeout", Hang.timeout])
    #expect(try await server.stop(SIGTERM) == 0)
    let text = try server.errors()
    #expect(text.contains("status 5 discarded 1, 0 were sent again, 1 were not: 00000006"))
  }

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `a recording that has no room leaves what others wrote to the same file`() async throws {
    let server = "serve --ephemeral --certs '\(TestCertificates.path)' --endpoints-file e.json --record -"
    // A file has room for 16 blocks of 512 bytes.
    let script = """
      trap '' XFSZ; ulimit -f 16
      (printf '%06000d\\n' 0; exec apnsim \(server)) > out 2> errors & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      for time in 1 2 3; do apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json > demo; done
      kill -TERM $server; wait $server
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("out")))
    #expect(bytes.count == 8192 && bytes.prefix(6000).allSatisfy { $0 == UInt8(ascii: "0") })
    let errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
    #expect(errors.contains("the simulator continues without recording"), "\(errors)")
  }

  @Test func `a pipe in the place of crl.pem holds up neither a handshake nor the end`() async throws {
    let script = """
      apnsim certs init --certs own > made
      apnsim certs issue com.example.gone --certs own > issued
      apnsim certs revoke own/com.example.gone.pem --certs own > revoked && test -f own/crl.pem || exit 8
      apnsim serve --ephemeral --certs own --endpoints-file e.json > out 2> errors & server=$!
      apnsim ready --timeout \(Hang.timeout) --endpoints-file e.json > ready
      rm own/crl.pem && mkfifo own/crl.pem
      apnsim send --demo --timeout \(Hang.timeout) --endpoints-file e.json | grep -c '08 05 00000005'
      kill -TERM $server; wait $server
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.status == 0 && result.output == "1\n", "\(result)")
    let errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
    #expect(errors.contains("own/crl.pem: is not a regular file"), "\(errors)")
  }

  @Test func `a running server goes on while nothing happens`() async throws {
    // Its clock is looked at every second, for the first time by this.
    let server =
      "apnsim serve --ephemeral --no-control --certs '\(TestCertificates.path)' --endpoints-file e.json"
    let script = """
      \(server) > out & server=$!
      until test -s out; do kill -0 $server || exit 9; done
      timeout 3 tail --pid=$server -f /dev/null
      kill -TERM $server; wait $server
      """
    let result = try await Binary.shell(script, in: folder)
    #expect(result.status == 0, "\(result)")
  }

  @Test func `a running server serves the demo and feedback, and ends with 0 when told to`() async throws {
    let scenario = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("fixtures/scenarios/scripted-feedback.yaml")
    let server = try await RunningServer.start(["--scenario", scenario.path], in: folder)
    let demo = try await server.run(["send", "--demo", "--timeout", Hang.timeout])
    #expect(demo.status == 0)
    #expect(demo.output.contains("08 05 00000005"))

    let feedback = try await server.run(["feedback", "read"])
    #expect(feedback.status == 0)
    let tokens = feedback.output.split(separator: "\n").map { String($0.suffix(64)) }
    #expect(
      tokens.sorted() == [
        String(repeating: "0badc0de", count: 8), "41504e53494dfb00" + String(repeating: "0", count: 48),
        String(repeating: "a11ce", count: 12) + "a11c",
      ]
    )
    let again = try await server.run(["feedback", "read", "--json"])
    #expect(again.output.isEmpty)

    #expect(try await server.stop(SIGINT) == 0)
  }

  @Test func `a refused notification is exit 1, an accepted one 0`() async throws {
    let scenario = try folder.write(
      "s.yaml",
      "devices: { a: { token: \(String(repeating: "aa", count: 32)), apps: [com.example.app] } }"
    )
    let server = try await RunningServer.start(["--scenario", scenario, "--tokens", "known"], in: folder)
    try folder.write("p.apns", #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "hi"}}"#)
    let good = String(repeating: "aa", count: 32)
    let bad = String(repeating: "bb", count: 32)
    for command in ["0", "1", "2"] {
      let accepted = try await server.run(
        ["send", "p.apns", "--to", good, "--command", command, "--timeout", "200ms", "--json"])
      #expect(accepted.status == 0)
      #expect(accepted.output.contains(#""outcome":"accepted""#))
    }
    let refused = try await server.run([
      "send", "p.apns", "--to", good, bad, good, "--timeout", Hang.timeout, "--json",
    ])
    #expect(refused.status == 1)
    #expect(refused.output.contains(#""accepted":1,"answer":{"identifier":"00000002""#))
    let silent = try await server.run([
      "send", "p.apns", "--to", bad, "--command", "0", "--timeout", Hang.timeout,
    ])
    #expect(silent.status == 1)
    #expect(silent.errors.contains("command 0 has no error response"))
    #expect(try await server.stop() == 0)
  }

  @Test func `the demo and pushes go over HTTP/2, too`() async throws {
    let server = try await RunningServer.start(in: folder)
    let demo = try await server.run(["send", "--demo", "--timeout", Hang.timeout, "--api", "http2"])
    #expect(demo.status == 0, "\(demo)")
    for words in [
      "200", "400 MissingTopic", "400 BadDeviceToken", "410 Unregistered", "413 PayloadTooLarge",
      "403 ExpiredProviderToken", "The message payload is too large.",
    ] { #expect(demo.output.contains(words), "\(words)") }

    try folder.write("p.apns", #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "hi"}}"#)
    let token = String(repeating: "ab", count: 32)
    func send(_ arguments: String...) async throws -> Binary.Result {
      try await server.run(
        ["send", "p.apns", "--api", "http2", "--timeout", Hang.timeout, "--to", token] + arguments
      )
    }
    let many = try await send("--count", "30", "--json", "--collapse-id", "c", "--priority", "5")
    #expect(many.status == 0 && many.output.contains(#""accepted":30"#), "\(many)")
    let certificate = try await send(
      "--cert",
      TestCertificates.path + "/provider.pem",
      "--key",
      TestCertificates.path + "/provider.key"
    )
    #expect(certificate.status == 0, "\(certificate)")
    let bad = try await send("--topic", "")
    #expect(bad.status == 1 && bad.output.contains("400 MissingTopic"), "\(bad)")
    #expect(bad.errors.contains("hint: --topic TOPIC"))
    #expect(try await send("--jwt", "x", "--cert", "y").status == 64)
    #expect(try await send("--command", "1").status == 64)
    #expect(try await server.stop() == 0)
  }

  @Test func `a port in use is named with who has it`() async throws {
    let server = try await RunningServer.start(in: folder)
    let text = try String(contentsOfFile: server.endpointsFile, encoding: .utf8)
    let endpoints = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let port = try #require(endpoints["gateway"] as? Int)
    let second = try await Binary.run(
      [
        "serve", "--gateway-port", "\(port)", "--feedback-port", "0", "--http2-port", "0", "--device-port",
        "0", "--control-port",
        "0",
        "--certs", TestCertificates.path,
      ],
      in: folder
    )
    #expect(second.status == 2)
    #expect(second.errors.contains("\(port)"))
    #expect(try await server.stop() == 0)
  }

  @Test(arguments: [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24])
  func `too few descriptors to start are said, and another port is not advised`(limit: Int) async throws {
    let folder = try TemporaryDirectory()
    let run = try await Binary.shell(
      """
      apnsim certs init --certs '\(TestCertificates.path)' >/dev/null
      ulimit -n \(limit); apnsim serve --ephemeral --loops 2 --certs '\(TestCertificates.path)'
      """,
      in: folder
    )
    #expect(run.status == 2, "\(run)")
    #expect(run.errors.contains("raise it with ulimit -n") && run.errors.contains("open files"), "\(run)")
    #expect(!run.errors.contains("choose another"))
  }

  @Test func `a load of notifications arrives whole`() async throws {
    let server = try await RunningServer.start(["--record", folder.file("journal.jsonl")], in: folder)
    try folder.write("p.apns", #"{"aps":{"alert":"hi"}}"#)
    let sent = try await server.run(
      ["send", "p.apns", "--to", String(repeating: "ab", count: 32), "--count", "2000", "--timeout", "0.3"])
    #expect(sent.status == 0)
    #expect(try await server.stop() == 0)
    let journal = try String(contentsOfFile: folder.file("journal.jsonl"), encoding: .utf8)
    #expect(journal.split(separator: "\n").count { $0.contains(#""event":"notification""#) } == 2000)
  }
}
