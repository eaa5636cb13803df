import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `A device on the command line` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A device that is online: its tokens have come.
  private func connected(_ server: RunningServer, _ arguments: [String]) async throws -> Child {
    let device = try await Binary.start(
      ["device", "connect", "--json", "--endpoints-file", server.endpointsFile] + arguments,
      in: folder
    )
    try #require(await device.line()?.contains("tokens") == true)
    return device
  }

  /// Runs a device to its end and returns the token of its first app.
  private func token(_ server: RunningServer, _ arguments: [String]) async throws -> String {
    let run = try await server.run(["device", "connect", "--json", "--timeout", "0.2"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    let match = try #require(run.output.firstMatch(of: /"token":"([0-9a-f]{64})"/))
    return String(match.1)
  }

  @Test func `a device gets what was stored for it, as its user sees it, and ends after --count`()
    async throws
  {
    let server = try await RunningServer.start(["--tokens", "issued"], in: folder)
    let app = ["--name", "alice", "--app", "com.example.app"]
    let token = try await token(server, app)
    try folder.write(
      "p.apns",
      #"{"aps":{"alert":"Bob wants to play","badge":9,"sound":"ding.aiff"},"a":[1]}"#
    )
    let sent = try await server.run(["send", "p.apns", "--to", token, "--timeout", "0.2"])
    #expect(sent.status == 0)

    let shown = try await server.run(["device", "connect", "--count", "1"] + app)
    #expect(shown.status == 0)
    #expect(shown.output.contains("alice is online\n  com.example.app  production  \(token)\n"))
    #expect(shown.output.contains("  Bob wants to play\n  [Close] [View]\n  badge 9 · sound ding.aiff"))
    #expect(try await self.token(server, app) == token)
    #expect(try await server.stop() == 0)
  }

  @Test func `a device on the command line prints JSON lines, and says when too few came in time`()
    async throws
  {
    let server = try await RunningServer.start(in: folder)
    let run = try await server.run(
      ["device", "connect", "--app", "a", "--app", "b:sandbox", "--json", "--count", "1", "--timeout", "0.2"]
    )
    #expect(run.status == 1)
    #expect(run.output.hasPrefix(#"{"device":"device","tokens":[{"topic":"a","environment":"production""#))
    #expect(run.output.contains(#"{"topic":"b","environment":"sandbox""#))
    #expect(run.errors.contains("0 notifications of 1 arrived in time"))
    #expect(try await server.stop() == 0)
  }

  @Test func `another device's token and a second connection end with a reason`() async throws {
    let server = try await RunningServer.start(in: folder)
    let token = try await token(server, ["--name", "alice", "--app", "a"])
    let thief = try await server.run(["device", "connect", "--name", "mallory", "--app", "a=\(token)"])
    #expect(thief.status == 2)
    #expect(thief.errors.contains(#"found the token of device "alice""#))

    let first = try await connected(server, ["--name", "alice"])
    _ = try await self.token(server, ["--name", "alice"])
    #expect(try await first.status() == 2)
    #expect(try await server.stop() == 0)
  }

  @Test func `Ctrl-C ends it with 0`() async throws {
    let server = try await RunningServer.start(in: folder)
    let device = try await connected(server, ["--app", "a"])
    device.signal(SIGINT)
    #expect(try await device.status() == 0)
    #expect(try await server.stop() == 0)
  }

  @Test func `the certificate of a device comes from certs issue --device`() async throws {
    let made = try await Binary.run(
      ["certs", "issue", "--device", "Zoë's phone", "--certs", TestCertificates.path, "-o", "phone"],
      in: folder
    )
    #expect(made.status == 0)
    #expect(made.output.hasPrefix("phone.pem\nphone.key\n"))
    let server = try await RunningServer.start(in: folder)
    let run = try await server.run(
      ["device", "connect", "--cert", "phone.pem", "--key", "phone.key", "--timeout", "0.2", "--json"]
    )
    #expect(run.output.hasPrefix(#"{"device":"Zoë's phone","tokens":[]}"#))
    let both = try await Binary.run(["certs", "issue", "com.example.app", "--device", "x"], in: folder)
    #expect(both.status == 64)
    #expect(try await server.stop() == 0)
  }

  @Test func `a server that is not there is exit 69`() async throws {
    let run = try await Binary.run(
      ["device", "connect", "--certs", TestCertificates.path, "--port", "1", "--name", "alice"],
      in: folder
    )
    #expect(run.status == 69 || run.status == 78)
  }
}
