import APNSimCapture
import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite(.mustNotHang) struct `A run over TLS that was recorded` {
  /// The configuration of a run's simulator.
  enum Kind: String, CaseIterable, Sendable {
    case virtualClock
    case realClockAndIssuedTokens
  }

  @Test(arguments: Kind.allCases, [UInt64(1), 2])
  func `a run over TLS that was recorded gives the same journal when it is replayed offline, byte for byte`(
    kind: Kind,
    seed: UInt64
  ) async throws {
    let path = NSTemporaryDirectory() + "apnsim-\(UUID().uuidString)"
    let redacted = path + ".gz"
    defer { for file in [path, redacted] { try? FileManager.default.removeItem(atPath: file) } }
    var journal = ""
    try await TestServer.run({
      try Self.prepare(&$0, kind)
      $0.server.files.record = redacted
      $0.recordFilter = JournalRedactor(TokenPseudonyms { token in token.map { $0 ^ 0x5A } }).filter
    }) { test in
      try await Self.traffic(of: test, kind, seed: seed)
      await test.server.stop()
      journal = test.journal.lines.joined(separator: "\n") + "\n"
    }
    try Data(journal.utf8).write(to: URL(fileURLWithPath: path))
    try Self.replayRedacted(redacted, beside: path)
    let replayed = JournalBytes()
    let replay = try Replay(CaptureReader(path: path))
    replay.record(to: replayed)
    #expect(replay.isExact)
    var seen = 0
    let result = replay.run(observe: { _ in seen += 1 })
    let first = result.firstDifference.map {
      "\($0.kind)\n\(String(decoding: $0.recorded, as: UTF8.self))\n\(String(decoding: $0.replayed, as: UTF8.self))"
    }
    #expect(first == nil)
    #expect(result.isSame && result.comparesJournal && result.damage == nil && !result.endsEarly)
    #expect(replayed.text == journal)
    // The run is worth it: everything that can be recorded is in it.
    for event in [
      "errorSent", "faultFired", "feedbackRead", "command", "shutdown", "resent", "linesSent", "deviceOnline",
      "connectionArrived", "certificateJudged", "clockChanged", "bytesIn", "stored", "connectionClosed",
    ] {
      #expect(journal.contains("\"\(event)\""), "\(event)")
    }
    #expect(seen > 500 && result.connections > 50)
  }

  /// A recording that was redacted while it was written replays as exactly, to the same verdicts.
  private static func replayRedacted(_ redacted: String, beside path: String) throws {
    var verdicts: [[String]] = []
    for file in [path, redacted] {
      let replay = try Replay(CaptureReader(path: file))
      #expect(replay.isExact)
      var seen: [String] = []
      let result = replay.run(observe: {
        seen.append("\($0.connection) \($0.verdict.outcome) \($0.verdict.status)")
      })
      let first = result.firstDifference.map {
        "\(String(decoding: $0.recorded, as: UTF8.self))\n\(String(decoding: $0.replayed, as: UTF8.self))"
      }
      #expect(first == nil && result.damage == nil, "\(file)")
      verdicts.append(seen)
    }
    #expect(verdicts[0] == verdicts[1] && verdicts[0].count > 500)
  }

  private static func prepare(_ options: inout TestServer.Options, _ kind: Kind) throws {
    options.server.listening.devicePort = 0
    options.server.timing.linger = .milliseconds(500)
    if kind == .virtualClock {
      options.stopTheClock()
    } else {
      options.start = now()
      options.core.tokens = .issued
      options.issuer = try TokenAuthority(key: [UInt8](repeating: 7, count: 64))
    }
    let app = AppKey(topic: TestServer.topic, environment: .production)
    let given: [UInt8]? = kind == .virtualClock ? Frames.online : nil
    options.scenario.devices = [
      DeviceSpecification(name: "online", apps: [AppSpecification(app: app, token: given)]),
      DeviceSpecification(name: "offline", isOnline: false, apps: [AppSpecification(app: app)]),
      DeviceSpecification(name: "removed", apps: [AppSpecification(app: app, isInstalled: false)]),
    ]
    options.scenario.feedback = Frames.tuples(3)
    var flaky = RuleMatch()
    flaky.listener = .gateway
    flaky.probability = 0.02
    options.scenario.rules = [
      Rule(name: "flaky", when: flaky, action: .reply(Reply(status: .processingError, afterFrames: 2))),
      Rule(when: flaky, action: .fault(.swallow)),
    ]
    var certain = RuleMatch()
    certain.listener = .gateway
    certain.nth = .equals(.number("100"))
    flaky.probability = 0.1
    options.scenario.rules += [
      Rule(when: certain, action: .fault(.swallow)),
      Rule(when: flaky, action: .fault(.close(.afterBytes(333)))),
      Rule(when: flaky, times: 3, action: .fault(.refuseHandshake(.alert(46)))),
      Rule(when: flaky, action: .fault(.acceptDelay(.zero))),
    ]
    options.scenario.timeline = [
      TimelineEntry(at: .seconds(30), action: .perform(.setOnline(device: "offline", true)))
    ]
  }

  private static func now() -> Timestamp {
    Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
  }

  private static func traffic(of test: TestServer, _ kind: Kind, seed: UInt64) async throws {
    let devices = ["online", "offline", "removed"]
    let tokens = devices.compactMap { test.simulator.device($0)?.apps.first?.token }
    let device = try await TestDevice.connect(test, named: "online")
    try await device.say(#"{"apps":["\#(TestServer.topic)"],"languages":["fr"]}"#)
    _ = await device.lines(1)
    let stranger = try await TestDevice.connect(test, named: "alice")
    try await stranger.say(
      #"{"apps":[{"topic":"\#(TestServer.topic)","token":"\#(Hex.encode(tokens[1]))"}]}"#
    )
    _ = await stranger.linesToEnd()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
          try await provider(of: test, tokens, &generator)
        }
      }
      for number in 0..<5 {
        group.addTask {
          var generator = SeededGenerator(seed: seed &* 77 &+ UInt64(number))
          for _ in 0..<6 { try await steer(test, &generator) }
          _ = await (try? test.feedback())?.readToEndAndClose()
        }
      }
      try await group.waitForAll()
    }
    // Chance has had its turn: whatever it left out, a fault and a shutdown are certain.
    try test.simulator.perform(.clearRules, at: now())
    var gateway = RuleMatch()
    gateway.listener = .gateway
    try test.simulator.perform(
      .addRule(Rule(when: gateway, times: 1, action: .fault(.close(.afterBytes(10))))),
      at: now()
    )
    let struck = try await test.gateway()
    try await struck.send(Frames.enhanced(1, to: tokens[0]))
    _ = await struck.readToEndAndClose()
    let last = try await test.gateway()
    // The simulator knows the connection once it has judged this.
    try await last.send(Frames.enhanced(0xABCD_EF01, to: tokens[0]))
    await test.journal.wait { lines in lines.last { $0.contains(#""identifier":"abcdef01""#) } != nil }
    for connection in test.simulator.connections() where connection.isOpen {
      try? test.simulator.perform(.endConnection(connection.id, .shutdown), at: now())
    }
    _ = await last.readToEndAndClose()
    await device.connection.close()
  }

  private static func provider(
    of test: TestServer,
    _ tokens: [[UInt8]],
    _ generator: inout SeededGenerator
  ) async throws {
    guard let provider = try? await test.gateway() else { return }
    var bytes: [UInt8] = []
    for number in 1...UInt32.random(in: 10...30, using: &generator) {
      bytes += frame(number, tokens, &generator)
    }
    if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<30, using: &generator)) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...900, using: &generator))
      rest = rest.dropFirst(piece.count)
      // After an error the other side is gone.
      guard (try? await provider.send(Array(piece))) != nil else { break }
    }
    try? await provider.finish()
    _ = await provider.readToEndAndClose()
  }

  private static func frame(
    _ number: UInt32,
    _ tokens: [[UInt8]],
    _ generator: inout SeededGenerator
  ) -> [UInt8] {
    switch Int.random(in: 0..<80, using: &generator) {
    case 0: return Frames.enhanced(number, to: [1, 2, 3])
    case 1: return Frames.enhanced(number, to: MagicToken(kind: .refuse, code: 10).token())
    case 2: return Frames.enhanced(number, to: MagicToken(kind: .offline, code: 1).token())
    case 3: return Frames.enhanced(number, to: MagicToken(kind: .uninstalled, code: 0).token())
    case 4: return Frames.enhanced(number, payload: String(repeating: "x", count: 400))
    case 5: return Frames.simple(to: tokens[0])
    case 6: return Frames.enhanced(number, to: Frames.unknown)
    case 7: return Frames.enhanced(number, to: tokens[0], payload: #"{"aps":}"#)
    default: return Frames.enhanced(number, to: tokens[Int.random(in: 0..<tokens.count, using: &generator)])
    }
  }

  private static func steer(_ test: TestServer, _ generator: inout SeededGenerator) async throws {
    let app = AppKey(topic: TestServer.topic, environment: .production)
    let commands: [Command] = [
      .advanceClock(.seconds(Int64.random(in: 1...40, using: &generator))),
      .setOnline(device: "offline", Bool.random(using: &generator)),
      .setInstalled(device: "removed", app: nil, Bool.random(using: &generator)),
      .freezeClock, .resumeClock,
      .putDevice(DeviceSpecification(name: "new", apps: [AppSpecification(app: app)])),
      .removeDevice("nobody"), .rotateTokens(device: "new", app: nil),
      .rotateTokens(device: "online", app: app),
      .changeDevice(DeviceChange(device: "new", isOnline: false, languages: ["fr"])),
      .changeDevice(
        DeviceChange(
          device: "new",
          apps: .one(topic: "com.example.second", environment: .sandbox, .init(isInstalled: true))
        )
      ),
      .changeDevice(DeviceChange(device: "new", apps: .every(.init(token: .issued, isInstalled: false)))),
      .changeDevice(DeviceChange(device: "new", apps: .exactly([AppSpecification(app: app)]))),
      .addFeedback(FeedbackSpecification(subject: .device("online"), app: app, moment: .after(.seconds(3)))),
      .addRule(Rule(name: "added", times: 1, action: .reply(Reply(status: .invalidToken)))),
    ]
    guard let command = commands.randomElement(using: &generator) else { return }
    try? test.simulator.perform(command, at: now())
    await Task.yield()
  }
}

/// The journal of a replay, in memory.
private final class JournalBytes: JournalRecorder, @unchecked Sendable {
  private var bytes: [UInt8] = []
  func record(_ lines: UnsafeRawBufferPointer) { bytes.append(contentsOf: lines) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
