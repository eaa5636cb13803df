import APNSimCore
import APNSimScenario
import ArgumentParser
import Foundation
import Synchronization
import Testing

@testable import apnsim

@Suite struct `Replaying over the network` {
  private struct Ports: Decodable {
    var gateway: Int
    var feedback: Int
  }

  private func ports(_ server: RunningServer) throws -> Ports {
    try JSONDecoder().decode(Ports.self, from: Data(contentsOf: URL(fileURLWithPath: server.endpointsFile)))
  }

  private func replay(_ server: RunningServer, _ arguments: [String]) async throws -> Binary.Result {
    try await Binary.run(
      [
        "replay", Captures.path("clients.jsonl.gz"), "--to", "127.0.0.1:\(try ports(server).gateway)",
        "--certs",
        TestCertificates.path, "--no-feedback", "--speed", "max",
      ] + arguments,
      in: server.folder
    )
  }

  @Test(arguments: [[], ["--join"]])
  func `the same gateway gives the recorded answers`(arguments: [String]) async throws {
    let server = try await RunningServer.start(in: Folder())
    let done = try await replay(server, arguments)
    #expect(done.status == 0, "\(done.errors)")
    #expect(done.output.contains("replayed  5 gateway connections, 0 feedback connections, 1,058 bytes"))
    #expect(done.output.contains("same      every answer is the recorded one"))
    #expect(try await server.stop() == 0)
  }

  @Test func `another answer is 1, and the first one is shown in full`() async throws {
    let server = try await RunningServer.start(["--magic-tokens", "off"], in: Folder())
    let done = try await replay(server, ["--timeout", "1"])
    #expect(done.status == 1)
    #expect(done.output.contains("c1 (gateway, com.example.app): another answer came back after 400 bytes"))
    #expect(done.output.contains("  recorded  080800000002  status 8 (Invalid token), identifier 00000002"))
    #expect(done.output.contains("  replayed  nothing"))
    _ = try await server.stop()
  }

  @Test func `feedback is read again and its lists are compared`() async throws {
    let server = try await RunningServer.start(in: Folder())
    let done = try await Binary.run(
      [
        "replay", Captures.path("clients.jsonl.gz"), "--to", "127.0.0.1:\(try ports(server).gateway)",
        "--feedback-to", "127.0.0.1:\(try ports(server).feedback)", "--certs", TestCertificates.path,
        "--speed",
        "max", "--json",
      ],
      in: server.folder
    )
    #expect(done.status == 1)
    #expect(done.output.contains(#""feedbackConnections":1"#))
    #expect(done.output.contains(#""summary":"another feedback list came back""#))
    #expect(done.output.contains(#""replayed":["no tuples"]"#))
    _ = try await server.stop()
  }

  @Test func `the capture's own time is kept by pauses, which its speed divides`() async throws {
    let server = try await RunningServer.start(in: Folder())
    let pauses = Mutex<[Duration]>([])
    var options = NetworkReplay.Options()
    options.pace = ReplayPace(factor: 0.01)
    // A clock of the test's own: nobody waits.
    options.pause = { pause in pauses.withLock { $0.append(pause) } }
    var arguments = try EndpointOptions.parse([])
    arguments.port = UInt16(try ports(server).gateway)
    arguments.credentials.server.certs = TestCertificates.path
    let target = try ProviderTarget.resolve(arguments, service: .gateway, environment: [:])
    var replay = NetworkReplay(gateway: target, feedback: nil, options)
    let report = try await replay.run(CaptureReader(path: Captures.path("clients.jsonl.gz")))
    #expect(report.differences.isEmpty && report.connections == 5 && report.skipped == 1)
    // The story takes longer than a second; a hundred times as long are more than a hundred.
    #expect(pauses.withLock { $0.max() ?? .zero } > .seconds(100))
    _ = try await server.stop()
  }

  @Test func `speeds are factors or max`() {
    let start = Timestamp(seconds: 100)
    #expect(ReplayPace(argument: "10x")?.due(Timestamp(seconds: 150), from: start) == .seconds(5))
    #expect(ReplayPace(argument: "0.5x")?.due(Timestamp(seconds: 150), from: start) == .seconds(100))
    #expect(ReplayPace(argument: "max")?.due(Timestamp(seconds: 150), from: start) == .zero)
    #expect(ReplayPace.asCaptured.due(Timestamp(seconds: 50), from: start) == .zero)
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
