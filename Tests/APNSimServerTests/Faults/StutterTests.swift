import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `Stutter` {
  /// A rule as a file has it.
  private static func rules(_ texts: String...) throws -> [Rule] {
    let text = "rules:\n" + texts.map { "  - { \($0) }\n" }.joined()
    return try ScenarioFile.script(text, name: "test.yaml").scenario.rules
  }

  /// Runs a server with one rule, whose clock stands still and to which only some devices are known.
  private static func run(
    _ rule: String,
    _ body: (TestServer, TestRequester.Request) async throws -> Void
  ) async throws {
    let rules = try rules(rule)
    try await `Faults of requests over TLS`.run([]) {
      $0.scenario.rules = rules
    } _: { test, request in
      try await body(test, request)
    }
  }

  @Test func `a stutter happens once where no number says otherwise`() throws {
    let rules = try Self.rules("fault: { stutter: 2s }", "fault: { stutter: 2s }, times: 3")
    #expect(rules.map(\.action) == [.fault(.stutter(.seconds(2))), .fault(.stutter(.seconds(2)))])
    #expect(rules.map(\.times) == [1, 3])
  }

  @Test func `the next six bytes wait by the simulated clock, and leave in two halves, once`() async throws {
    try await Self.run("fault: { stutter: 2s }") { test, _ in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(3, bad: 3))
      await test.waitForDeadlines(1)
      try test.advance(.milliseconds(1_999))
      try await test.fence()
      #expect(provider.spy.data.isEmpty)
      try test.advance(.milliseconds(1))
      let received = await provider.readToEndAndClose()
      #expect(received.bytes == Frames.response(8, 3) && received.endedInOrder)
      #expect(provider.recordSizes == [3, 3])
      // Two notifications that were accepted had no answer to stutter.
      #expect(test.simulator.rules().map(\.matches) == [1])

      let next = try await test.gateway()
      try await next.send(Frames.many(1, bad: 1))
      #expect(await next.readToEndAndClose().bytes == Frames.response(8, 1))
      #expect(next.recordSizes == [6])
    }
  }

  @Test func `the next HEADERS wait by the simulated clock, and leave in two halves, so many times`()
    async throws
  {
    try await Self.run("when: { listener: http2 }, fault: { stutter: 2s }, times: 2") { test, request in
      let requester = try await TestRequester.connect(test)
      await requester.wait { $0.acknowledged == 1 }
      for stream in [1, 3] as [UInt32] {
        let before = requester.provider.spy.data.count
        try await requester.provider.send(requester.frames(request).bytes)
        await test.waitForDeadlines(1)
        try test.advance(.milliseconds(1_999))
        try await test.fence()
        #expect(requester.provider.spy.data.count == before)
        try test.advance(.milliseconds(1))
        #expect(await requester.answer(stream).text == "200")
        let sizes = Self.sizes(requester, before)
        #expect(sizes.count == 2 && (0...1).contains((sizes.last ?? 0) - (sizes.first ?? 0)))
      }
      let before = requester.provider.spy.data.count
      #expect(try await requester.push(request).text == "200")
      #expect(Self.sizes(requester, before).count == 1)
      await requester.provider.close()
    }
  }

  @Test func `a refusal with a body leaves in two halves as well`() async throws {
    try await Self.run("fault: { stutter: 2s }") { test, request in
      let requester = try await TestRequester.connect(test)
      await requester.wait { $0.acknowledged == 1 }
      var bad = request
      bad.path = "/3/device/" + String(repeating: "ee", count: 32)
      try await requester.provider.send(requester.frames(bad).bytes)
      await test.waitForDeadlines(1)
      let before = requester.provider.spy.data.count
      try test.advance(.seconds(2))
      #expect(await requester.answer(1).text == #"400 {"reason":"BadDeviceToken"}"#)
      let sizes = Self.sizes(requester, before)
      #expect(sizes.count == 2 && (0...1).contains((sizes.last ?? 0) - (sizes.first ?? 0)))
      await requester.provider.close()
    }
  }

  @Test func `a recording of stutters on both interfaces replays exactly`() async throws {
    var journal = ""
    try await Self.run("fault: { stutter: 2s }, times: 2") { test, request in
      let provider = try await test.gateway()
      try await provider.send(Frames.many(2, bad: 2))
      await test.waitForDeadlines(1)
      let requester = try await TestRequester.connect(test)
      try await requester.provider.send(requester.frames(request).bytes)
      await test.waitForDeadlines(2)
      try test.advance(.seconds(2))
      #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 2))
      #expect(await requester.answer(1).text == "200")
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed", count: 2)
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    try expectReplaysToItself(journal)
  }

  /// The sizes of the records that came since, of TLS 1.3, which adds 17 bytes to each: a byte for its kind, and the tag
  /// (RFC 8446, section 5.2).
  private static func sizes(_ requester: TestRequester, _ before: Int) -> [Int] {
    requester.provider.spy.data.dropFirst(before).map { $0.byteCount - 17 }
  }
}
