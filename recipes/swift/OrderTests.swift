import Foundation
import Testing

/// A test of a push provider: four questions, over both interfaces.
@Suite(.apnsim, .timeLimit(.minutes(10))) struct `Orders are announced` {
  private let apnsim: Apnsim

  init() throws {
    apnsim = try #require(Apnsim.current)
  }

  @Test(arguments: Interface.allCases) func `a notification arrives`(over interface: Interface) async throws {
    let provider = Provider(apnsim: apnsim, interface: interface)
    try await provider.send("Your order is on its way", to: apnsim.device("alice/2 iPad"))
    try await apnsim.wait(#"device:"alice/2 iPad" outcome:delivered alert~"order""#)
    #expect(try await apnsim.alerts(of: "alice/2 iPad") == ["Your order is on its way"])
  }

  @Test(arguments: Interface.allCases) func `a wait in vain says what came nearest`(
    over interface: Interface
  ) async throws {
    let provider = Provider(apnsim: apnsim, interface: interface)
    try await provider.send("order #17", to: apnsim.device("bob"))
    let failure = await #expect(throws: Apnsim.Failure.self) {
      try await apnsim.wait(#"device:bob alert~"Order""#, timeout: "200ms")
    }
    let nearest = #"payload.aps.alert: expected contains "Order", found "order #17""#
    #expect(failure?.description.contains(nearest) == true)
  }

  @Test func `what was sent after an error has to be sent again`() async throws {
    var tokens: [String] = []
    for name in ["carol", "dave", "erin"] { tokens.append(try await apnsim.device(name)) }
    try await apnsim.api("POST", "/faults", ["when": ["nth": 2], "reply": ["status": 8], "times": 1])
    let provider = Provider(apnsim: apnsim, interface: .binary)
    let answer = try #require(try await provider.send("Hello", to: tokens, silence: "60s").answer)
    #expect(answer.status == 8)
    #expect(answer.notification == 2)
    try await apnsim.wait("device:erin outcome:discarded")
    try await provider.send("Hello", to: Array(tokens.dropFirst(answer.notification)))
    try await apnsim.wait("device:erin outcome:delivered")
  }

  @Test func `a removed app is answered with 410 and the time`() async throws {
    let token = try await apnsim.device("frank")
    try await apnsim.api("POST", "/devices/frank/uninstall", ["topic": Apnsim.topic])
    let provider = Provider(apnsim: apnsim, interface: .http2)
    let answer = try #require(try await provider.send("Hello?", to: token).notifications?.first)
    #expect(answer.status == 410)
    #expect(answer.reason == "Unregistered")
    // Milliseconds. Only a token that the app registers after this time is worth another try.
    let removed = Date(timeIntervalSince1970: try #require(answer.timestamp) / 1000)
    #expect(abs(removed.timeIntervalSinceNow) < 60)
  }

  @Test(arguments: Interface.allCases) func `a device that was offline shows the last one`(
    over interface: Interface
  ) async throws {
    let provider = Provider(apnsim: apnsim, interface: interface)
    let token = try await apnsim.device("grace", online: false)
    try await provider.send("first", to: token)
    try await provider.send("second", to: token)
    try await apnsim.wait("device:grace", count: 2)
    #expect(try await apnsim.alerts(of: "grace") == [])
    try await apnsim.api("POST", "/devices/grace/online")
    #expect(try await apnsim.alerts(of: "grace") == ["second"])
  }
}

enum Interface: String, CaseIterable, Sendable {
  case binary
  case http2
}

/// Stands in for your provider, which takes host, port and certificate or key from its own configuration.
struct Provider {
  /// The answers: over the binary interface the error packet, if there was one; over HTTP/2 one to each push.
  struct Report: Decodable {
    struct ErrorPacket: Decodable {
      var status: Int
      var notification: Int
    }

    struct Answer: Decodable {
      var status: Int
      var reason: String?
      var timestamp: Double?
    }

    var answer: ErrorPacket?
    var notifications: [Answer]?
  }

  let apnsim: Apnsim
  let interface: Interface

  @discardableResult
  func send(_ alert: String, to tokens: String...) async throws -> Report {
    try await send(alert, to: tokens)
  }

  @discardableResult
  func send(_ alert: String, to tokens: [String], silence: String = "0.2s") async throws -> Report {
    let at = apnsim.endpoints
    var arguments = ["send", "-", "--json", "--api", interface.rawValue, "--to"] + tokens
    arguments += ["--host", at.host, "--ca", at.ca]
    switch interface {
    case .binary:
      arguments += ["--port", "\(at.gateway)", "--cert", at.providerCertificate, "--key", at.providerKey]
      arguments += ["--timeout", silence]
    case .http2:
      let certificates = URL(fileURLWithPath: at.authKey).deletingLastPathComponent().path
      arguments += ["--port", "\(at.http2)", "--certs", certificates]
    }
    let output = try await run(arguments, input: #"{"aps":{"alert":"\#(alert)"}}"#)
    return try JSONDecoder().decode(Report.self, from: output)
  }

  private func run(_ arguments: [String], input: String) async throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [Apnsim.program] + arguments
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = FileHandle.nullDevice
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    for await _ in ended {}
    return standardOutput.fileHandleForReading.readDataToEndOfFile()
  }
}
