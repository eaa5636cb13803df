import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Testing

/// The memory that a provider can take by not reading its answers, and by not finishing its requests.
@Suite(.mustNotHang) struct `Memory that a provider makes the server hold` {
  private static let start = Timestamp(seconds: 1_780_000_000)
  private static let path = "/1/apps/\(TestServer.topic)"
  /// One token for all requests: each signature is another, and a new token within twenty minutes is refused.
  private static let bearer = Result { try TestTokens.bearer(issuedAt: start) }
  /// A list of all of them is 27 KB.
  private static let channels = 1000

  private static func serve(
    _ change: (inout TestServer.Options) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      { options in
        options.start = Self.start
        options.stopTheClock()
        options.keepsJournal = false
        change(&options)
      },
      body
    )
  }

  private static func requester(_ test: TestServer, isPaused: Bool = false) async throws -> TestRequester {
    // Channels are managed on the gateway's port, by clients that offer h2.
    try await TestRequester.connect(test, port: test.endpoints.feedbackPort, isPaused: isPaused) {
      $0.maximum = .v1_3
      $0.applicationProtocols = ["h2"]
    }
  }

  private static func request(
    _ method: String,
    _ path: String,
    _ body: String = ""
  ) throws -> TestRequester.Request {
    TestRequester.Request(
      method: method,
      path: "\(Self.path)/\(path)",
      authorization: try bearer.get(),
      headers: [],
      body: Array(body.utf8)
    )
  }

  private static func fill(_ test: TestServer) async throws {
    let requester = try await requester(test)
    var streams: [UInt32] = []
    var bytes: [UInt8] = []
    for _ in 0..<channels {
      let next = requester.frames(
        try request("POST", "channels", #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
      )
      streams.append(next.stream)
      bytes += next.bytes
    }
    try await requester.provider.send(bytes)
    #expect(await requester.answers(streams).allSatisfy { $0.status == 201 })
    await requester.provider.close()
  }

  @Test func `answers that a provider does not read are not made, and come when it reads`() async throws {
    try await Self.serve { test in
      try await Self.fill(test)
      let requester = try await Self.requester(test, isPaused: true)
      // The windows are as wide as they can be: nothing but the server's own room is in the way.
      let wide = TestRequester.bytes {
        $0.appendSettings([.initialWindowSize(0x7FFF_FFFF)])
        $0.appendWindowUpdate(stream: 0, by: 0x7FFF_0000)
      }
      var streams: [UInt32] = []
      var bytes = wide
      for _ in 0..<400 {
        let next = requester.frames(try Self.request("GET", "all-channels"))
        streams.append(next.stream)
        bytes += next.bytes
      }
      requester.provider.sendWithoutWaiting(bytes)
      let before = test.simulator.tally.exchanges.received
      while test.simulator.tally.exchanges.received == before { await Task.yield() }
      // All 400 lists are 10 MB; those that were made find room in the server's and the kernel's buffers.
      #expect(test.simulator.tally.exchanges.received < before + 300)
      try await requester.provider.resumeReading()
      #expect(await requester.answers(streams).allSatisfy { $0.status == 200 && $0.body.utf8.count > 20_000 })
      await requester.provider.close()
    }
  }

  @Test func `a request that is begun and not finished is refused in time, and others go on`() async throws {
    try await Self.serve {
      $0.server.timing.requestTimeout = .milliseconds(40)
    } _: { test in
      let requester = try await Self.requester(test)
      let stream = requester.takeStream()
      let begun = try Self.request("POST", "channels", "{}")
      try await requester.provider.send(TestRequester.headers(begun, on: stream))
      #expect(await requester.answer(stream).reset == 8)
      #expect(await test.log.waitAndCount("it was begun and not finished in time") == 1)
      #expect(try await requester.push(Self.request("GET", "all-channels")).status == 200)
      await requester.provider.close()
    }
  }

  @Test func `a connection ends that finds no room for what it does not finish, and no other`() async throws {
    try await Self.serve {
      $0.server.capacity.heldBytes = 1 << 20
    } _: { test in
      let before = SimulatorServer.held.refusals
      let requester = try await Self.requester(test)
      var bytes: [UInt8] = []
      for _ in 0..<200 {
        let stream = requester.takeStream()
        let begun = try Self.request("POST", "channels", "x")
        bytes += TestRequester.headers(begun, on: stream)
        bytes += TestRequester.data([UInt8](repeating: 0x20, count: 12_000), on: stream, isLast: false)
      }
      requester.provider.sendWithoutWaiting(bytes)
      await requester.readToEnd()
      #expect(requester.goAways.map(\.code) == [11])
      #expect(SimulatorServer.held.refusals > before)
      await requester.provider.close()
      let other = try await Self.requester(test)
      #expect(try await other.push(Self.request("GET", "all-channels")).status == 200)
      await other.provider.close()
    }
  }
}
