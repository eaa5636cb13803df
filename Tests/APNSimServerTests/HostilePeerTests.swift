import APNSimCore
import APNSimServer
import APNSimTestSupport
import NIOCore
import NIOPosix
import Testing

@Suite(.mustNotHang) struct `Peers that are no providers` {
  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "hello gateway\n", "\u{0}\u{0} \u{1}\u{2}",
  ])
  func `plain text on a TLS port is refused with one line in the log`(text: String) async throws {
    try await TestServer.run { test in
      let peer = try await RawPeer.connect(test.endpoints.gatewayPort)
      try await peer.send(Array(text.utf8))
      await peer.readToEnd()
      await test.journal.wait(for: "connectionRefused")
      #expect(await test.log.waitAndCount("gateway: refused 127.0.0.1:") == 1)
      #expect(await test.log.waitAndCount("expected a TLS ClientHello, found") == 1)
      await (try await test.gateway()).close()
    }
  }

  @Test func `a peer that says nothing is dropped in time`() async throws {
    try await TestServer.run {
      $0.server.timing.handshakeTimeout = .milliseconds(50)
    } _: { test in
      let silent = try await RawPeer.connect(test.endpoints.gatewayPort)
      await silent.readToEnd()
      await test.journal.wait(for: "connectionRefused")
      #expect(await test.log.waitAndCount("the peer sent nothing") == 1)
    }
  }

  @Test func `a crowd of silent peers does not keep a provider out`() async throws {
    try await TestServer.run {
      $0.server.capacity.handshakes = 8
      $0.server.capacity.loops = 1
    } _: { test in
      var crowd: [RawPeer] = []
      for _ in 0..<40 { crowd.append(try await RawPeer.connect(test.endpoints.gatewayPort)) }
      await (try await test.gateway()).close()
      await crowd[0].readToEnd()
      for peer in crowd { await peer.close() }
      #expect(test.log.count("too many unfinished handshakes") >= 1)
    }
  }

  @Test func `a flood of refusals does not flood the log`() async throws {
    try await TestServer.run { test in
      for _ in 0..<60 {
        let peer = try await RawPeer.connect(test.endpoints.gatewayPort)
        try await peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        await peer.readToEnd()
      }
      await test.journal.wait(for: "connectionRefused", count: 60)
      // Some at once, then one a second, however slow the machine is.
      #expect((1..<60).contains(test.log.count("refused")))
    }
  }

  @Test func `a port probe is not worth a line`() async throws {
    try await TestServer.run { test in
      let probe = try await RawPeer.connect(test.endpoints.gatewayPort)
      await probe.close()
      await (try await test.gateway()).close()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.log.count("notice") == 0 && test.log.count("warning") == 0)
    }
  }

  @Test func `a crowd that is connected and silent makes way, the oldest first`() async throws {
    try await TestServer.run {
      $0.server.capacity.connections = 4
      $0.server.timing.silence = .zero
    } _: { test in
      let identity = try TestPKI.provider(TestServer.topic)
      var crowd: [TestProvider] = []
      // Past the limit each comes in when another has gone.
      for _ in 0..<12 { crowd.append(try await test.gateway(identity)) }
      let first = await crowd[0].readToEnd()
      #expect(first.bytes.isEmpty && first.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed", count: 8)
      let closed = test.journal.events("connectionClosed")
      #expect(closed.first?.contains(#""connection":"c1""#) == true)
      #expect(closed.prefix(8).allSatisfy { $0.contains("timedOut") })
      #expect(await test.log.waitAndCount("made way for others") >= 1)
      for provider in crowd { await provider.close() }
    }
  }

  @Test func `nobody makes way where nobody waits`() async throws {
    try await TestServer.run {
      $0.server.capacity.connections = 2
      $0.server.timing.silence = .zero
    } _: { test in
      let identity = try TestPKI.provider(TestServer.topic)
      let providers = [try await test.gateway(identity), try await test.gateway(identity)]
      for number in UInt32(1)...40 {
        try await providers[Int(number) % 2].send(Frames.enhanced(number))
        await test.journal.wait(for: "notification", count: Int(number))
      }
      #expect(test.journal.events("connectionClosed").isEmpty)
      // One for one.
      let third = try await test.gateway(identity)
      await test.journal.wait(for: "connectionClosed")
      try await third.send(Frames.enhanced(41))
      await test.journal.wait(for: "notification", count: 41)
      #expect(test.journal.events("connectionClosed").count == 1)
      for provider in providers + [third] { await provider.close() }
    }
  }

  @Test func `past the limit of connections new ones wait, and are served later`() async throws {
    try await TestServer.run {
      $0.server.capacity.connections = 2
    } _: { test in
      let identity = try TestPKI.provider(TestServer.topic)
      let first = try await test.gateway(identity)
      let second = try await test.gateway(identity)
      async let waiting = test.gateway(identity)
      async let alsoWaiting = test.gateway(identity)
      await first.close()
      await second.close()
      await (try await waiting).close()
      await (try await alsoWaiting).close()
      #expect(test.log.count("2 connections are open, the limit") >= 1)
    }
  }
}
