import APNSimCore
import APNSimServer
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `Faults that end a connection` {
  @Test(arguments: [false, true])
  func `the third notification ends it, by FIN or by RST`(resets: Bool) async throws {
    try await TestServer.run {
      $0.rule(.fault(resets ? .reset(.now) : .close(.now)), nth: 3)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(3, bad: nil))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.endedInOrder == !resets && received.wasReset == resets)
      await test.journal.wait(for: "connectionClosed")
      let counts = test.simulator.connections().map(\.counts)
      #expect(counts.map(\.accepted) == [2] && counts.map(\.rejected) == [1])
      #expect(test.journal.events("faultFired").count == 1)
    }
  }

  @Test(arguments: [false, true])
  func `a connection ends after exactly so many bytes`(resets: Bool) async throws {
    let frame = Frames.enhanced(1)
    let trigger = Fault.Trigger.afterBytes(2 * frame.count + 40)
    try await TestServer.run {
      $0.rule(.fault(resets ? .reset(trigger) : .close(trigger)))
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(pieces: (1...4).map { Frames.enhanced($0)[...] })
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.endedInOrder == !resets && received.wasReset == resets)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.connections().map(\.counts.accepted) == [2])
    }
  }

  @Test func `a connection ends after exactly so many frames, or before the first`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.close(.afterFrames(5))), connection: 1)
      $0.rule(.fault(.close(.afterFrames(0))), connection: 2)
    } _: { test in
      for expected in [5, 0] as [UInt64] {
        let provider = try await test.gateway()
        try await provider.send(Frames.many(9, bad: nil))
        let received = await provider.readToEndAndClose()
        #expect(received.bytes == [] && received.endedInOrder)
        await test.journal.wait(for: "connectionClosed", count: expected == 5 ? 1 : 2)
        #expect(test.simulator.connections().last?.counts.accepted == expected)
      }
    }
  }

  @Test func `what a provider writes after it stops reading fills the pipe`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.stopReading(.now)), nth: 2)
      $0.keepsJournal = false
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(2, bad: nil))
      #expect(await eventually { test.simulator.notifications().count == 2 })
      let written = await provider.fillThePipe(with: Frames.many(150, bad: nil), most: 64 << 20)
      #expect(written < 64 << 20)
      #expect(test.simulator.notifications().count == 2)
      #expect(test.simulator.connections().map(\.isOpen) == [true])
      #expect(provider.spy.data.isEmpty)
      await provider.close()
    }
  }

  @Test(arguments: [0, 100] as [Int64])
  func `the handshake succeeds and the connection closes without a byte`(milliseconds: Int64) async throws {
    try await TestServer.run {
      $0.rule(.fault(.closeAfterHandshake(.milliseconds(milliseconds))), listener: nil)
      $0.scenario.feedback = Frames.tuples(3)
    } _: { test in
      let provider = try await test.gateway()
      provider.sendWithoutWaiting(Frames.enhanced(1, to: MagicToken(kind: .refuse, code: 8).token()))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.sawCloseNotify)
      #expect(await (try await test.feedback()).readToEndAndClose().bytes == [])
      await test.journal.wait(for: "connectionClosed", count: 2)
      #expect(test.simulator.notifications().isEmpty)
    }
  }

  @Test func `closing after the handshake waits for simulated time`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.closeAfterHandshake(.milliseconds(100))), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      await test.waitForDeadlines(1)
      try test.advance(.milliseconds(99))
      try await test.fence()
      #expect(test.journal.events("connectionClosed").count <= 1)
      #expect(test.simulator.connections().first?.isOpen == true)
      try test.advance(.milliseconds(1))
      #expect(await provider.readToEndAndClose().endedInOrder)
    }
  }

  @Test func `two hours without a byte and the connection is closed`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.core.idleClose = .hours(2)
    } _: { test in
      let provider = try await test.gateway()
      await test.journal.wait(for: "connectionOpened")
      try test.advance(.hours(1))
      try await provider.send(Frames.enhanced(1))
      await test.journal.wait(for: "notification")
      try test.advance(TimeSpan(milliseconds: TimeSpan.hours(2).milliseconds - 1))
      try await test.fence()
      #expect(test.simulator.connections().first?.isOpen == true)
      try test.advance(.milliseconds(1))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.endedInOrder)
    }
  }

  @Test func `a black hole reads everything and says nothing, whatever comes`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.core.idleClose = .zero
      $0.rule(.fault(.blackHole), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      // More than the pipe holds, so it must have been read.
      for _ in 0..<40 { try await provider.send(Frames.many(4000, bad: 5)) }
      try test.advance(.days(1))
      try await test.fence()
      #expect(test.simulator.connections().first?.isOpen == true)
      #expect(provider.spy.data.isEmpty)
      try await provider.finish()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && !received.sawCloseNotify)
      await test.journal.wait(for: "connectionClosed", count: 2)
      #expect(test.simulator.notifications().count == 1)
    }
  }
}
