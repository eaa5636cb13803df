import APNSimCore
import APNSimServer
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `Providers that close their side` {
  @Test(arguments: [true, false])
  func `what was sent before the end is judged and answered`(withCloseNotify: Bool) async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(300, bad: 300))
      if withCloseNotify { try await provider.finish() } else { try await provider.finishTCP() }
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 300))
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.connections().first?.counts.accepted == 299)
    }
  }

  @Test(arguments: [true, false])
  func `without an error the answer is silence and a proper end`(withCloseNotify: Bool) async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(10, bad: nil))
      if withCloseNotify { try await provider.finish() } else { try await provider.finishTCP() }
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.sawCloseNotify && received.error == nil)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionClosed").first?.contains("peerClosed") == true)
    }
  }

  @Test func `a provider that is silent for too long is closed`() async throws {
    try await TestServer.run {
      $0.server.timing.idleTimeout = .milliseconds(50)
    } _: { test in
      let provider = try await test.gateway()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionClosed").first?.contains("timedOut") == true)
    }
  }

  @Test func `an unfinished last frame is dropped in silence, and the log says so`() async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1) + Frames.enhanced(2).dropLast(3))
      try await provider.finish()
      #expect(await provider.readToEndAndClose().bytes == [])
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.notifications().count == 1)
      #expect(await test.log.waitAndCount("(c1) ended within a frame, which was not judged:") == 1)
    }
  }
}

@Suite(.mustNotHang) struct `Shutting a connection down` {
  @Test func `status 10 names the last accepted notification`() async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(3, bad: nil))
      await test.journal.wait(for: "notification", count: 3)
      let id = try #require(test.simulator.connections().first).id
      #expect(test.server.end(id, .shutdown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(10, 3))
    }
  }

  @Test func `a shutdown of a fresh connection names no notification`() async throws {
    try await TestServer.run(TestServer.known) { test in
      let provider = try await test.gateway()
      await test.journal.wait(for: "connectionOpened")
      let id = try #require(test.simulator.connections().first).id
      #expect(test.server.end(id, .shutdown))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(10, 0))
      #expect(!test.server.end(ConnectionID(rawValue: 99), .finish))
    }
  }

  @Test func `an operator can also just end or reset it`() async throws {
    try await TestServer.run(TestServer.known) { test in
      for how in ["fin", "rst"] {
        let provider = try await test.gateway()
        await test.journal.wait(until: { lines in lines.last?.contains("connectionOpened") == true })
        let id = try #require(test.simulator.connections().last).id
        test.server.end(id, how == "fin" ? .finish : .reset)
        let received = await provider.readToEndAndClose()
        #expect(received.bytes == [] && received.sawCloseNotify == (how == "fin"))
      }
    }
  }
}
