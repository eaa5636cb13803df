import APNSimCore
import APNSimServer
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `How long requests took` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  private func wait(for count: UInt64, _ test: TestServer) async {
    // An answer is counted after it has left.
    #expect(await eventually { test.server.servedTimes.count >= count })
  }

  @Test func `the time of requests is counted from the last reset, without the delays of scripts`()
    async throws
  {
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      let late = ScriptedAnswer(status: 200, delay: .hours(1))
      options.rule(.answer(late), listener: .http2, connection: 1, nth: 2)
    } _: { test in
      let request = try TestRequester.Request(authorization: TestTokens.bearer(issuedAt: Self.start))
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).status == 200)
      await wait(for: 1, test)
      let (stream, bytes) = requester.frames(request)
      try await requester.provider.send(bytes)
      await test.waitForDeadlines(1)
      #expect(test.server.servedTimes.count == 1)
      try test.advance(.hours(1))
      #expect(await requester.answer(stream).status == 200)
      await wait(for: 2, test)
      #expect(test.server.servedTimes.sum < 600_000_000)
      #expect(test.simulator.tally.exchanges.delays.sum == 3_600_000_000)
      try test.server.perform(.reset)
      #expect(test.server.servedTimes.count == 0)
      await requester.provider.close()
    }
  }
}
