import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `The feedback service` {
  @Test func `an empty list is zero bytes and a proper end`() async throws {
    try await TestServer.run { test in
      let received = await (try await test.feedback()).readToEndAndClose()
      #expect(received.bytes == [] && received.sawCloseNotify && received.error == nil)
    }
  }

  @Test func `a list is sent at once, and is empty for the next reader`() async throws {
    let token = [UInt8](repeating: 0xD0, count: 32)
    let app = AppKey(topic: TestServer.topic, environment: .production)
    try await TestServer.run {
      $0.scenario.feedback = [
        FeedbackSpecification(
          subject: .token(token),
          app: app,
          moment: .at(Timestamp(seconds: 1_300_000_000))
        )
      ]
    } _: { test in
      let first = await (try await test.feedback()).readToEndAndClose()
      #expect(first.bytes == [0x4D, 0x7C, 0x6D, 0x00, 0, 32] + token)
      #expect(await (try await test.feedback()).readToEndAndClose().bytes == [])
    }
  }

  @Test func `tuples never straddle two records`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(3000)
    } _: { test in
      let provider = try await test.feedback()
      #expect(await provider.readToEndAndClose().bytes.count == 3000 * 38)
      let overhead = 24
      let sizes = provider.spy.data.map { $0.byteCount - overhead }
      #expect(sizes.allSatisfy { $0 % 38 == 0 && $0 <= 16_384 })
      #expect(sizes.reduce(0, +) == 3000 * 38)
    }
  }

  @Test func `the last tuple arrives a while before close_notify`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(5)
      // Longer than any test.
      $0.server.timing.feedbackPause = .seconds(86_400)
    } _: { test in
      let provider = try await test.feedback()
      #expect(await provider.read(5 * 38).count == 5 * 38)
      try await test.fence()
      #expect(test.simulator.connections().first?.isOpen == true)
      await provider.close()
    }
  }

  @Test func `two readers at once share a list between them`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(10_000)
    } _: { test in
      async let first = test.feedback().readToEndAndClose().bytes
      async let second = test.feedback().readToEndAndClose().bytes
      let both = try await first + second
      let tokens = FeedbackTupleDecoder.tuples(in: both).map(\.token)
      #expect(tokens.count == 10_000)
      #expect(Set(tokens).count == 10_000)
    }
  }

  @Test func `what a reader does not take stays for the next one`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(60_000)
    } _: { test in
      let hasty = try await test.feedback(isPaused: true)
      await test.journal.wait(for: "feedbackRead")
      await hasty.close()
      await test.journal.wait(for: "connectionClosed")
      let left = await (try await test.feedback()).readToEndAndClose().bytes.count / 38
      // Tuples that are off the list are in the buffers of both sides; ours are small.
      #expect(left > 55_000 && left < 60_000)
    }
  }

  @Test(arguments: [5500, 6500, 7500], [false, true])
  func `a reader that reads late loses nothing, though it has closed its own side`(
    count: Int,
    halfCloses: Bool
  ) async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(count)
      $0.server.timing.feedbackPause = .milliseconds(50)
      $0.server.timing.linger = .milliseconds(1)
    } _: { test in
      let late = try await test.feedback(isPaused: true)
      await test.journal.wait(for: "feedbackRead")
      if halfCloses { try await late.finishTCP() }
      // Others come and go, each after the pause and the linger time, with what the first one could not take.
      var others = 0
      for _ in 0..<3 {
        let other = try await test.feedback()
        others += await other.readToEndAndClose().bytes.count
      }
      try await late.resumeReading()
      let received = await late.readToEndAndClose()
      #expect(received.bytes.count + others == count * 38)
      #expect(received.sawCloseNotify && received.error == nil)
    }
  }

  @Test func `feedbackHoldOpen keeps the connection until the client closes`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(2)
      $0.core.quirks = .feedbackHoldOpen
      $0.server.timing.feedbackPause = .milliseconds(50)
    } _: { test in
      let held = try await test.feedback()
      #expect(await held.read(76).count == 76)
      // Another connection begins and ends meanwhile.
      let other = try await test.feedback()
      try await other.finish()
      _ = await other.readToEndAndClose()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.connections().first?.isOpen == true)
      try await held.finish()
      #expect(await held.readToEndAndClose().bytes == [])
      await test.journal.wait(for: "connectionClosed", count: 2)
    }
  }

  @Test func `feedbackHoldOpen ends with the simulator, as every other connection`() async throws {
    let test = try await TestServer.start {
      $0.scenario.feedback = Frames.tuples(2)
      $0.core.quirks = .feedbackHoldOpen
    }
    let held = try await test.feedback()
    #expect(await held.read(76).count == 76)
    let other = try await test.feedback()
    try await other.finish()
    _ = await other.readToEndAndClose()
    await test.journal.wait(for: "connectionClosed")
    await test.server.stop()
    #expect(test.journal.events("connectionClosed").last?.contains(#""reason":"drained""#) == true)
    await held.close()
  }

  @Test func `a reader that takes nothing is given up on`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(20_000)
      $0.server.timing.idleTimeout = .milliseconds(100)
    } _: { test in
      let provider = try await test.feedback(isPaused: true)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("connectionClosed").first?.contains("timedOut") == true)
      await provider.close()
    }
  }

  @Test func `bytes from a client are discarded, and not for ever`() async throws {
    try await TestServer.run {
      $0.scenario.feedback = Frames.tuples(2)
      $0.core.quirks = .feedbackHoldOpen
      $0.server.timing.linger = .milliseconds(50)
    } _: { test in
      let provider = try await test.feedback()
      try await provider.send([UInt8](repeating: 1, count: 100))
      #expect(await provider.read(76).count == 76)
      let writing = Task { while true { try await provider.send([UInt8](repeating: 2, count: 16_384)) } }
      await test.journal.wait(for: "connectionClosed")
      _ = await writing.result
      await provider.close()
      #expect(await test.log.waitAndCount("sends bytes to a service that only writes") == 1)
    }
  }
}
