import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Answers that come later` {
  @Test func `a token that reacts after 200 ms is delivered by then, with nothing else coming in`()
    async throws
  {
    try await TestServer.run { test in
      let provider = try await test.gateway()
      let token = MagicToken(kind: .react, code: 2).token()
      try await provider.send(Frames.enhanced(1, to: token))
      await test.journal.wait(for: "delivered")
      await provider.close()
    }
  }

  @Test(arguments: [0x00, 0x01, 0x04] as [UInt8])
  func `a token that breaks the connection does`(code: UInt8) async throws {
    try await TestServer.run { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: MagicToken(kind: .fault, code: code).token()))
      let received = await provider.readToEndAndClose()
      #expect(received.sawCloseNotify == (code == 0))
      if code != 4 { #expect(received.bytes == []) }
    }
  }

  @Test func `an answer that was to come later comes when the server ends`() async throws {
    let late = Rule(when: RuleMatch(), action: .reply(Reply(status: .processingError, delay: .hours(1))))
    let test = try await TestServer.start { $0.scenario.rules = [late] }
    let provider = try await test.gateway()
    try await provider.send(Frames.enhanced(7, to: Frames.online))
    await test.journal.wait(for: "notification")
    async let received = provider.readToEndAndClose()
    await test.server.stop()
    #expect(await received.bytes == [8, 1, 0, 0, 0, 7])
    #expect(await received.sawCloseNotify)
  }

  @Test func `a token that stops the reading leaves the provider waiting`() async throws {
    try await TestServer.run {
      $0.server.timing.drain = .milliseconds(200)
    } _: { test in
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: MagicToken(kind: .fault, code: 3).token()))
      await test.journal.wait(for: "notification")
      let frames = Frames.many(200, bad: nil)
      let most = 64 << 20
      #expect(await provider.fillThePipe(with: frames, most: most) < most)
      #expect(test.simulator.notifications().count == 1)
      await provider.close()
    }
  }
}
