import APNSimCapture
import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

/// Inputs that once stood in a journal in another place, or with fewer bytes, than they came.
@Suite struct `A journal has in its place` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let app = AppKey(topic: "com.example.app", environment: .production)

  @Test(arguments: [Int.max, 1, 1000])
  func `what no frame could be made of, however much it was`(cut: Int) throws {
    let simulator = try simulator()
    let journal = MemoryJournal(simulator)
    let connection = try open(simulator)
    let rest: [UInt8] = [7] + (UInt32(2)..<64).flatMap { Frames.enhanced($0) }
    write(Frames.enhanced(1, to: [1, 2, 3]) + rest, to: connection, cut)
    connection.closed(.peerClosed, at: Self.start)
    #expect(rest.count > 4096 && journal.text.contains(#""count":\#(rest.count)"#))
    try expectExact(journal.text)
  }

  @Test(arguments: [Int.max, 1], [TimeSpan.zero, .seconds(1)])
  func `an answer that waited for frames that cannot come any more`(cut: Int, delay: TimeSpan) throws {
    var first = RuleMatch()
    first.nth = .equals(.number("1"))
    first.connection = .equals(.number("1"))
    let reply = Reply(status: .invalidToken, afterFrames: 5, delay: delay)
    let simulator = try simulator([Rule(when: first, action: .reply(reply))])
    let journal = MemoryJournal(simulator)
    let connection = try open(simulator)
    write(Frames.enhanced(1) + Frames.enhanced(2) + [7, 7, 7], to: connection, cut)
    let other = try open(simulator)
    write(Frames.enhanced(3), to: other, cut)
    try simulator.perform(.advanceClock(.seconds(2)), at: Self.start)
    write([7, 7], to: connection, cut)
    _ = connection.inputEnded(at: Self.start)
    connection.closed(.peerClosed, at: Self.start)
    let lines = journal.text.split(separator: "\n")
    #expect(lines.filter { $0.contains(#""event":"inputEnded""#) }.count == 1)
    #expect(lines.filter { $0.contains(#""event":"errorSent""#) }.count == 1)
    try expectExact(journal.text)
  }

  @Test func `a notification that reaches a reacting device later`() throws {
    let simulator = try simulator()
    let journal = MemoryJournal(simulator)
    let connection = try open(simulator)
    let slow = MagicToken(kind: .react, code: 5).token()
    write((UInt32(1)...3).flatMap { Frames.enhanced($0, to: slow) }, to: connection, .max)
    try simulator.perform(.advanceClock(.seconds(1)), at: Self.start)
    #expect(journal.text.split(separator: "\n").filter { $0.contains(#""event":"delivered""#) }.count == 3)
    connection.closed(.peerClosed, at: Self.start)
    try expectExact(journal.text)
  }

  @Test func `a device that becomes one with a name after notifications came to it`() throws {
    let simulator = try simulator()
    let journal = MemoryJournal(simulator)
    let connection = try open(simulator)
    let token = [UInt8](repeating: 9, count: 32)
    let name = Hex.encode(token)
    write(Frames.enhanced(1, to: token), to: connection, .max)
    try simulator.perform(.setOnline(device: name, false), at: Self.start)
    write(Frames.enhanced(2, to: token), to: connection, .max)
    try simulator.perform(.changeDevice(DeviceChange(device: name, languages: ["fr"])), at: Self.start)
    write(Frames.enhanced(3, to: token), to: connection, .max)
    try simulator.perform(.setOnline(device: name, true), at: Self.start)
    connection.closed(.peerClosed, at: Self.start)
    try expectExact(journal.text)
    try expectExact(MemoryJournal(simulator).text)
  }

  @Test func `an issued token that another device has by now`() throws {
    let simulator = try simulator()
    let journal = MemoryJournal(simulator)
    let carol = DeviceSpecification(name: "carol", apps: [AppSpecification(app: Self.app)])
    try simulator.perform(.putDevice(carol), at: Self.start)
    let token = try #require(simulator.device("carol")?.apps.first?.token)
    try simulator.perform(.removeDevice("carol"), at: Self.start)
    let dave = DeviceSpecification(name: "dave", apps: [AppSpecification(app: Self.app, token: token)])
    try simulator.perform(.putDevice(dave), at: Self.start)
    #expect(throws: CommandError.tokenTaken(app: Self.app, device: "dave")) {
      try simulator.perform(.putDevice(carol), at: Self.start)
    }
    try expectExact(journal.text)
  }

  private func simulator(_ rules: [Rule] = []) throws -> Simulator {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    scenario.rules = rules
    return try Simulator(scenario: scenario, seed: 1, start: Self.start)
  }

  private func open(_ simulator: Simulator) throws -> GatewayConnection {
    let provider = ProviderIdentity(topics: [Self.app.topic], environment: .production, subject: "")
    let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
    return try simulator.openGateway(opening, at: Self.start)
  }

  private func write(_ bytes: [UInt8], to connection: GatewayConnection, _ cut: Int) {
    let length = min(cut, bytes.count)
    for start in stride(from: 0, to: bytes.count, by: length) {
      _ = bytes[start..<min(bytes.count, start + length)].withUnsafeBytes {
        connection.receive($0, at: Self.start)
      }
    }
  }

  private func expectExact(_ journal: String) throws {
    let replay = try Replay(CaptureReader(name: "journal", bytes: Array(journal.utf8)))
    #expect(replay.isExact)
    let result = replay.run()
    #expect(result.isSame && result.comparesJournal && !result.endsEarly)
    if let first = result.firstDifference {
      Issue.record(
        "\(String(decoding: first.recorded, as: UTF8.self)) \(String(decoding: first.replayed, as: UTF8.self))"
      )
    }
  }
}
