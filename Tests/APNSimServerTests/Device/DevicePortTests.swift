import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Testing

@Suite(.mustNotHang) struct `The device port` {
  @Test func `a connected device gets what a provider sends to its token`() async throws {
    try await TestServer.run { test in
      let device = try await TestDevice.connect(test)
      let token = try await device.introduce(TestServer.topic)
      #expect(token.count == 32)
      #expect(test.simulator.device("alice")?.isOnline == true)
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: token) + Frames.enhanced(2, to: token))
      let lines = await device.lines(2)
      #expect(lines.map { $0["notification.identifier"] } == [.string("00000001"), .string("00000002")])
      #expect(lines.first?["notification.presentation.alert.text"] == .string("hi"))
      await device.connection.close()
      await test.journal.wait(for: "deviceOffline")
      #expect(test.simulator.device("alice")?.isOnline == false)
    }
  }

  @Test func `what waited comes right after the tokens`() async throws {
    try await TestServer.run { test in
      let first = try await TestDevice.connect(test)
      let token = try await first.introduce(TestServer.topic)
      await first.connection.close()
      await test.journal.wait(for: "deviceOffline")
      let provider = try await test.gateway()
      try await provider.send((1...3).flatMap { Frames.enhanced($0, to: token) })
      await test.journal.wait(for: "notification", count: 3)

      let again = try await TestDevice.connect(test)
      try await again.say(#"{"apps":[{"topic":"\#(TestServer.topic)","token":"\#(Hex.encode(token))"}]}"#)
      let lines = await again.lines(2)
      #expect(lines.first?["tokens.0.token"] == .string(Hex.encode(token)))
      #expect(lines.last?["notification.identifier"] == .string("00000003"))
    }
  }

  @Test func `order survives many providers on many loops`() async throws {
    try await TestServer.run {
      $0.server.capacity.loops = 4
    } _: { test in
      let device = try await TestDevice.connect(test)
      let token = try await device.introduce(TestServer.topic)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in UInt32(0)..<8 {
          group.addTask {
            let provider = try await test.gateway()
            for round in UInt32(0)..<50 {
              try await provider.send(Frames.enhanced(number << 16 | round, to: token))
            }
          }
        }
        try await group.waitForAll()
      }
      let got = await device.lines(400).compactMap { $0["notification.id"]?.stringValue }
      #expect(got == (1...400).map { "n\($0)" })
    }
  }

  @Test func `the newest connection of a device wins; the older is told so and closed`() async throws {
    try await TestServer.run { test in
      let older = try await TestDevice.connect(test)
      let token = try await older.introduce(TestServer.topic)
      let newer = try await TestDevice.connect(test)
      #expect(try await newer.introduce(TestServer.topic) == token)
      let (lines, sawCloseNotify) = await older.linesToEnd()
      #expect(lines.map { $0["closed.reason"] } == [.string("replaced")])
      #expect(sawCloseNotify)
      await test.journal.wait(for: "connectionClosed")
      let provider = try await test.gateway()
      try await provider.send(Frames.enhanced(1, to: token))
      #expect(await newer.lines(1).first?["notification.id"] == .string("n1"))
      #expect(test.journal.events("deviceOffline").isEmpty)
    }
  }

  @Test func `another device's token is refused with a line`() async throws {
    try await TestServer.run { test in
      let alice = try await TestDevice.connect(test)
      let token = try await alice.introduce(TestServer.topic)
      let mallory = try await TestDevice.connect(test, named: "mallory")
      try await mallory.say(
        #"{"apps":[{"topic":"\#(TestServer.topic)","token":"\#(Hex.encode(token))"}]}"#
      )
      let (lines, sawCloseNotify) = await mallory.linesToEnd()
      #expect(lines.map { $0["error.reason"] } == [.string("token")])
      #expect(sawCloseNotify)
      #expect(test.simulator.device("alice")?.isOnline == true)
    }
  }

  @Test(.mustNotHang)
  func `a device that does not read is dropped, and what came last waits for it`() async throws {
    try await TestServer.run {
      $0.core.limits.deviceQueueBytes = 65_536
      $0.server.timing.linger = .milliseconds(50)
      $0.keepsJournal = false
    } _: { test in
      let device = try await TestDevice.connect(test)
      let token = try await device.introduce(TestServer.topic)
      try await device.connection.pauseReading()
      let provider = try await test.gateway()
      var sent = UInt32(0)
      while test.simulator.device("alice")?.isOnline == true, sent < 200_000 {
        try await provider.send((1...100).flatMap { Frames.enhanced(sent + $0, to: token) })
        sent += 100
      }
      try await provider.send(Frames.enhanced(7, to: token))
      try await provider.finish()
      _ = await provider.readToEndAndClose()
      #expect(test.simulator.device("alice")?.isOnline == false)
      let again = try await TestDevice.connect(test)
      try await again.say(#"{"apps":[]}"#)
      #expect(await again.lines(2).last?["notification.identifier"] == .string("00000007"))
      await device.connection.close()
    }
  }

  @Test func `a device that says nothing after its handshake is told so and closed`() async throws {
    try await TestServer.run {
      $0.server.timing.handshakeTimeout = .seconds(1)
    } _: { test in
      // The same time is the handshake's, which a busy machine may not manage at once.
      var device: TestDevice?
      while device == nil, !Task.isCancelled { device = try? await TestDevice.connect(test) }
      let (lines, _) = try await #require(device).linesToEnd()
      #expect(lines.map { $0["error.reason"] } == [.string("silence")])
    }
  }

  @Test func `stopping the server ends devices properly and leaves them offline`() async throws {
    let test = try await TestServer.start()
    let device = try await TestDevice.connect(test)
    _ = try await device.introduce(TestServer.topic)
    async let ended = device.linesToEnd()
    await test.server.stop()
    #expect(await ended.sawCloseNotify)
    #expect(test.journal.events("deviceOffline").count == 1)
    #expect(test.journal.events("connectionClosed").last?.contains(#""reason":"drained""#) == true)
  }

  @Test func `a shutdown lets a device that reads late have what waits for it`() async throws {
    let count = UInt32(5000)
    let test = try await TestServer.start {
      $0.core.limits.deviceQueueBytes = 64 << 20
      $0.server.timing.drain = .seconds(120)
      $0.server.timing.linger = .seconds(60)
      $0.keepsJournal = false
    }
    let device = try await TestDevice.connect(test)
    let token = try await device.introduce(TestServer.topic)
    try await device.connection.pauseReading()
    let provider = try await test.gateway()
    try await provider.send((1...count).flatMap { Frames.enhanced($0, to: token) })
    try await provider.send(Frames.enhanced(7, to: MagicToken(kind: .refuse, code: 8).token()))
    #expect(await provider.readToEndAndClose().bytes == Frames.response(8, 7))
    let witness = try await test.gateway()
    async let stopped: Void = test.server.stop()
    // Its connection ends a while after all were told of the shutdown.
    _ = await witness.readToEndAndClose()
    try await device.connection.resumeReading()
    let (lines, sawCloseNotify) = await device.linesToEnd()
    await stopped
    #expect(lines.count == Int(count) && sawCloseNotify)
  }

  @Test func `an operator's end reaches a device, whichever it is`() async throws {
    try await TestServer.run { test in
      for how in KillMode.allCases {
        let device = try await TestDevice.connect(test)
        _ = try await device.introduce(TestServer.topic)
        let id = try #require(test.simulator.device("alice")?.connection)
        #expect(test.server.end(id, how))
        _ = await device.linesToEnd()
      }
      await test.journal.wait(for: "deviceOffline", count: KillMode.allCases.count)
    }
  }
}
