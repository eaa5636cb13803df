import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

/// The faults of requests, as a client sees them.
@Suite(.mustNotHang) struct `Faults of requests over TLS` {
  static let start = Timestamp(seconds: 1_780_000_000)

  static func run(
    _ faults: (Fault, connection: Int?, nth: Int?)...,
    change: (inout TestServer.Options) -> Void = { _ in },
    _ body: (TestServer, TestRequester.Request) async throws -> Void
  ) async throws {
    try await run(faults, change: change, body)
  }

  static func run(
    _ faults: [(Fault, connection: Int?, nth: Int?)],
    change: (inout TestServer.Options) -> Void = { _ in },
    _ body: (TestServer, TestRequester.Request) async throws -> Void
  ) async throws {
    try await TestServer.run { options in
      options.start = start
      options.stopTheClock()
      TestServer.known(&options)
      options.server.timing.linger = .milliseconds(200)
      for (fault, connection, nth) in faults {
        options.rule(.fault(fault), listener: .http2, connection: connection, nth: nth)
      }
      change(&options)
    } _: { test in
      try await body(test, TestRequester.Request(authorization: TestTokens.bearer(issuedAt: start)))
    }
  }

  /// Connects and sends so many requests at once, or in pieces of one byte less.
  private func push(
    _ count: Int,
    _ request: TestRequester.Request,
    to test: TestServer
  ) async throws -> TestRequester {
    let requester = try await TestRequester.connect(test)
    _ = await requester.settings(1)
    try await requester.provider.send((0..<count).flatMap { _ in requester.frames(request).bytes })
    return requester
  }

  /// The frames after SETTINGS.
  private func frames(_ requester: TestRequester) -> [String] { requester.frames.filter { $0 != "SETTINGS" } }

  // MARK: GOAWAY

  @Test func `GOAWAY comes after the answer that it is exact about, then the end`() async throws {
    let goAway = Fault.GoAway(code: .internalError, reason: .shutdown, isTwice: true)
    try await Self.run((.goaway(goAway), nil, 2)) { test, request in
      let requester = try await push(4, request, to: test)
      await requester.readToEnd()
      #expect(frames(requester) == ["HEADERS 1", "HEADERS 3", "GOAWAY 3", "GOAWAY 3"])
      let said = TestRequester.GoAway(lastStream: 3, code: 2, debug: #"{"reason":"Shutdown"}"#)
      #expect(requester.goAways == [said, said])
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.notifications().map(\.outcome).filter { $0 == .discarded }.count == 2)
    }
  }

  @Test(arguments: [(Fault.GoAway.LastStream.below, UInt32(1)), (.zero, 0), (.number(77), 77)])
  func `GOAWAY may leave its own request unanswered, or promise more`(
    lastStream: Fault.GoAway.LastStream,
    named: UInt32
  ) async throws {
    try await Self.run((.goaway(.init(lastStream: lastStream)), nil, 2)) { test, request in
      let requester = try await push(3, request, to: test)
      await requester.readToEnd()
      let answered = named == 77 ? ["HEADERS 1", "HEADERS 3"] : ["HEADERS 1"]
      #expect(frames(requester) == answered + ["GOAWAY \(named)"])
      #expect(requester.goAways.map(\.debug) == [""])
      await requester.provider.close()
    }
  }

  @Test func `what comes on a connection that GOAWAY left open is recorded and not answered`() async throws {
    try await Self.run((.goaway(.init(reason: .shutdown, then: .open)), nil, 1)) { test, request in
      let requester = try await push(1, request, to: test)
      await requester.wait { !$0.goAways.isEmpty }
      try await requester.provider.send(requester.frames(request).bytes)
      await test.journal.wait(for: "notification", count: 2)
      let ping = TestRequester.bytes { $0.appendPing(7) }
      try await requester.provider.send(ping)
      await requester.wait { $0.frames.contains("PING acknowledged") }
      #expect(frames(requester) == ["HEADERS 1", "GOAWAY 1", "PING acknowledged"])
      #expect(test.simulator.connections().map(\.isOpen) == [true])
      await requester.provider.close()
    }
  }

  @Test func `every stream after GOAWAY may be refused, for good`() async throws {
    try await Self.run((.goaway(.init(then: .refuse)), nil, 1)) { test, request in
      let requester = try await push(2, request, to: test)
      #expect(await requester.answer(3).reset == 7)
      for _ in 0..<3 { #expect(try await requester.push(request).reset == 7) }
      #expect(requester.answers[1]?.status == 200 && requester.goAways.map(\.lastStream) == [1])
      await requester.provider.close()
    }
  }

  // MARK: Streams

  @Test func `a stream is reset with the code that the rule says`() async throws {
    try await Self.run((.resetStream(HTTP2Code(rawValue: 11)), nil, 2)) { test, request in
      let requester = try await push(3, request, to: test)
      #expect(await requester.answer(5).text == "200")
      #expect(frames(requester) == ["HEADERS 1", "RST_STREAM 3 11", "HEADERS 5"])
      await requester.provider.close()
    }
  }

  @Test func `one request of three is never answered, though it is delivered`() async throws {
    try await Self.run((.unanswered(true), nil, 2)) { test, request in
      let requester = try await push(3, request, to: test)
      #expect(await requester.answer(5).text == "200")
      #expect(requester.answers[3] == nil)
      #expect(test.simulator.notifications().map(\.outcome) == [.delivered, .delivered, .delivered])
      await requester.provider.close()
    }
  }

  @Test func `headers and body of an answer leave when the clock says so`() async throws {
    let slow = Fault.slowAnswer(.seconds(1), .seconds(2))
    try await Self.run((slow, nil, nil)) { test, request in
      var bad = request
      bad.path = "/3/device/" + String(repeating: "ee", count: 32)
      let requester = try await push(1, bad, to: test)
      await test.waitForDeadlines(1)
      try test.advance(.seconds(1))
      await requester.wait { $0.frames.contains("HEADERS 1") }
      #expect(requester.answers[1]?.isComplete == false)
      try test.advance(.seconds(2))
      #expect(await requester.answer(1).text == #"400 {"reason":"BadDeviceToken"}"#)
      await requester.provider.close()
    }
  }

  @Test func `an answer without a body ends its stream with empty DATA when the clock says so`() async throws
  {
    try await Self.run((.slowAnswer(.zero, .seconds(2)), nil, nil)) { test, request in
      let requester = try await push(1, request, to: test)
      await requester.wait { $0.frames.contains("HEADERS 1") }
      #expect(requester.answers[1]?.isComplete == false)
      try test.advance(.seconds(2))
      #expect(await requester.answer(1).text == "200")
      #expect(frames(requester) == ["HEADERS 1", "DATA 1"])
      await requester.provider.close()
    }
  }

  @Test func `500 stays until the provider reconnects, and no longer`() async throws {
    try await Self.run((.stickyServerError, 1, 2)) { test, request in
      let requester = try await push(3, request, to: test)
      let answers = await requester.answers([1, 3, 5]).map(\.text)
      let error = #"500 {"reason":"InternalServerError"}"#
      #expect(answers == ["200", error, error])
      await requester.provider.close()
      let second = try await TestRequester.connect(test)
      #expect(try await second.push(request).text == "200")
      await second.provider.close()
    }
  }
}
