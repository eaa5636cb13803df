import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import NIOCore
import NIOPosix
import Testing

@testable import APNSimServer

@Suite(.mustNotHang) struct `Who may come in as a device` {
  private func refusal(_ test: TestServer, _ identity: TLSIdentity?) async -> TLSError? {
    do {
      let port = test.endpoints.devicePort ?? 0
      await (try await TestProvider.connect(port, as: identity)).close()
      return nil
    } catch {
      return error as? TLSError
    }
  }

  @Test func `a provider's certificate is refused with alert 46`() async throws {
    try await TestServer.run { test in
      let error = await refusal(test, try TestPKI.provider(TestServer.topic))
      #expect(error?.alertReceived == .certificateUnknown)
      await test.journal.wait(for: "connectionRefused")
      #expect(await test.log.waitAndCount("it is a provider's certificate") == 1)
      #expect(test.journal.events("connectionRefused").first?.contains(#""listener":"device""#) == true)
    }
  }

  @Test func `no certificate, and one of another CA, are refused even under trust any`() async throws {
    let key = try PrivateKey.generate(.p256)
    let stranger = try CertificateAuthority(key: key, template: .device(name: "alice")).certificate
    try await TestServer.run {
      $0.server.tls.trust = .any
    } _: { test in
      #expect(await refusal(test, nil)?.alertReceived == .handshakeFailure)
      let own = TLSIdentity(certificate: stranger, key: key)
      #expect(await refusal(test, own)?.alertReceived == .unknownCA)
    }
  }

  @Test func `the ready-made certificate is a device's, over every TLS version`() async throws {
    let files = try TestPKI.prepared().device
    let identity = try files.identity()
    try await TestServer.run {
      $0.server.tls.maximum = .v1_3
    } _: { test in
      for version in [TLSVersion.v1_2, .v1_3] {
        let device = try await TestDevice.connect(test, as: identity) { $0.maximum = version }
        #expect(try await device.introduce(TestServer.topic).count == 32)
        await device.connection.close()
      }
      await test.journal.wait(for: "deviceOffline", count: 2)
      #expect(test.simulator.device("device") != nil)
    }
  }

  @Test func `plain TCP, HTTP and garbage leave the port serving`() async throws {
    try await TestServer.run { test in
      for bytes in ["GET / HTTP/1.1\r\n\r\n", "{\"apps\":[]}\n", "\u{16}\u{3}\u{1}\u{0}\u{2}xx"] {
        let peer = try await RawPeer.connect(test.endpoints.devicePort ?? 0)
        try await peer.send(Array(bytes.utf8))
        await peer.close()
      }
      let silent = try await RawPeer.connect(test.endpoints.devicePort ?? 0)
      let device = try await TestDevice.connect(test)
      #expect(try await device.introduce(TestServer.topic).count == 32)
      await silent.close()
    }
  }

  @Test(arguments: [
    (Array("no json\n".utf8), "json"), (Array("{\"apps\":7}\n".utf8), "request"),
    ([UInt8](repeating: 0x20, count: 200_000), "line"), ([0, 255, 10, 13, 10], "json"),
  ])
  func `a line that is none is answered with an error line, and the server lives on`(
    bytes: [UInt8],
    reason: String
  ) async throws {
    try await TestServer.run { test in
      let device = try await TestDevice.connect(test)
      try await device.connection.send(bytes)
      let (lines, sawCloseNotify) = await device.linesToEnd()
      #expect(lines.map { $0["error.reason"] } == [.string(reason)])
      #expect(sawCloseNotify)
      let next = try await TestDevice.connect(test)
      #expect(try await next.introduce(TestServer.topic).count == 32)
    }
  }

  @Test func `the port is in the endpoints, shares both environments, and can be off`() async throws {
    try await TestServer.run {
      $0.server.listening.environment = .both
    } _: { test in
      let port = try #require(test.endpoints.devicePort)
      #expect(test.endpoints.json.contains(#""device":\#(port)"#))
      let device = try await TestDevice.connect(test)
      try await device.say(#"{"apps":["a",{"topic":"a","environment":"sandbox"}]}"#)
      let tokens = await device.lines(1).first?["tokens"]?.arrayValue ?? []
      #expect(tokens.map { $0["environment"] } == [.string("production"), .string("sandbox")])
      #expect(tokens.first?["token"] != tokens.last?["token"])
    }
    try await TestServer.run {
      $0.server.listening.environment = .sandbox
    } _: { test in
      let device = try await TestDevice.connect(test)
      try await device.say(#"{"apps":["a"]}"#)
      #expect(await device.lines(1).first?["tokens.0.environment"] == .string("sandbox"))
    }
    try await TestServer.run {
      $0.server.listening.devicePort = nil
    } _: { test in
      #expect(test.endpoints.devicePort == nil)
      #expect(!test.endpoints.json.contains(#""device""#))
    }
  }

  @Test func `a device that vanished is noticed by TCP within about a minute`() async throws {
    let applied = try await withServerChannel { channel in
      try await channel.eventLoop.submit {
        try KeepAlive.turnOn(channel)
        let options = try #require(channel.syncOptions)
        var pairs = [(try options.getOption(.socketOption(.so_keepalive)), SocketOptionValue(1))]
        for (option, value) in KeepAlive.values { pairs.append((try options.getOption(option), value)) }
        return pairs.map { Int32(truncatingIfNeeded: $0) == Int32(truncatingIfNeeded: $1) }
      }.get()
    }
    #expect(applied.count >= 4 && applied.allSatisfy { $0 })
    let idle = KeepAlive.idleSeconds + KeepAlive.intervalSeconds * KeepAlive.probes
    #expect(idle <= 60 && KeepAlive.unacknowledgedMilliseconds <= 60_000)
  }

  private func withServerChannel<Value: Sendable>(
    _ body: (any Channel) async throws -> Value
  ) async throws -> Value {
    let group = MultiThreadedEventLoopGroup.singleton
    let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    let port = listener.localAddress?.port ?? 0
    let channel = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
    let value = try await body(channel)
    try await channel.close()
    try await listener.close()
    return value
  }
}
