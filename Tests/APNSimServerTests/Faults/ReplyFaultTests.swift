import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Error responses by rule` {
  @Test(arguments: [0, 1, 6, 10, 99, 128, 255] as [UInt8])
  func `any status goes over the wire`(status: UInt8) async throws {
    let received = try await Self.answer(to: Reply(status: StatusCode(rawValue: status)))
    // A shutdown lets the third through and names it.
    #expect(received.bytes == Frames.response(status, 3) && received.endedInOrder)
    #expect(received.sizes == [6])
  }

  @Test func `the identifier is right, wrong, zero or chosen`() async throws {
    let chosen = Reply.Identifier.exactly(NotificationIdentifier(rawValue: 0xDEAD_BEEF))
    for (identifier, expected) in [
      (.right, 3), (.wrong, ~3), (.zero, 0), (chosen, 0xDEAD_BEEF),
    ] as [(Reply.Identifier, UInt32)] {
      let received = try await Self.answer(to: Reply(status: .invalidToken, identifier: identifier))
      #expect(received.bytes == Frames.response(8, expected))
    }
  }

  @Test(arguments: 0...6)
  func `the packet is truncated to its first bytes`(count: Int) async throws {
    let received = try await Self.answer(to: Reply(status: .invalidToken, packet: .init(byteCount: count)))
    #expect(received.bytes == Array(Frames.response(8, 3).prefix(count)) && received.endedInOrder)
    #expect(received.sizes == (count == 0 ? [] : [count]))
  }

  @Test(arguments: 1...6)
  func `the packet is split after its first byte`(count: Int) async throws {
    let reply = Reply(status: .invalidToken, packet: .init(byteCount: count, cut: .afterFirstByte))
    let received = try await Self.answer(to: reply)
    #expect(received.bytes == Array(Frames.response(8, 3).prefix(count)) && received.endedInOrder)
    #expect(received.sizes == (count == 1 ? [1] : [1, count - 1]))
  }

  @Test func `the packet is lost to a reset`() async throws {
    let reply = Reply(status: .invalidToken, resets: true, isLost: true)
    let received = try await Self.answer(to: reply)
    #expect(received.bytes == [] && received.wasReset && received.sizes == [])
  }

  @Test(arguments: [0, 4, 40])
  func `the packet leaves when exactly so many frames have been discarded`(frames: Int) async throws {
    try await TestServer.run { options in
      options.rule(.reply(Reply(status: .invalidToken, afterFrames: frames)), connection: 1, nth: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1))
      for number in 0..<UInt32(frames) {
        await test.journal.wait(for: "notification", count: Int(number) + 1)
        #expect(test.journal.events("errorSent").isEmpty)
        try await provider.send(Frames.enhanced(2 + number))
      }
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.connections().first?.counts.discarded == UInt64(frames))
    }
  }

  @Test func `the packet that waits for frames leaves when the provider has no more`() async throws {
    try await TestServer.run { options in
      options.rule(.reply(Reply(status: .shutdown, afterFrames: 20)), nth: 2)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(5, bad: nil))
      await test.journal.wait(for: "notification", count: 5)
      #expect(provider.spy.data.isEmpty)
      try await provider.finish()
      #expect(await provider.readToEndAndClose().bytes == Frames.response(10, 2))
    }
  }

  @Test func `the packet leaves after so much simulated time`() async throws {
    try await TestServer.run { options in
      options.stopTheClock()
      options.rule(.reply(Reply(status: .invalidToken, delay: .milliseconds(300))), connection: 1, nth: 1)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(2, bad: nil))
      await test.journal.wait(for: "notification", count: 2)
      try test.advance(.milliseconds(299))
      try await test.fence()
      #expect(provider.spy.data.isEmpty)
      try test.advance(.milliseconds(1))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 1) && received.endedInOrder)
    }
  }

  @Test func `a swallowed notification is accepted and nobody gets it`() async throws {
    try await TestServer.run { options in
      options.rule(.fault(.swallow), nth: 2)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(3, bad: nil))
      try await provider.finish()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == [] && received.endedInOrder)
      #expect(test.simulator.notifications().map(\.outcome) == [.delivered, .dropped, .delivered])
    }
  }

  private struct Answer {
    var bytes: [UInt8]
    var endedInOrder: Bool
    var wasReset: Bool
    var sizes: [Int]
  }

  /// The output that a provider receives when the third of five notifications gets this reply.
  private static func answer(to reply: Reply) async throws -> Answer {
    var answer: Answer?
    try await TestServer.run {
      $0.rule(.reply(reply), nth: 3)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(5, bad: nil))
      let received = await provider.readToEndAndClose()
      answer = Answer(
        bytes: received.bytes,
        endedInOrder: received.endedInOrder,
        wasReset: received.wasReset,
        sizes: provider.recordSizes
      )
    }
    return try #require(answer)
  }
}
