import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

/// The faults of a connection of requests, as a client sees them.
@Suite(.mustNotHang) struct `Faults of a connection of requests over TLS` {
  private typealias Streams = `Faults of requests over TLS`

  // MARK: Settings, windows, PING

  @Test func `SETTINGS with fewer streams come ahead of the answer, and hold`() async throws {
    try await Streams.run((.maxStreams(1), nil, 1)) { test, request in
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).text == "200")
      #expect(requester.frames == ["SETTINGS", "SETTINGS", "HEADERS 1"])
      #expect(requester.settings.last == [3: 1])
      let acknowledgements = TestRequester.bytes { bytes in
        for _ in 0..<2 { bytes.appendSettingsAcknowledgement() }
      }
      let unfinished = (0..<2).flatMap { _ in TestRequester.headers(request, on: requester.takeStream()) }
      try await requester.provider.send(acknowledgements + unfinished)
      await requester.readToEnd()
      #expect(requester.goAways.map(\.debug) == ["Maximum active streams violated for this endpoint."])
      await requester.provider.close()
    }
  }

  @Test func `no window is given for bodies`() async throws {
    try await Streams.run((.zeroWindow, nil, nil)) { test, request in
      let requester = try await TestRequester.connect(test)
      #expect(await requester.settings(1)[0][4] == 0)
      var empty = request
      empty.body = []
      #expect(try await requester.push(empty).status == 400)
      try await requester.provider.send(TestRequester.bytes { $0.appendPing(1) })
      await requester.wait { $0.frames.contains("PING acknowledged") }
      #expect(requester.windowUpdates == 0)
      await requester.provider.close()
    }
  }

  @Test func `PING is not answered, and requests are`() async throws {
    try await Streams.run((.ignorePing, 1, nil)) { test, request in
      for answer in [[], ["PING acknowledged"]] {
        let requester = try await TestRequester.connect(test)
        try await requester.provider.send(TestRequester.bytes { $0.appendPing(7) })
        #expect(try await requester.push(request).text == "200")
        #expect(requester.frames.filter { $0.hasPrefix("PING") } == answer)
        await requester.provider.close()
      }
    }
  }

  @Test func `SETTINGS are not acknowledged, and requests are answered`() async throws {
    try await Streams.run((.ignoreSettings, 1, nil)) { test, request in
      for count in [0, 1] {
        let requester = try await TestRequester.connect(test)
        #expect(try await requester.push(request).text == "200")
        #expect(requester.acknowledged == count)
        await requester.provider.close()
      }
    }
  }

  @Test func `a refusal leaves one stream at a time, until a success`() async throws {
    try await Streams.run(change: { $0.core.quirks = .concurrencyDrop }) { test, request in
      let requester = try await TestRequester.connect(test)
      var bad = request
      bad.headers.append(("apns-priority", "7"))
      #expect(try await requester.push(bad).status == 400)
      #expect(await requester.settings(2)[1] == [3: 1])
      #expect(try await requester.push(request).status == 200)
      #expect(await requester.settings(3)[2] == [3: 1000])
      await requester.provider.close()
    }
  }

  // MARK: Ends

  @Test(arguments: [false, true])
  func `a connection ends after exactly so many requests, whose answers come before`(resets: Bool)
    async throws
  {
    let fault = resets ? Fault.reset(.afterRequests(2)) : .close(.afterRequests(2))
    try await Streams.run((fault, nil, nil)) { test, request in
      let requester = try await TestRequester.connect(test)
      let bytes = (0..<4).flatMap { _ in requester.frames(request).bytes }
      try await requester.provider.send(bytes)
      let received = await requester.provider.readToEndAndClose()
      #expect(received.wasReset == resets && received.endedInOrder == !resets)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.connections().map(\.counts.received) == [2])
      #expect(test.journal.events("faultFired").count == 1)
    }
  }

  @Test(arguments: [false, true])
  func `a connection ends before the first request, or in the middle of one`(isEarly: Bool) async throws {
    let count = isEarly ? 0 : TestRequester.opening.count + 40
    try await Streams.run((.close(.afterBytes(count)), nil, nil)) { test, request in
      let requester = try await TestRequester.connect(test)
      try? await requester.provider.send(requester.frames(request).bytes)
      let received = await requester.provider.readToEndAndClose()
      #expect(received.endedInOrder)
      await test.journal.wait(for: "connectionClosed")
      #expect(test.simulator.notifications().isEmpty)
      #expect(test.journal.events("faultFired").count == 1)
    }
  }

  @Test func `a black hole reads everything and says nothing, not even SETTINGS`() async throws {
    try await Streams.run((.blackHole, 1, nil)) { test, request in
      let requester = try await TestRequester.connect(test)
      let ofHandshake = requester.provider.spy.data.count
      try await requester.provider.send((0..<3).flatMap { _ in requester.frames(request).bytes })
      await test.journal.wait(for: "notification", count: 3)
      let second = try await TestRequester.connect(test)
      #expect(try await second.push(request).text == "200")
      await second.provider.close()
      #expect(requester.provider.spy.data.count == ofHandshake)
      #expect(test.simulator.connections().first?.isOpen == true)
      await requester.provider.close()
    }
  }

  @Test
  func `a connection is closed after its idle time, and so is one that nothing came on after the handshake`()
    async throws
  {
    try await Streams.run((.idleClose(.hours(2)), 1, nil), (.closeAfterHandshake(.zero), 2, nil)) {
      test,
      request in
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).text == "200")
      try test.advance(.hours(2))
      #expect(await requester.provider.readToEndAndClose().endedInOrder)
      let second = try await TestRequester.connect(test)
      #expect(await second.provider.readToEndAndClose().bytes == [])
    }
  }

  @Test func `an answer is on its way for a while, and comes in pieces`() async throws {
    try await Streams.run(
      (.latency(.milliseconds(200)), nil, nil),
      (.slice(5, .zero), nil, nil)
    ) { test, request in
      let requester = try await TestRequester.connect(test)
      let ofHandshake = requester.provider.spy.data.count
      let (stream, bytes) = requester.frames(request)
      try await requester.provider.send(bytes)
      await test.journal.wait(for: "notification")
      await test.waitForDeadlines(1)
      #expect(requester.provider.spy.data.count == ofHandshake)
      // SETTINGS, their acknowledgement and the answer are on their way together, or one after the other.
      let clock = Task {
        while !Task.isCancelled {
          await test.waitForDeadlines(1)
          try test.advance(.milliseconds(200))
        }
      }
      defer { clock.cancel() }
      #expect(await requester.answer(stream).text == "200")
      #expect(requester.provider.recordSizes.dropFirst(ofHandshake).allSatisfy { $0 <= 5 })
      await requester.provider.close()
    }
  }
}
