import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Faults of the feedback service` {
  @Test func `the connection is held open after the last tuple`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.feedbackHoldOpen), listener: .feedback, connection: 1)
      $0.scenario.feedback = Frames.tuples(3)
    } _: { test in
      let provider = try await test.feedback()
      #expect(await provider.read(3 * 38).count == 3 * 38)
      try test.advance(.days(1))
      // Another reader comes and is done, later than the pause before an ordinary end.
      #expect(await (try await test.feedback()).readToEndAndClose().endedInOrder)
      #expect(test.simulator.connections().first?.isOpen == true)
      await provider.close()
      await test.journal.wait(for: "connectionClosed", count: 2)
      #expect(
        test.journal.events("connectionClosed").contains {
          $0.contains(#""connection":"c1""#) && $0.contains("peerClosed")
        }
      )
    }
  }

  @Test func `tuples come one byte at a time`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.slice(1, .zero)), listener: .feedback)
      $0.scenario.feedback = Frames.tuples(20)
    } _: { test in
      let provider = try await test.feedback()
      let received = await provider.readToEndAndClose()
      #expect(received.endedInOrder)
      #expect(FeedbackTupleDecoder.tuples(in: received.bytes).count == 20)
      #expect(provider.recordSizes == [Int](repeating: 1, count: 20 * 38))
    }
  }

  @Test func `feedback leaves in slices, with a pause by the virtual clock`() async throws {
    try await TestServer.run {
      $0.stopTheClock()
      $0.rule(.fault(.slice(19, .minutes(1))), listener: .feedback)
      $0.scenario.feedback = Frames.tuples(2)
    } _: { test in
      let provider = try await test.feedback()
      var bytes = await provider.read(19)
      for round in 1...3 {
        await test.waitForDeadlines(1)
        #expect(provider.recordSizes.count == round)
        try test.advance(.minutes(1))
        bytes += await provider.read(19)
      }
      #expect(FeedbackTupleDecoder.tuples(in: bytes).count == 2)
      #expect(await provider.readToEndAndClose().endedInOrder)
    }
  }

  @Test(arguments: [0, 1, 38, 57, 75, 76, 200])
  func `the list ends in the middle of a tuple, and keeps what it did not begin`(bytes: Int) async throws {
    try await TestServer.run {
      $0.rule(.fault(.feedbackTruncate(bytes)), listener: .feedback, connection: 1)
      $0.scenario.feedback = Frames.tuples(4)
    } _: { test in
      let all = 4 * 38
      let provider = try await test.feedback()
      let received = await provider.readToEndAndClose()
      #expect(received.bytes.count == min(bytes, all) && received.endedInOrder)
      let begun = (min(bytes, all) + 37) / 38
      let rest = await (try await test.feedback()).readToEndAndClose().bytes
      #expect(rest.count == (4 - begun) * 38)
      // Whole tuples share a record; the one that is cut has its own.
      let whole = min(bytes, all) / 38 * 38
      #expect(provider.recordSizes == [whole, min(bytes, all) - whole].filter { $0 > 0 })
    }
  }

  @Test func `the list is never cleared`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.feedbackKeep), listener: .feedback)
      $0.scenario.feedback = Frames.tuples(500)
    } _: { test in
      let first = await (try await test.feedback()).readToEndAndClose().bytes
      let second = await (try await test.feedback()).readToEndAndClose().bytes
      #expect(first.count == 500 * 38 && first == second)
    }
  }

  @Test func `a black hole sends no tuple and does not end`() async throws {
    try await TestServer.run {
      $0.rule(.fault(.blackHole), listener: .feedback, connection: 1)
      $0.scenario.feedback = Frames.tuples(3)
    } _: { test in
      let provider = try await test.feedback()
      let other = await (try await test.feedback()).readToEndAndClose()
      #expect(FeedbackTupleDecoder.tuples(in: other.bytes).count == 3)
      #expect(test.simulator.connections().first?.isOpen == true)
      await provider.close()
      #expect(provider.spy.data.isEmpty)
    }
  }
}
