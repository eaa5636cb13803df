import APNSimCore
import APNSimTestSupport
import Testing

/// The report of a connection that leaves requests without an answer, over TLS.
@Suite(.mustNotHang) struct `A connection that loses answers` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  private func run(
    _ change: (inout TestServer.Options) -> Void,
    _ body: (TestServer, TestRequester.Request) async throws -> Void
  ) async throws {
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      change(&options)
    } _: { test in
      try await body(test, TestRequester.Request(authorization: TestTokens.bearer(issuedAt: Self.start)))
    }
  }

  private func report(_ test: TestServer) throws -> ConnectionView {
    try #require(test.simulator.connection(ConnectionID(rawValue: 1)))
  }

  @Test
  func `a connection that loses answers is told what was accepted all the same, and what a device got twice`()
    async throws
  {
    try await run {
      $0.rule(.answer(ScriptedAnswer(status: 200, delay: .hours(1))), listener: .http2, connection: 1)
    } _: { test, request in
      let first = try await TestRequester.connect(test)
      var other = request
      other.body = Array(#"{"aps":{"badge":2}}"#.utf8)
      try await first.provider.send(first.frames(request).bytes + first.frames(other).bytes)
      await test.waitForDeadlines(2)
      #expect(test.server.end(ConnectionID(rawValue: 1), .reset))
      await test.journal.wait(for: "connectionClosed")
      await first.provider.close()
      let second = try await TestRequester.connect(test)
      #expect(try await second.push(request).status == 200)
      let report = try report(test).resend
      #expect(report.unanswered == [.number(1), .number(2)] && report.accepted == report.unanswered)
      #expect(
        report.resent == [.number(1)] && report.lost == [.number(2)] && report.duplicated == [.number(1)]
      )
      #expect(report.aboveLastStream.isEmpty && report.upToLastStream.isEmpty)
      #expect(test.simulator.advice(atEnd: true).map(\.kind).contains(.deliveredTwice))
      await second.provider.close()
    }
  }

  @Test func `a connection that loses answers by GOAWAY is told its last stream, and what is not above it`()
    async throws
  {
    try await run {
      $0.core.quirks.insert(.silentStaleToken)
    } _: { test, request in
      let requester = try await TestRequester.connect(test)
      var stale = request
      stale.authorization = try TestTokens.bearer(issuedAt: Self.start + .seconds(-7200))
      try await requester.provider.send(requester.frames(stale).bytes)
      #expect(try await requester.push(request).status == 200)
      #expect(test.server.end(ConnectionID(rawValue: 1), .shutdown))
      await requester.readToEnd()
      let view = try report(test)
      #expect(view.goAway?.lastStream == requester.goAways.first?.lastStream && view.goAway?.lastStream == 3)
      #expect(view.resend.upToLastStream == [.number(1)] && view.resend.aboveLastStream.isEmpty)
      await requester.provider.close()
    }
  }
}
