import Foundation
import Testing

/// What a test of a provider looks like.
@Suite(.timeLimit(.minutes(2))) struct `Orders are announced` {
  private let apnsim: Apnsim

  init() async throws {
    apnsim = try await Apnsim(
      certificates: FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-recipe-certs")
    )
  }

  /// In the place of your provider, which takes host, port and certificate from its own configuration.
  private func send(_ alert: String, to token: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      Apnsim.program, "send", "-", "--to", token, "--timeout", "0.2",
      "--host", apnsim.endpoints.host, "--port", "\(apnsim.endpoints.gateway)", "--ca", apnsim.endpoints.ca,
      "--cert", apnsim.endpoints.providerCertificate, "--key", apnsim.endpoints.providerKey,
    ]
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(#"{"aps":{"alert":"\#(alert)"}}"#.utf8))
    try input.fileHandleForWriting.close()
    for await _ in ended {}
  }

  @Test func `it arrives`() async throws {
    let token = try await apnsim.device("alice", app: "com.example.app")
    try await send("Your order is on its way", to: token)
    try await apnsim.wait(#"device:alice outcome:delivered alert~"order""#)
  }

  @Test func `a device that was offline shows the last one`() async throws {
    let token = try await apnsim.device("bob", app: "com.example.app")
    try await apnsim.api("POST", "/devices/bob/offline")
    try await send("first", to: token)
    try await send("second", to: token)
    try await apnsim.wait("device:bob", count: 2)
    try await apnsim.api("POST", "/devices/bob/online")
    #expect(try await apnsim.alerts(of: "bob") == ["second"])
  }

  @Test func `a wait in vain says what came nearest`() async throws {
    let token = try await apnsim.device("carol", app: "com.example.app")
    try await send("order #17", to: token)
    let failure = await #expect(throws: Apnsim.Failure.self) {
      try await apnsim.wait(#"device:carol alert~"Order""#, timeout: "200ms")
    }
    #expect(failure?.description.contains("payload.aps.alert") == true)
  }
}
