import APNSimCore
import APNSimServer
import APNSimTestSupport
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@Suite(.mustNotHang) struct `Starting and stopping` {
  @Test func `both loopback addresses listen on the same port`() async throws {
    try await TestServer.run { test in
      for host in ["127.0.0.1", "::1"] {
        let identity = try TestPKI.provider(TestServer.topic)
        let provider = try await TestProvider.connect(test.endpoints.gatewayPort, host: host, as: identity)
        await provider.close()
      }
    }
  }

  @Test func `the endpoints file is what programs read`() async throws {
    let path = TemporaryDirectory.ofThisRun.file("endpoints.json")
    try await TestServer.run {
      $0.server.files.endpoints = path
      $0.server.listening.environment = .both
    } _: { test in
      let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
      let endpoints = try #require(object as? [String: Any])
      #expect(
        Set(endpoints.keys) == [
          "version", "pid", "host", "gateway", "feedback", "http2", "sandboxGateway", "sandboxFeedback",
          "sandboxHttp2", "device", "authKey", "keyId", "teamId", "ca",
          "providerCertificate", "providerKey", "providerP12",
        ]
      )
      #expect(endpoints["host"] as? String == "127.0.0.1")
      #expect(endpoints["gateway"] as? Int == test.endpoints.gatewayPort)
      #expect(endpoints["pid"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
      for key in ["authKey", "ca", "providerCertificate", "providerKey", "providerP12"] {
        #expect(FileManager.default.fileExists(atPath: endpoints[key] as? String ?? ""))
      }
    }
  }

  @Test func `a port in use is named, and by whom`() async throws {
    try await TestServer.run { test in
      let port = test.endpoints.feedbackPort
      let error = await #expect(throws: ServerError.self) {
        try await TestServer.start {
          $0.server.listening.ephemeral = false
          $0.server.listening.gatewayPort = 0
          $0.server.listening.feedbackPort = port
        }
      }
      let text = try #require(error).description
      #expect(text.contains("the feedback cannot listen on 127.0.0.1:\(port): the port is in use"))
      #if os(Linux)
        #expect(text.contains("by pid \(ProcessInfo.processInfo.processIdentifier) ("))
      #endif
      #expect(error?.kind == .bind)
    }
  }

  @Test func `an endpoints file that cannot be written stops the start`() async throws {
    let error = await #expect(throws: ServerError.self) {
      try await TestServer.start { $0.server.files.endpoints = "/nowhere/at/all/endpoints.json" }
    }
    #expect(error?.kind == .write)
  }

  @Test func `a start that fails leaves nothing behind`() async throws {
    weak var left: Simulator?
    do {
      let simulator = try Simulator(seed: 1, start: Timestamp(seconds: 1_338_508_800))
      left = simulator
      var configuration = ServerConfiguration()
      configuration.listening.ephemeral = true
      configuration.files.endpoints = "/nowhere/at/all/endpoints.json"
      let server = SimulatorServer(
        configuration: configuration,
        simulator: simulator,
        logger: LogLines().logger,
        ServerAdditions(pki: try TestPKI.prepared())
      )
      await #expect(throws: ServerError.self) { try await server.start() }
    }
    #expect(left == nil)
  }

  @Test func `a shutdown judges and answers what was received`() async throws {
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.keepsJournal = false
      // A slow machine needs that long for forty thousand notifications.
      $0.server.timing.drain = .seconds(120)
    }
    let good = try await test.gateway()
    let bad = try await test.gateway()
    let idle = try await test.gateway()
    // An answer on a connection that came later: these three are known to the server.
    let probe = try await test.gateway()
    try await probe.send(Frames.enhanced(1, to: Frames.unknown))
    _ = await probe.readToEndAndClose()
    try await good.send(Frames.many(20_000, bad: nil))
    try await bad.send(Frames.many(20_000, bad: 19_999))
    await test.server.stop()
    let answers = (
      await good.readToEndAndClose(), await bad.readToEndAndClose(), await idle.readToEndAndClose()
    )
    #expect(answers.0.bytes == [] && answers.0.sawCloseNotify && answers.0.error == nil)
    #expect(answers.1.bytes == Frames.response(8, 19_999) && answers.1.sawCloseNotify)
    #expect(answers.2.bytes == [] && answers.2.sawCloseNotify)
    let accepted = test.simulator.connections().map(\.counts.accepted)
    #expect(accepted.sorted() == [0, 0, 19_998, 20_000])
    #expect(test.simulator.connections().allSatisfy { !$0.isOpen })
  }

  @Test func `a shutdown is bounded although providers never stop`() async throws {
    let test = try await TestServer.start {
      TestServer.known(&$0)
      $0.server.timing.drain = .milliseconds(200)
      $0.core.limits.history = 1000
    }
    let provider = try await test.gateway()
    let frames = Frames.many(100, bad: nil)
    let writing = Task { while true { try await provider.send(frames) } }
    await test.journal.wait(for: "notification")
    await test.server.stop()
    _ = await writing.result
    #expect(test.journal.events("connectionClosed").first?.contains("drained") == true)
    await provider.close()
  }

  @Test func `a simulator that is a service runs until its group shuts down`() async throws {
    let test = try await TestServer.start()
    let provider = try await test.gateway()
    await test.journal.wait(for: "connectionOpened")
    let group = ServiceGroup(
      configuration: .init(
        services: [test.server],
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
    )
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(test.server.endpoints == nil)
    #expect(await provider.readToEndAndClose().sawCloseNotify)
  }

  @Test func `a server starts once`() async throws {
    let test = try await TestServer.start()
    #expect(try await test.server.start() == test.endpoints)
    await test.server.stop()
    await #expect(throws: ServerError.self) { try await test.server.start() }
  }

  @Test func `what is due happens though nothing comes in`() async throws {
    let now = Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
    try await TestServer.run {
      $0.start = now
      $0.scenario.feedback = Frames.tuples(1).map { tuple in
        var tuple = tuple
        tuple.moment = .after(.milliseconds(20))
        return tuple
      }
    } _: { test in
      await test.journal.wait(for: "feedbackAdded")
    }
  }
}
