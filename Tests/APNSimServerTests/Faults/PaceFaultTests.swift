import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Faults of pace` {
  @Test func `everything that is sent leaves later, the end included`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.latency(.seconds(1))), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Self.bad)
      // The six bytes and the half-close after them.
      await test.waitForDeadlines(2)
      try test.advance(.milliseconds(999))
      try await test.fence()
      #expect(provider.spy.data.isEmpty && test.simulator.connections().first?.isOpen == true)
      try test.advance(.milliseconds(1))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
    }
  }

  @Test func `latency is as long by the real clock`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.latency(.milliseconds(60))))
    } _: { test in
      let provider = try await test.gateway()
      let start = ContinuousClock.now
      try await provider.send(Self.bad)
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
      #expect(ContinuousClock.now - start >= .milliseconds(59))
    }
  }

  @Test func `a reset is as late as everything else`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.latency(.seconds(1))), connection: 1)
      $0.rule(.fault(.reset(.now)), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1))
      await test.waitForDeadlines(2)
      try await test.fence()
      #expect(test.simulator.connections().first?.isOpen == true)
      try test.advance(.seconds(1))
      #expect(await provider.readToEndAndClose().wasReset)
    }
  }

  @Test func `a feedback list comes later as a whole, however long`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.latency(.milliseconds(30))), listener: .feedback)
      $0.scenario.feedback = Frames.tuples(30_000)
      $0.keepsJournal = false
    } _: { test in
      let provider = try await test.feedback()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes.count == 30_000 * 38 && received.endedInOrder)
    }
  }

  @Test(arguments: [(1, [1, 1, 1, 1, 1, 1]), (4, [4, 2]), (6, [6]), (100, [6])])
  func `slices are records of their own`(bytes: Int, sizes: [Int]) async throws {
    try await TestServer.run {
      $0.rule(.fault(.slice(bytes, .zero)))
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Self.bad)
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
      #expect(provider.recordSizes == sizes)
    }
  }

  @Test func `the pause between slices is simulated time`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.slice(2, .seconds(1))), connection: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Self.bad)
      var bytes: [UInt8] = []
      for round in 1...3 {
        bytes += await provider.read(2)
        #expect(provider.recordSizes.count == round && bytes.count == 2 * round)
        await test.waitForDeadlines(1)
        try await test.fence()
        #expect(provider.recordSizes.count == round)
        if round < 3 { try test.advance(.seconds(1)) }
      }
      let received = await provider.readToEndAndClose()
      #expect(bytes == Frames.response(8, 1) && received.endedInOrder)
    }
  }

  @Test func `slices and latency together keep the order`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.slice(1, .milliseconds(2))))
      $0.rule(.fault(.latency(.milliseconds(5))))
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Self.bad)
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
      #expect(provider.recordSizes == [1, 1, 1, 1, 1, 1])
    }
  }

  @Test func `a shutdown does not wait for simulated time`() async throws {
    let test = try await TestServer.start {
      $0.stopTheClock()
      $0.server.timing.drain = .seconds(86_400)
      $0.rule(.fault(.latency(.hours(1))))
      $0.rule(.fault(.slice(1, .hours(1))))
    }
    let provider = try await test.gateway()
    try await provider.send(Self.bad)
    await test.waitForDeadlines(2)
    async let stopped: Void = test.server.stop()
    let received = await provider.readToEndAndClose()
    await stopped
    #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
  }

  @Test(arguments: [Fault.latency(.hours(1)), .slice(1, .hours(1))])
  func `providers that are gone are not held by a clock that stands still`(fault: Fault) async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.server.capacity.connections = 2
      $0.rule(.fault(fault))
    } _: { test in
      // The third comes in when another has gone.
      for _ in 0..<5 { await (try await test.gateway()).close() }
      await test.journal.wait(for: "connectionClosed", count: 5)
    }
  }

  @Test func `a connection whose answer waits for simulated time makes way where there is no room`()
    async throws
  {
    try await TestServer.run {
      $0.stopTheClock()
      $0.server.capacity.connections = 1
      $0.server.timing.silence = .zero
      $0.rule(.fault(.latency(.hours(1))), connection: 1)
    } _: { test in
      let first = try await test.gateway()
      try await first.send(Self.bad)
      await test.waitForDeadlines(2)
      let second = try await test.gateway()
      #expect(await first.readToEndAndClose().bytes == [])
      await test.journal.wait(for: "connectionClosed")
      let closed = test.journal.events("connectionClosed").first
      #expect(closed?.contains(#""connection":"c1""#) == true)
      await second.close()
    }
  }

  @Test func `an operator's reset does not wait for simulated time`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.latency(.hours(1))))
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Self.bad)
      await test.waitForDeadlines(2)
      let id = try #require(test.simulator.connections().first).id
      #expect(test.server.end(id, .reset))
      #expect(await provider.readToEndAndClose().wasReset)
    }
  }

  private static let bad = Frames.enhanced(1, to: MagicToken(kind: .refuse, code: 8).token())
}
