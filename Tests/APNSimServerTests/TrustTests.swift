import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `Who may come in` {
  @Test func `a certificate of the other environment is refused with alert 46`() async throws {
    try await TestServer.run { test in
      let error = await refusal(test, try TestPKI.provider("com.example.a", .sandbox))
      #expect(error?.alertReceived == .certificateUnknown)
      await test.journal.wait(for: "connectionRefused")
      #expect(await test.log.waitAndCount("good for the sandbox only, this is production") == 1)
      #expect(test.journal.events("connectionRefused").first?.contains("com.example.a") == true)
    }
  }

  @Test func `a sandbox takes sandbox certificates, and those good for both`() async throws {
    try await TestServer.run {
      $0.server.listening.environment = .sandbox
    } _: { test in
      for environments in [CertificateEnvironments.sandbox, .both] {
        await (try await test.gateway(TestPKI.provider("com.example.a", environments))).close()
      }
      let error = await refusal(test, try TestPKI.provider("com.example.a", .production))
      #expect(error?.alertReceived == .certificateUnknown)
    }
  }

  @Test func `a certificate without Apple's marks is good for either environment`() async throws {
    let identity = try TestPKI.provider("com.example.a", [])
    try await TestServer.run {
      $0.server.listening.environment = .both
    } _: { test in
      await (try await test.gateway(identity)).close()
      await (try await test.gateway(identity, port: test.endpoints.sandboxGatewayPort)).close()
      await test.journal.wait(for: "connectionOpened", count: 2)
      #expect(test.simulator.apps().map(\.environment) == [.production, .sandbox])
    }
  }

  @Test func `a certificate without a topic is refused with alert 46`() async throws {
    try await TestServer.run { test in
      let error = await refusal(test, try TestPKI.identity(.server(names: ["localhost"])))
      #expect(error?.alertReceived != nil)
      let device = await refusal(test, try TestPKI.identity(.device(name: "phone")))
      #expect(device?.alertReceived == .certificateUnknown)
      #expect(await test.log.waitAndCount("it is a device's certificate, not a provider's") == 1)
    }
  }

  @Test(arguments: ["com example app", "com.a\tb", "com." + String(repeating: "x", count: 300)])
  func `a certificate for something that is no topic is refused with alert 46`(name: String) async throws {
    try await TestServer.run { test in
      let error = await refusal(test, try TestPKI.provider(name))
      #expect(error?.alertReceived == .certificateUnknown)
      #expect(await test.log.waitAndCount("expected a topic of 1 to 255 bytes without spaces") == 1)
      #expect(test.simulator.apps().isEmpty)
    }
  }

  @Test func `no certificate is no handshake`() async throws {
    try await TestServer.run { test in
      let error = await refusal(test, nil)
      #expect(error?.alertReceived == .handshakeFailure)
      #expect(await test.log.waitAndCount("the peer sent none") == 1)
    }
  }

  @Test func `trust any believes a self-signed certificate, but still wants a topic`() async throws {
    let key = try PrivateKey.generate(.p256)
    let template = CertificateTemplate.provider(
      topics: [.init(name: "com.example.own")],
      environments: .production
    )
    let own = TLSIdentity(
      certificate: try CertificateAuthority(key: key, template: template).certificate,
      key: key
    )
    try await TestServer.run { test in
      #expect(await refusal(test, own)?.alertReceived == .unknownCA)
    }
    try await TestServer.run {
      $0.server.tls.trust = .any
    } _: { test in
      await (try await test.gateway(own)).close()
      await test.journal.wait(for: "connectionOpened")
      #expect(test.simulator.apps().map(\.topic) == ["com.example.own"])
      let nobody = try CertificateAuthority(key: key, template: .server(names: ["x"])).certificate
      let error = await refusal(test, TLSIdentity(certificate: nobody, key: key))
      #expect(error?.alertReceived == .certificateUnknown)
    }
  }

  @Test func `each environment has its own devices and feedback`() async throws {
    let identity = try TestPKI.provider("com.example.a", .both)
    try await TestServer.run { options in
      options.server.listening.environment = .both
      options.scenario.feedback = Frames.tuples(3).map { tuple in
        var tuple = tuple
        tuple.app = AppKey(topic: "com.example.a", environment: .sandbox)
        return tuple
      }
    } _: { test in
      let production = try await test.feedback(identity)
      #expect(await production.readToEndAndClose().bytes.count == 0)
      let sandbox = try await test.feedback(identity, port: test.endpoints.sandboxFeedbackPort)
      #expect(await sandbox.readToEndAndClose().bytes.count == 3 * 38)
    }
  }

  private func refusal(_ test: TestServer, _ identity: TLSIdentity?) async -> TLSError? {
    do {
      let provider = try await TestProvider.connect(test.endpoints.gatewayPort, as: identity)
      await provider.close()
      return nil
    } catch {
      return error as? TLSError
    }
  }
}
