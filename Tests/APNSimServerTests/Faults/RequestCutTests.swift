import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

/// Bytes after a request in the same write are read when the request has its answer, or its connection's end.
@Suite(.mustNotHang) struct `What follows a request in one write` {
  /// SETTINGS have no stream: the connection ends with PROTOCOL_ERROR.
  private static let error = TestRequester.bytes {
    $0.appendFrame(.settings, flags: [], stream: 3, payload: [])
  }
  private static let ping = TestRequester.bytes { $0.appendPing(7) }
  private static let malformed = TestRequester.headers(
    TestRequester.Request(method: "POST", headers: [("Upper-Case", "1")], body: []),
    on: 3
  )
  private static let ends: [(Fault?, [String])] = [
    (nil, ["HEADERS 1", "GOAWAY 1"]),
    (.close(.now), []),
    (.goaway(.init(lastStream: .below)), ["GOAWAY 0"]),
    (.goaway(.init(lastStream: .number(7), reason: .shutdown)), ["HEADERS 1", "GOAWAY 7"]),
  ]

  @Test(arguments: ends, [false, true])
  func `an error is said after the answer, and not after an end`(
    end: (fault: Fault?, frames: [String]),
    together: Bool
  ) async throws {
    let frames = try await Self.frames(end.fault, Self.error, together) { await $0.readToEnd() }
    #expect(frames == end.frames)
  }

  @Test(arguments: [false, true])
  func `PING is answered after the answer`(together: Bool) async throws {
    let frames = try await Self.frames(nil, Self.ping, together) {
      await $0.wait { $0.frames.contains("PING acknowledged") }
    }
    #expect(frames == ["HEADERS 1", "PING acknowledged"])
  }

  @Test(arguments: [false, true])
  func `a malformed request is refused after the answer`(together: Bool) async throws {
    let frames = try await Self.frames(nil, Self.malformed, together) { _ = await $0.answer(3) }
    #expect(frames == ["HEADERS 1", "RST_STREAM 3 1"])
  }

  /// The frames that come back, SETTINGS aside, for a request and what follows it in the same write or in one of its own.
  private static func frames(
    _ fault: Fault?,
    _ rest: [UInt8],
    _ together: Bool,
    _ read: (TestRequester) async throws -> Void
  ) async throws -> [String] {
    var frames: [String] = []
    let faults = fault.map { [($0, connection: Int?.none, nth: Int?.some(1))] } ?? []
    try await `Faults of requests over TLS`.run(faults) { test, request in
      let requester = try await TestRequester.connect(test)
      _ = await requester.settings(1)
      let bytes = requester.frames(request).bytes
      if together {
        try await requester.provider.send(bytes + rest)
      } else {
        try await requester.provider.send(bytes)
        await test.journal.wait(for: "notification")
        requester.provider.sendWithoutWaiting(rest)
      }
      try await read(requester)
      frames = requester.frames.filter { $0 != "SETTINGS" }
      await requester.provider.close()
    }
    return frames
  }

  // MARK: Streams that the provider gives up

  private static func cancel(_ stream: UInt32) -> [UInt8] {
    TestRequester.bytes { $0.appendReset(stream: stream, ErrorCode(rawValue: 8)) }
  }

  @Test func `a request that was given up before its answer left has none`() async throws {
    let slow = Fault.slowAnswer(.seconds(60), .zero)
    var journal = ""
    try await `Faults of requests over TLS`.run((slow, nil, 1)) { test, request in
      let requester = try await TestRequester.connect(test)
      try await requester.provider.send(requester.frames(request).bytes)
      await test.waitForDeadlines(1)
      try await requester.provider.send(Self.cancel(1))
      await test.journal.wait(for: "streamReset")
      try test.advance(.seconds(61))
      #expect(try await requester.push(request).text == "200")
      #expect(requester.answers[1] == nil)
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("answered").isEmpty)
      let reset = #""stream":1,"notification":"n1","code":"CANCEL","by":"provider"}"#
      #expect(test.journal.events("streamReset").map { $0.hasSuffix(reset) } == [true])
      let connection = try #require(test.simulator.connections().first)
      #expect(connection.resend.unanswered == [.number(1)] && connection.resend.accepted == [.number(1)])
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    try expectReplaysToItself(journal)
  }

  @Test func `a request that is given up in the same write was answered before`() async throws {
    try await `Faults of requests over TLS`.run { test, request in
      let requester = try await TestRequester.connect(test)
      try await requester.provider.send(requester.frames(request).bytes + Self.cancel(1))
      #expect(await requester.answer(1).text == "200")
      #expect(try await requester.push(request).text == "200")
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      #expect(test.journal.events("streamReset").isEmpty)
    }
  }
}
