import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Faults of the handshake` {
  @Test(arguments: [44, 45, 46, 48, 40] as [UInt8])
  func `a good certificate is refused with the alert of the rule`(number: UInt8) async throws {
    try await TestServer.run {
      $0.rule(.fault(.refuseHandshake(.alert(number))), connection: 1)
    } _: { test in
      let error = await #expect(throws: TLSError.self) { try await test.gateway() }
      #expect(error?.alertReceived == TLSAlert(rawValue: number))
      #expect(error?.duringHandshake == true)
      await test.journal.wait(for: "connectionRefused")
      #expect(test.journal.events("connectionRefused").first?.contains(TestServer.topic) == true)
      try await test.fence()
    }
  }

  @Test func `TCP is closed in the middle of the handshake, without an alert`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.refuseHandshake(.close)), connection: 1)
    } _: { test in
      let error = await #expect(throws: TLSError.self) { try await test.gateway() }
      #expect(error?.kind == .closedDuringHandshake)
      #expect(error?.alertReceived == nil)
      await test.journal.wait(for: "connectionRefused")
    }
  }

  @Test func `a rule for the feedback service refuses there only, and by topic`() async throws {
    let other = try TestPKI.provider("com.example.other")
    try await TestServer.run { options in
      options.rule(.fault(.refuseHandshake(.alert(44))), listener: .feedback)
      options.scenario.rules[0].when.topic = .equals(.string("com.example.other"))
    } _: { test in
      await (try await test.gateway(other)).close()
      _ = await (try await test.feedback()).readToEndAndClose()
      let error = await #expect(throws: TLSError.self) { try await test.feedback(other) }
      #expect(error?.alertReceived == .certificateRevoked)
    }
  }

  @Test func `under TLS 1_3 a refusal is a connection that breaks at once`() async throws {
    try await TestServer.run {
      $0.server.tls.maximum = .v1_3
      $0.rule(.fault(.refuseHandshake(.alert(44))), connection: 1)
    } _: { test in
      let provider = try await test.gateway { $0.maximum = .v1_3 }
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.error?.contains("44") == true)
    }
  }

  @Test func `a handshake waits for simulated time`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.acceptDelay(.seconds(30))), connection: 1)
      $0.rule(.reply(Reply(status: StatusCode(rawValue: 99))), connection: 1)
    } _: { test in
      let identity = try TestPKI.provider(TestServer.topic)
      async let late = test.gateway(identity)
      await test.waitForDeadlines(1)
      try await test.fence()
      try test.advance(.milliseconds(29_999))
      try await test.fence()
      try test.advance(.milliseconds(1))
      let provider = try await late
      try await provider.send(Frames.enhanced(1))
      // Others were quicker, but it was the first to come.
      #expect(await provider.readToEndAndClose().bytes == Frames.response(99, 1))
    }
  }

  @Test func `a handshake waits by the real clock too`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.acceptDelay(.milliseconds(60))))
    } _: { test in
      let start = ContinuousClock.now
      await (try await test.gateway()).close()
      #expect(ContinuousClock.now - start >= .milliseconds(59))
    }
  }

  @Test func `a peer that gives up while its handshake waits leaves nothing behind`() async throws {
    let test = try await TestServer.start {
      $0.stopTheClock()
      $0.rule(.fault(.acceptDelay(.hours(1))), connection: 1)
    }
    let peer = try await RawPeer.connect(test.endpoints.gatewayPort)
    await test.waitForDeadlines(1)
    try await peer.send([0x16, 3, 1])
    await peer.close()
    await test.journal.wait(for: "connectionRefused")
    let stuck = try await RawPeer.connect(test.endpoints.gatewayPort)
    await stuck.close()
    await test.server.stop()
    #expect(test.log.count("could not be closed in time") == 0)
  }

  @Test func `a shutdown does not wait for a handshake that waits`() async throws {
    let test = try await TestServer.start {
      $0.stopTheClock()
      $0.server.timing.drain = .seconds(86_400)
      $0.rule(.fault(.acceptDelay(.hours(1))))
    }
    let peer = try await RawPeer.connect(test.endpoints.gatewayPort)
    await test.waitForDeadlines(1)
    await test.server.stop()
    await peer.readToEnd()
  }
}
