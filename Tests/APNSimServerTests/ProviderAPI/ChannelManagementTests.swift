import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Testing

/// HTTP/2 on the ports of the binary interface, for clients that offer it: Apple manages channels there.
@Suite(.mustNotHang) struct `A client that offers h2 on a port of the binary interface` {
  private static let start = Timestamp(seconds: 1_780_000_000)
  private static let path = "/1/apps/\(TestServer.topic)/channels"

  private static func serve(
    _ environment: EnvironmentChoice,
    _ change: (inout TestServer.Options) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      { options in
        options.start = Self.start
        options.stopTheClock()
        options.server.listening.environment = environment
        change(&options)
      },
      body
    )
  }

  private static func connect(
    _ test: TestServer,
    _ port: Int,
    as identity: TLSIdentity? = nil,
    maximum: TLSVersion = .v1_3
  ) async throws -> TestRequester {
    try await TestRequester.connect(test, port: port, as: identity) {
      $0.maximum = maximum
      $0.applicationProtocols = ["h2", "http/1.1"]
    }
  }

  private static func create(_ requester: TestRequester) async throws -> TestRequester.Answer {
    let body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
    let token = try TestTokens.bearer(issuedAt: Self.start)
    return try await requester.push(
      TestRequester.Request(path: Self.path, authorization: token, headers: [], body: body)
    )
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func `h2 reaches the sandbox's channels on the gateway's port, production's on the other`(
    version: TLSVersion
  ) async throws {
    try await Self.serve(.both) { test in
      for (port, environment) in [
        (test.endpoints.gatewayPort, PushEnvironment.sandbox), (test.endpoints.feedbackPort, .production),
      ] {
        let requester = try await Self.connect(test, port, maximum: version)
        #expect(try await Self.create(requester).text == "201")
        let channels = test.simulator.channels(environment: environment).channels
        #expect(channels.map(\.app.topic) == [TestServer.topic])
        await requester.provider.close()
      }
      await test.journal.wait(for: "connectionClosed", count: 2)
      #expect(test.simulator.connections().map(\.listener) == [.http2, .http2])
      let opened = test.journal.events("connectionOpened")
      #expect(opened.map { $0.contains(#""listener":"http2""#) } == [true, true])
    }
  }

  @Test func `a client that offers h2 meets the binary interface where that environment is not served`()
    async throws
  {
    try await Self.serve(.production) { test in
      let provider = try await test.gateway { $0.applicationProtocols = ["h2"] }
      try await provider.send(Frames.enhanced(1))
      await test.journal.wait(for: "notification")
      #expect(test.simulator.connections().map(\.listener) == [.gateway])
      await provider.close()
    }
  }

  @Test func `a client needs a certificate if it offers something else than h2`() async throws {
    try await Self.serve(.both) { test in
      for protocols in [[], ["http/1.1"], ["h3", "h", "h22"]] {
        await #expect(throws: TLSError.self) {
          _ = try await TestProvider.connect(test.endpoints.gatewayPort, as: nil) {
            $0.applicationProtocols = protocols
          }
        }
      }
      let provider = try await test.gateway { $0.applicationProtocols = ["http/1.1"] }
      try await provider.send(Frames.enhanced(1))
      await test.journal.wait(for: "notification")
      await provider.close()
    }
  }

  @Test func `a client that offers h2 is told why its certificate is not taken`() async throws {
    try await Self.serve(.both) { test in
      let identity = try TestPKI.provider(TestServer.topic, .production)
      let requester = try await Self.connect(test, test.endpoints.gatewayPort, as: identity)
      await requester.readToEnd()
      #expect(requester.goAways.map(\.debug) == [#"{"reason":"BadCertificateEnvironment"}"#])
    }
  }

  @Test func `a client of h2 is told of a shutdown and bounded by the idle time as any other`() async throws {
    let test = try await TestServer.start { options in
      options.server.listening.environment = .both
      options.server.timing.idleTimeout = .milliseconds(200)
    }
    let silent = try await Self.connect(test, test.endpoints.feedbackPort)
    await silent.readToEnd()
    await test.server.stop()
    let second = try await TestServer.start { $0.server.listening.environment = .both }
    let open = try await Self.connect(second, second.endpoints.gatewayPort)
    _ = await open.settings(1)
    async let stopped: Void = second.server.stop()
    await open.readToEnd()
    #expect(open.goAways.map(\.debug) == [#"{"reason":"Shutdown"}"#])
    await open.provider.close()
    await stopped
  }
}
