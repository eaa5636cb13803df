import APNSimCore
import APNSimProvider
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import NIOCore
import Synchronization
import Testing

/// The provider of `send --api http2` against this server.
@Suite(.mustNotHang) struct `A provider that sends requests` {
  private static let start = Timestamp(seconds: 1_780_000_000)
  private static let token = "96385da767191121a851963983fdac9bbdf74dcf6219ae14ed8d082288aaebaf"

  private func run(
    _ change: (inout TestServer.Options) throws -> Void = { _ in },
    rate: Double? = nil,
    connections: Int = 1,
    streams: Int? = nil,
    count: Int,
    _ make: @escaping @Sendable (Int, inout PushRequest) -> Void = { _, _ in },
    meanwhile: @escaping @Sendable (TestServer) async throws -> Void = { _ in }
  ) async throws -> RequestReport {
    var result: RequestReport?
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      try change(&options)
    } _: { test in
      let pki = try TestPKI.prepared()
      var target = ProviderTarget(
        host: "127.0.0.1",
        port: try #require(test.endpoints.http2Port),
        certificateFile: pki.provider.certificate,
        keyFile: pki.provider.key,
        password: "apnsim",
        trust: .authority(caFiles: [pki.caFile])
      )
      target.showsCertificate = false
      let bearer = try TestTokens.bearer(issuedAt: Self.start)
      let plan = RequestPlan(count: count) { index in
        let fields = [
          (name: "apns-topic", value: PKIDirectory.defaultTopic), (name: "authorization", value: bearer),
        ]
        var request = PushRequest(token: Self.token, fields: fields, body: Array(#"{"aps":{}}"#.utf8))
        make(index, &request)
        return request
      }
      if connections > 1 {
        let load = RequestLoad(
          plan: plan,
          connections: connections,
          rate: rate,
          streams: streams,
          patience: Hang.limit
        )
        let provider = target
        async let report = load.run {
          try await HTTP2Connection.open(provider, timeout: TimeAmount(Hang.limit))
        }
        try await meanwhile(test)
        let done = try await report
        // The last answers are counted once they are written.
        #expect(await eventually { test.server.servedTimes.count >= UInt64(done.answered) })
        #expect(test.server.servedTimes.count == test.simulator.tally.exchanges.answered)
        result = done
        return
      }
      let connection = try await HTTP2Connection.open(target, timeout: TimeAmount(Hang.limit))
      #expect(connection.version == "1.3")
      let exchange = RequestExchange(plan: plan, rate: rate, patience: Hang.limit)
      async let report = exchange.run(over: connection)
      try await meanwhile(test)
      result = try await report
    }
    return try #require(result)
  }

  @Test func `many requests go within the streams that the server allows`() async throws {
    let report = try await run({ $0.server.requests.maxStreams = 3 }, count: 500)
    #expect(report.isSuccess && report.sent == 500, "\(report.groups) \(String(describing: report.goAway))")
  }

  @Test func `a load keeps to its streams on every connection`() async throws {
    let most = Mutex(0)
    let report = try await run(connections: 3, streams: 2, count: 300) { _, _ in
    } meanwhile: { test in
      await test.journal.wait(for: "notification")
      most.withLock { $0 = test.simulator.connections().count }
    }
    #expect(report.isSuccess && report.sent == 300, "\(report.groups)")
    #expect(report.latency.count == 300 && report.inFlight == 0 && report.reconnectionCount == 0)
    #expect(most.withLock { $0 } <= 3)
  }

  @Test func `a load goes on where one of its connections is reset, and counts what that left`() async throws
  {
    let report = try await run(
      {
        let reply = Reply(status: .processingError, resets: true)
        $0.rule(.reply(reply), listener: .http2, connection: 2, nth: 20)
      },
      connections: 3,
      streams: 2,
      count: 300
    )
    #expect(
      report.reconnectionCount == 1 && report.failure == nil,
      "\(report.reconnections) \(String(describing: report.failure)) \(report.groups)"
    )
    #expect(report.sent == 300 && report.answered + report.unanswered == 300, "\(report.groups)")
    #expect(report.unanswered <= 2 && report.inFlight == 0)
  }

  @Test func `the server's shutdown is told of, and what was not sent`() async throws {
    let report = try await run(rate: 100, count: 10_000) { _, _ in
    } meanwhile: { test in
      await test.journal.wait(for: "notification")
      let id = try #require(test.simulator.connections().first?.id)
      test.server.end(id, .shutdown)
    }
    #expect(report.goAway?.debug == #"{"reason":"Shutdown"}"#)
    #expect(report.accepted > 0 && !report.isSuccess, "\(report.groups)")
    #expect(report.groups.last?.outcome == .notSent, "\(report.groups)")
  }
}
