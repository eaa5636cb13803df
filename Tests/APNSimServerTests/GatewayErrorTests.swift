import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `The end of a connection after an error` {
  @Test func `five thousand frames do not cost a provider that reads last its six bytes`() async throws {
    let frames = Frames.many(5000, bad: 100)
    let identity = try TestPKI.provider(TestServer.topic)
    try await TestServer.run {
      TestServer.known(&$0)
      $0.core.limits.discards = 4_000_000
      $0.keepsJournal = false
      // Everything is read, however busy the machine is.
      $0.server.timing.linger = .seconds(60)
    } _: { test in
      for round in 0..<25 {
        let provider = try await test.gateway(identity)
        try await provider.pauseReading()
        try await provider.send(frames)
        try await provider.resumeReading()
        let received = await provider.readToEndAndClose()
        #expect(received.bytes == Frames.response(8, 100), "round \(round)")
        #expect(received.sawCloseNotify && received.error == nil, "round \(round)")
      }
      await test.server.stop()
      let connections = test.simulator.connections()
      #expect(connections.count == 25)
      #expect(connections.allSatisfy { $0.counts.accepted == 99 && $0.counts.received == 5000 })
    }
  }

  @Test func `the six bytes are one TLS record`() async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(7, to: Frames.unknown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 7))
      #expect(provider.spy.data.count == 1)
    }
  }

  /// No machine is so busy that a test would take this long otherwise.
  private static let longPause = Duration.seconds(600)

  @Test
  func `the end comes some time after the six bytes, and a provider that closes first is not waited for`()
    async throws
  {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.endingPause = Self.longPause
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(7, to: Frames.unknown))
      #expect(await provider.read(6) == Frames.response(8, 7))
      // Frames written meanwhile are read and discarded.
      try await provider.send(Frames.many(50, bad: nil))
      await test.journal.wait { lines in lines.count { $0.contains(#""outcome":"discarded""#) } == 50 }
      #expect(test.simulator.connections().first?.isOpen == true)
      try await provider.finish()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionClosed").first?.contains("simulatorClosed") == true)
      await provider.close()
    }
  }

  @Test func `the pause is over after its time`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.endingPause = .milliseconds(50)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(7, to: Frames.unknown))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 7) && received.sawCloseNotify)
    }
  }

  @Test func `an end without the six bytes, a glued one and a reset come at once`() async throws {
    for (quirks, frame) in [
      (Quirks(), Frames.simple(to: Frames.unknown)), (.gluedClose, Frames.enhanced(7, to: Frames.unknown)),
      (.resetAfterError, Frames.enhanced(7, to: Frames.unknown)),
    ] {
      try await TestServer.run {
        TestServer.known(&$0)
        $0.server.timing.endingPause = Self.longPause
        $0.core.quirks = quirks
      } _: { test in
        let provider = try await test.gateway()
        try await provider.send(frame)
        _ = await provider.readToEndAndClose()
        await test.journal.wait(for: "connectionClosed")
      }
    }
  }

  @Test func `a shutdown waits for the pause no longer than for anything else`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.endingPause = Self.longPause
      $0.server.timing.drain = .milliseconds(200)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(7, to: Frames.unknown))
      #expect(await provider.read(6) == Frames.response(8, 7))
      await test.server.stop()
      await provider.close()
    }
  }

  @Test func `splitErrorPacket makes two records of them`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.core.quirks = .splitErrorPacket
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(7, to: Frames.unknown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 7))
      let sizes = provider.spy.data.map(\.byteCount)
      #expect(sizes.count == 2 && sizes[1] - sizes[0] == 4)
    }
  }

  @Test func `a bad command 0 ends the connection without a packet`() async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.simple(to: Frames.unknown) + Frames.simple())
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.sawCloseNotify && received.error == nil)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.notifications().map(\.outcome) == [.rejected, .discarded])
    }
  }

  @Test func `resetAfterError resets`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.core.quirks = .resetAfterError
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(200, bad: 1))
      let received = await provider.readToEndAndClose()
      #expect(!received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionClosed").first?.contains("reset") == true)
    }
  }

  @Test func `a provider that keeps silent and open after its error is closed after the linger time`()
    async throws
  {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.linger = .milliseconds(50)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: Frames.unknown))
      #expect(await provider.readToEnd().bytes == Frames.response(8, 1))
      await test.journal.wait(for: "connectionClosed")
      await provider.close()
    }
  }

  @Test func `a provider that never stops writing after its error is closed all the same`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      $0.server.timing.linger = .milliseconds(50)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: Frames.unknown))
      let more = Frames.many(20, bad: nil)
      let writing = Task { while true { try await provider.send(more) } }
      await test.journal.wait(for: "connectionClosed")
      await provider.close()
      _ = await writing.result
      let counts = try #require(test.simulator.connections().first).counts
      #expect(counts.accepted == 0 && counts.discarded == counts.received - 1)
    }
  }

  @Test func `times as long as they may be are as good as others`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      let longest = Duration.seconds(365 * 86_400)
      $0.server.timing.linger = longest
      $0.server.timing.idleTimeout = longest
      $0.server.timing.handshakeTimeout = longest
      $0.server.timing.drain = longest
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: Frames.unknown) + Frames.enhanced(2))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 1))
      await test.journal.wait(for: "connectionClosed")
    }
  }

  @Test func `a provider that reads while it writes gets the answer while it writes`() async throws {
    try await TestServer.run {
      TestServer.known(&$0)
      // However long a busy machine keeps the test from going on.
      $0.server.timing.linger = .seconds(60)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(50, bad: 25))
      #expect(await provider.read(6) == Frames.response(8, 25))
      // Our half of the connection is still open: a provider may finish its batch.
      try await provider.send(Frames.many(50, bad: nil))
      try await provider.finish()
      await test.journal.wait(for: "connectionClosed")
      let counts = try #require(test.simulator.connections().first).counts
      #expect(counts.received == 100 && counts.accepted == 24 && counts.discarded == 75)
      await provider.close()
    }
  }
}
