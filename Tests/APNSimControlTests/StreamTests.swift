import APNSimControl
import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `A stream that ends` {
  @Test func `a stream that ends leaves nobody waiting for the journal`() async throws {
    try await TestControl.run { test in
      var streams: [TestClient.Stream] = []
      for _ in 0..<5 { streams.append(try await test.http.open(.GET, "/api/v1/events")) }
      // Each waits for more, and is watched.
      #expect(await eventually { test.simulator.journalWatcherCount == 10 })
      #expect(test.simulator.journalReaderCount == 5)
      for stream in streams { try await stream.channel.close().get() }
      #expect(await eventually { test.simulator.journalWatcherCount == 0 })
      #expect(await eventually { test.simulator.journalReaderCount == 0 })
    }
  }
}

@Suite(.mustNotHang) struct `A stream over resets` {
  @Test
  func `a stream over resets has every event once and in order, those that clear the history among them`()
    async throws
  {
    try await TestControl.run { test in
      let provider = try test.provider()
      let first = test.simulator.nextSeq
      let stream = try await test.http.open(.GET, "/api/v1/events")
      var parts = stream.parts.makeAsyncIterator()
      while case .head? = await parts.next() { continue }
      for number in UInt32(1)...30 {
        provider.send((0..<20).flatMap { TestControl.frame(number * 100 + $0, #"{"aps":{}}"#) })
        let (method, path, body): (HTTPMethod, String, String?) =
          switch number % 3 {
          case 0: (.POST, "/api/v1/reset", nil)
          case 1: (.DELETE, "/api/v1/notifications", nil)
          default: (.PUT, "/api/v1/scenario", #"{"version":1}"#)
          }
        #expect(try await test.http(method, path, body).status / 100 == 2)
      }
      let end = test.simulator.nextSeq
      var text = ""
      while !text.contains("id: \(end - 1)\n"), let part = await parts.next() {
        if case .body(let bytes) = part { text += String(buffer: bytes) }
      }
      #expect(!text.contains("event: gap"))
      let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap {
        UInt64($0.dropFirst(4))
      }
      #expect(ids == Array(first..<end))
      try await stream.channel.close().get()
    }
  }
}

@Suite struct `A stream that is not read` {
  private func streams(_ count: Int, _ test: TestControl) async {
    #expect(await eventually { test.control.openStreams == count })
  }

  @Test func `a request for its head alone opens no stream`() async throws {
    var limits = ControlLimits()
    limits.streams = 1
    try await TestControl.run(limits: limits) { test in
      for _ in 1...3 {
        let reply = try await test.http(.HEAD, "/api/v1/events")
        #expect(reply.status == 200)
      }
      await streams(0, test)
    }
  }

  @Test func `a stream ends once its reader has gone, at once and without a word`() async throws {
    try await TestControl.run { test in
      for resets in [true, false] {
        for _ in 1...20 {
          let stream = try await test.http.open(.GET, "/api/v1/events", resets: resets)
          try? await stream.channel.close().get()
        }
        let stream = try await test.http.open(.GET, "/api/v1/events", resets: resets)
        for await part in stream.parts { if case .body = part { break } }
        await streams(1, test)
        try? await stream.channel.close().get()
        await streams(0, test)
      }
    }
  }

  @Test func `a stream that is not read is cut off once so much has happened, and the others go on`()
    async throws
  {
    var limits = ControlLimits()
    limits.streamPatience = .zero
    try await TestControl.run(limits: limits) { test in
      let provider = try test.provider()
      let stalled = try await test.http.open(.GET, "/api/v1/events", pauses: true)
      await streams(1, test)
      let payload = #"{"aps":{},"x":"\#(String(repeating: "x", count: 180))"}"#
      let batch = (UInt32(1)...500).flatMap { TestControl.frame($0, payload) }
      // Until more has happened than any buffer between the two holds, however long the reader took to fill them.
      let isCutOff = await eventually {
        provider.send(batch)
        return test.control.openStreams == 0
      }
      #expect(isCutOff)
      #expect(try await test.http(.GET, "/readyz").status == 200)
      try? await stalled.channel.close().get()
    }
  }
}

@Suite struct `A watch over the reader of a stream` {
  /// - Parameter body: gets the watch, and lets more happen than it waits for between two looks.
  private func watch(
    patience: Duration,
    cutsOff count: Int,
    _ body: (StreamWatch, () -> Void) -> Void
  ) async throws {
    let simulator = try Simulator(
      configuration: Configuration(),
      scenario: Scenario(),
      seed: 1,
      start: TestControl.start
    )
    let provider = try simulator.openGateway(
      ConnectionOpening(
        peer: "test",
        provider: ProviderIdentity(topics: [TestControl.topic], environment: .production, subject: "")
      ),
      at: TestControl.start
    )
    let frames = (UInt32(1)...10).flatMap { TestControl.frame($0, #"{"aps":{}}"#) }
    await confirmation(expectedCount: count) { cutOff in
      let watch = StreamWatch(simulator, mostBehind: 10, patience: patience) { cutOff() }
      watch.start()
      body(watch) { provider.send(frames + frames) }
      watch.stop()
    }
    #expect(simulator.journalWatcherCount == 0)
  }

  @Test func `a watch over a reader cuts off once who takes nothing while much happens, however much it is`()
    async throws
  {
    try await watch(patience: .zero, cutsOff: 1) { watch, happen in
      watch.begin()
      for _ in 1...10 { happen() }
    }
  }

  @Test func `a watch over a reader waits as long as it should, however much happens`() async throws {
    try await watch(patience: .seconds(3600), cutsOff: 0) { watch, happen in
      watch.begin()
      for _ in 1...100 { happen() }
    }
  }

  @Test func `a watch over a reader leaves alone who takes something between two looks`() async throws {
    try await watch(patience: .zero, cutsOff: 0) { watch, happen in
      for _ in 1...10 {
        watch.begin()
        happen()
        watch.end()
      }
    }
  }

  @Test func `a watch over a reader leaves alone who has all there is`() async throws {
    try await watch(patience: .zero, cutsOff: 0) { watch, happen in
      watch.begin()
      watch.end()
      for _ in 1...10 { happen() }
    }
  }
}
