import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `What is kept is bounded` {
  /// The most deadlines that wait before stale ones are dropped.
  private static let room = 8192

  @Test func `no more of a flood to a reacting token is under way than may be, the rest is there at once`()
    throws
  {
    let simulator = try Samples.simulator { $0.limits.underway = 1000 }
    let provider = try CoreProvider(samples: simulator)
    let token = MagicToken(kind: .react, code: 255).token()
    for number in UInt32(1)...10_000 { provider.send(Samples.frame(number, to: token)) }
    #expect(simulator.pendingDeadlines == 1000)
    #expect(simulator.outcomes.filter { $0 == .delivered }.count == 9000)
    try simulator.perform(.advanceClock(.seconds(26)))
    #expect(simulator.outcomes.allSatisfy { $0 == .delivered })
    provider.send(Samples.frame(10_001, to: token))
    #expect(simulator.pendingDeadlines == 1 && simulator.outcomes.last == .stored)
  }

  @Test func `connections that come and go leave nothing behind under a clock that stands still`() throws {
    let simulator = try Samples.simulator { $0.idleClose = .hours(2) }
    for _ in 0..<20_000 { try CoreProvider(samples: simulator).close() }
    #expect(simulator.pendingDeadlines <= Self.room)
  }

  @Test func `moments that nobody waits for any more are forgotten`() throws {
    let simulator = try Samples.simulator()
    for number in UInt32(1)...20_000 {
      simulator.remind(Reminder(rawValue: number), after: .hours(1), at: Moment.start)
      simulator.forget(Reminder(rawValue: number))
    }
    #expect(simulator.pendingDeadlines <= Self.room)
  }

  @Test func `a notification that is stored and taken away again and again has one deadline`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    // The one that may not be stored takes the place of the one that is.
    for number in UInt32(1)...20_000 {
      let expiry: UInt32 = number % 2 == 0 ? 0 : 0x7FFF_0000
      provider.send(Samples.frame(number, to: Samples.offline, expiry: expiry))
    }
    provider.send(Samples.frame(20_001, to: Samples.offline, expiry: 0x7FFF_0000))
    #expect(simulator.pendingDeadlines <= Self.room && simulator.outcomes.last == .stored)
    try simulator.perform(.setClock(Timestamp(seconds: 0x7FFF_0001)))
    #expect(simulator.outcomes.last == .expired)
  }

  @Test func `a moment that is now comes though the clock stands still`() throws {
    let simulator = try Samples.simulator()
    simulator.remind(Reminder(rawValue: 1), after: .seconds(1), at: Moment.start)
    #expect(simulator.nextWake == nil)
    simulator.remind(Reminder(rawValue: 2), after: .zero, at: Moment.start)
    #expect(simulator.nextWake == Moment.start)
    simulator.wake(at: Moment.start)
    #expect(simulator.nextWake == nil && simulator.pendingDeadlines == 1)
  }

  @Test func `all that waits is kept however much it is`() throws {
    let simulator = try Samples.simulator()
    for number in UInt32(1)...20_000 {
      simulator.remind(Reminder(rawValue: number), after: .hours(1), at: Moment.start)
    }
    #expect(simulator.pendingDeadlines == 20_000)
  }

  @Test func `what is kept of events and closed connections goes by the same setting as notifications`()
    throws
  {
    let keep = try #require(Setting.named("keep"))
    var failure: SettingFailure?
    let simulator = try Samples.simulator { configuration in
      do throws(SettingFailure) { try keep.apply("1000", to: &configuration) } catch { failure = error }
    }
    #expect(failure == nil)
    for _ in 0..<1200 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1))
      provider.close()
    }
    let lines = simulator.readJournal { _ in 1 }.next(maxBytes: .max).lines.split(
      separator: UInt8(ascii: "\n")
    )
    #expect(lines.filter { !$0.starts(with: Array(#"{"seq":"#.utf8)) }.isEmpty)
    #expect(simulator.notifications().count == 1000)
    #expect(lines.count <= 2000)
    #expect(simulator.connections().count == 100)
  }

  @Test func `commands and what devices are told count with their bytes`() throws {
    let simulator = try Samples.simulator { $0.limits.eventBytes = 200_000 }
    let apps = (0..<200).map {
      AppSpecification(app: AppKey(topic: "com.example.app\($0)", environment: .production))
    }
    let device = CoreDevice(simulator, named: "phone")
    device.connect(Samples.topic)
    for _ in 0..<50 { try simulator.perform(.putDevice(DeviceSpecification(name: "phone", apps: apps))) }
    let lines = simulator.readJournal { _ in 1 }.next(maxBytes: .max)
    let count = lines.marks.count { $0.event == "command" }
    #expect(count > 0 && count <= 8)
    #expect(lines.lines.count < 1_000_000)
  }

  @Test func `languages of devices count with their bytes`() throws {
    let simulator = try Samples.simulator { $0.limits.eventBytes = 200_000 }
    let languages = [String(repeating: "l", count: 60_000)]
    for command in [
      Command.changeDevice(DeviceChange(device: "bob", languages: languages)),
      .putDevice(DeviceSpecification(name: "carol", apps: [], languages: languages)),
    ] {
      for _ in 0..<20 { try simulator.perform(command) }
      let marks = simulator.readJournal { _ in 1 }.next(maxBytes: .max).marks
      #expect((1...3).contains(marks.count { $0.event == "command" }))
    }
  }

  @Test func `long tokens and rules count with their bytes`() throws {
    let simulator = try Samples.simulator { $0.limits.eventBytes = 200_000 }
    let tuple = FeedbackSpecification(
      subject: .token([UInt8](repeating: 1, count: 50_000)),
      app: Samples.app,
      moment: .at(Moment.start)
    )
    let rule = Rule(
      name: String(repeating: "r", count: 60_000),
      action: .reply(Reply(status: .processingError))
    )
    for command in [Command.addFeedback(tuple), .addRule(rule)] {
      for _ in 0..<20 { try simulator.perform(command) }
      let events = simulator.readJournal { _ in 1 }.next(maxBytes: .max).marks.count
      #expect((1...4).contains(events))
    }
  }

  @Test func `the place from which nothing is missing never goes back`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 100 }
    let provider = try CoreProvider(samples: simulator)
    var last = 0
    func look() throws {
      let header = try JSONValue.parse(simulator.readJournalSoFar().header.dropLast())
      let now = header.member("completeFrom")?.intValue ?? 1
      #expect(now >= last)
      last = Int(now)
    }
    for number in UInt32(1)...150 { provider.send(Samples.frame(number)) }
    try look()
    for _ in 0..<150 { try simulator.perform(.freezeClock) }
    try look()
    #expect(last > 200)
    for number in UInt32(1)...10 {
      provider.send(Samples.frame(number))
      try look()
    }
  }

  @Test func `a line has room for every name and every frame`() throws {
    let simulator = try Samples.simulator()
    let name = String(repeating: "\u{1}", count: 255)
    let token = [UInt8](repeating: 7, count: 32)
    try simulator.perform(
      .putDevice(DeviceSpecification(name: name, apps: [AppSpecification(app: Samples.app, token: token)]))
    )
    let journal = MemoryJournal(simulator)
    let payload = #"{"aps":{"alert":"\#(String(repeating: "x", count: 2000))"}}"#
    let items: [(UInt8, [UInt8])] = [(1, token), (2, Array(payload.utf8))]
    let item: [UInt8] = items.flatMap { [$0.0, UInt8($0.1.count >> 8), UInt8($0.1.count & 255)] + $0.1 }
    let frame: [UInt8] = [2] + Samples.big(UInt32(item.count)) + item
    let provider = try CoreProvider(samples: simulator)
    for _ in 0..<100 { provider.send((0..<10).flatMap { _ in frame }) }
    let lines = journal.text.split(separator: "\n").filter { $0.contains(#""event":"notification""#) }
    #expect(lines.count == 1000)
    for line in lines {
      let object = try JSONValue.parse(Array(line.utf8))
      #expect(object.member("device")?.stringValue == name)
      #expect(object.member("raw")?.stringValue?.count == (frame.count + 2) / 3 * 4)
    }
  }

  @Test func `one delivery does not hold the bytes of everything that came after it`() throws {
    let simulator = try Samples.simulator { $0.limits.history = 100 }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.online))
    #expect(simulator.outcomes == [.delivered])
    let one = simulator.historyBytes
    for number in UInt32(2)...20_000 { provider.send(Samples.frame(number, to: Samples.offline)) }
    #expect(simulator.outcomes.count == 100)
    #expect(simulator.historyBytes <= 2 * one)
  }

  @Test func `the bytes of notifications and of what devices got are bounded, and the newest stay`() throws {
    let simulator = try Samples.simulator { $0.limits.historyBytes = 1 << 20 }
    let provider = try CoreProvider(samples: simulator)
    let frame = Samples.frame(1, to: Samples.online)
    for _ in 0..<20_000 { provider.send(frame) }
    #expect(simulator.historyBytes <= 1 << 20)
    let kept = simulator.outcomes.count
    #expect(kept * frame.count > 1 << 18 && kept < 20_000)
    #expect(simulator.outcomes.allSatisfy { $0 == .delivered })
    #expect(simulator.notifications().last?.id == "n20000")
  }

  @Test func `errors without end do not fill the memory with what was discarded after them`() throws {
    let simulator = try Samples.simulator { $0.limits.discards = 100 }
    var connections: [ConnectionID] = []
    for _ in 0..<10 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, to: [1, 2, 3]))
      for number in UInt32(2)...31 { provider.send(Samples.frame(number)) }
      provider.close()
      connections.append(provider.connection.id)
    }
    let remembered = connections.compactMap { simulator.connection($0) }
    #expect(remembered.reduce(0) { $0 + $1.resend.discarded.count } <= 100)
    #expect(remembered.last?.resend.discarded.count == 30)
    #expect(remembered.last?.counts.discarded == 30)
  }

  @Test func `the newest discards are known to come again however many did not before`() throws {
    let simulator = try Samples.simulator { $0.limits.resendIdentifiers = 100 }
    for round in UInt32(1)...5 {
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, to: [1, 2, 3]))
      for number in 1...UInt32(50) {
        provider.send(Samples.frame(number, payload: #"{"aps":{"badge":\#(round)}}"#))
      }
      provider.close()
    }
    let provider = try CoreProvider(samples: simulator)
    for number in 1...UInt32(50) { provider.send(Samples.frame(number, payload: #"{"aps":{"badge":5}}"#)) }
    let reports = simulator.connections().prefix(5).map(\.resend)
    #expect(reports.map(\.resent.count) == [0, 0, 0, 0, 50])
    #expect(reports.map(\.lost.count) == [0, 0, 0, 50, 0])
    #expect(reports.map(\.notFollowed) == [50, 50, 50, 0, 0])
  }

  @Test func `what is not followed is not advised on`() throws {
    let simulator = try Samples.simulator {
      $0.limits.resendIdentifiers = 10
    }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: [1, 2, 3]))
    for number in UInt32(2)...31 { provider.send(Samples.frame(number)) }
    let next = try CoreProvider(samples: simulator)
    for number in UInt32(2)...31 { next.send(Samples.frame(number)) }
    for number in UInt32(100)...1200 { next.send(Samples.frame(number)) }
    #expect(simulator.connection(provider.connection.id)?.resend.notFollowed == 20)
    #expect(simulator.advice().filter { $0.kind == .discardedNotResent }.isEmpty)
  }

  @Test func `discarded notifications come again in the time it takes to read them, however many they are`()
    throws
  {
    func time(_ count: UInt32) throws -> Duration {
      let simulator = try Samples.simulator { $0.limits.discards = 1_000_000 }
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(1, to: [1, 2, 3]))
      let frames = (2...count + 1).flatMap { Samples.frame($0) }
      provider.send(frames)
      let time = try threadTime { try CoreProvider(samples: simulator).send(frames) }
      let report = try #require(simulator.connection(provider.connection.id)?.resend)
      #expect(report.resent.count == count && report.lost.isEmpty)
      return time
    }
    let (few, many) = (try time(3000), try time(24_000))
    // Eight times as many; if each were looked for among all, 64 times as long.
    #expect(many < few * 24, "\(few) for 3,000, \(many) for 24,000")
  }

  @Test func `one connection alone cannot go past the limit, and counts on`() throws {
    let simulator = try Samples.simulator { $0.limits.discards = 10 }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: [1, 2, 3]))
    for number in UInt32(2)...31 { provider.send(Samples.frame(number)) }
    let view = try #require(simulator.connection(provider.connection.id))
    #expect(view.resend.discarded.count == 10)
    #expect(view.counts.discarded == 30)
    #expect(view.resend.notFollowed == 20)
  }
}
