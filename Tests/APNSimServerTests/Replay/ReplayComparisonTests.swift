import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `What a replay compares` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let app = AppKey(topic: "com.example.app", environment: .production)
  private static let provider = ProviderIdentity(topics: [app.topic], environment: .production, subject: "")

  /// The journal of providers that wrote this, a connection each.
  private static func journal(
    _ streams: [[UInt8]],
    _ configuration: Configuration = Configuration()
  ) throws -> String {
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    let simulator = try Simulator(configuration: configuration, scenario: scenario, seed: 1, start: start)
    let journal = MemoryJournal(simulator)
    for stream in streams {
      let connection = try simulator.openGateway(
        ConnectionOpening(peer: "127.0.0.1:1", provider: provider),
        at: start
      )
      _ = stream.withUnsafeBytes { connection.receive($0, at: start) }
      connection.closed(.peerClosed, at: start)
    }
    return journal.text
  }

  /// A capture of packets on one connection.
  private static func packets(
    _ kinds: [CaptureEntry.Kind],
    areAnswersSeen: Bool = false
  ) throws -> CaptureReader {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "night.pcap")
    header.start = start
    var writer = CaptureWriter(header)
    var opened = CapturedConnection(id: first, listener: .gateway, peer: "", provider: provider)
    opened.areAnswersSeen = areAnswersSeen
    for kind in [.connectionOpened(opened)] + kinds { writer.write(CaptureEntry(time: start, kind: kind)) }
    return try CaptureReader(name: "night", bytes: writer.takeLines())
  }

  private static let first = ConnectionID(rawValue: 1)
  private static let refused = CaptureEntry.Kind.bytesIn(
    first,
    Frames.enhanced(3, to: [1, 2, 3]),
    dropped: 0,
    notification: nil
  )

  private func reader(_ journal: String) throws -> CaptureReader {
    try CaptureReader(name: "journal", bytes: Array(journal.utf8))
  }

  @Test func `a line may have more frames than the history keeps`() throws {
    let frames = [UInt8](repeating: 0, count: 5 * 100_001)
    let reader = try Self.packets([.bytesIn(Self.first, frames, dropped: 0, notification: nil)])
    let result = try Replay(reader).run()
    #expect(result.notifications == 100_001)
    #expect(result.outcomes == [.rejected: 1, .discarded: 100_000])
  }

  @Test func `what came on a connection that was open before counts, and is not compared`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    scenario.rules = [Rule(times: 1, action: .fault(.swallow))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: Self.provider)
    let older = try simulator.openGateway(opening, at: Self.start)
    try simulator.perform(.reset, at: Self.start)
    let journal = MemoryJournal(simulator)
    let newer = try simulator.openGateway(opening, at: Self.start)
    for (number, connection) in [older, newer, older].enumerated() {
      let frame = Frames.enhanced(UInt32(number))
      _ = frame.withUnsafeBytes { connection.receive($0, at: Self.start) }
    }
    newer.closed(.peerClosed, at: Self.start)
    older.closed(.peerClosed, at: Self.start)
    var seen: [String] = []
    let result = try Replay(reader(journal.text)).run(observe: {
      seen.append("\($0.connection) \($0.verdict.outcome) \($0.isCompared)")
    })
    #expect(seen == ["c1 dropped false", "c2 delivered true", "c1 delivered false"])
    #expect(result.isSame && result.notifications == 3 && result.uncompared[.gaps] == 1, "\(result)")
  }

  @Test func `a recording that is cut off between any two lines is the same as far as it goes`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    scenario.rules = [Rule(times: 1, action: .fault(.reset(.afterBytes(60))))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    for tokens in [[32, 32, 32], [32, 3, 32], [3]] as [[Int]] {
      let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: Self.provider)
      let connection = try simulator.openGateway(opening, at: Self.start)
      let frames = tokens.flatMap { Frames.enhanced(7, to: [UInt8](repeating: 1, count: $0)) }
      _ = frames.withUnsafeBytes { connection.receive($0, at: Self.start) }
      connection.closed(.reset, at: Self.start)
    }
    #expect(journal.text.contains(#""reason":"reset","by":"service","#))
    let lines = journal.text.split(separator: "\n").map(String.init)
    for count in 1...lines.count {
      let result = try Replay(reader(lines.prefix(count).joined(separator: "\n") + "\n")).run()
      #expect(result.isSame && result.comparesJournal, "\(count): \(result)")
    }
  }

  @Test func `the silence of a gateway is an answer where it was seen`() throws {
    let kinds = [Self.refused, .connectionClosed(Self.first, .peerClosed)]
    let unseen = try Replay(Self.packets(kinds)).run()
    #expect(unseen.isSame && !unseen.hasRecordedAnswers && unseen.uncompared[.unseen] == 1)
    let seen = try Replay(Self.packets(kinds, areAnswersSeen: true)).run()
    #expect(seen.differences == 1 && seen.firstDifference?.recorded == [])
    #expect(seen.firstDifference?.replayed == [8, 5, 0, 0, 0, 3])
    // More may have come on a connection that outlasts the capture.
    let open = try Replay(Self.packets([Self.refused], areAnswersSeen: true)).run()
    #expect(open.isSame && open.uncompared[.open] == 1 && !open.comparesEverything)
  }

  @Test func `a connection of which only one way was recorded is not compared, whatever others have`() throws
  {
    let second = ConnectionID(rawValue: 2)
    var opened = CapturedConnection(id: second, listener: .gateway, peer: "", provider: Self.provider)
    opened.areAnswersSeen = true
    let kinds: [CaptureEntry.Kind] = [
      Self.refused, .connectionClosed(Self.first, .peerClosed), .connectionOpened(opened),
      .bytesIn(second, Frames.enhanced(3), dropped: 0, notification: nil),
      .connectionClosed(second, .peerClosed),
    ]
    let result = try Replay(Self.packets(kinds)).run()
    #expect(result.isSame && result.hasRecordedAnswers && result.uncompared[.unseen] == 1, "\(result)")
  }

  @Test func `commands that cannot be carried out in another situation are counted`() throws {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    let device = DeviceSpecification(name: "bob", isOnline: true, apps: [], languages: [])
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    try simulator.perform(.putDevice(device), at: Self.start)
    try simulator.perform(.removeDevice("bob"), at: Self.start)
    try? simulator.perform(.removeDevice("bob"), at: Self.start)
    let lines = journal.text.split(separator: "\n").map(String.init)
    var options = ReplayOptions()
    options.settings = [SettingAssignment(name: "keep", text: "1000")]
    // The one that failed when it was recorded is no news.
    let whole = try Replay(reader(lines.joined(separator: "\n")), options: options).run()
    #expect(whole.commands.failed == 0)
    let without = lines.filter { !$0.contains("device.add") }
    let result = try Replay(reader(renumbered(without).joined(separator: "\n")), options: options).run()
    #expect(result.commands.failed == 1 && result.commands.firstFailure?.contains("bob") == true, "\(result)")
  }

  @Test func `a chosen scenario's settings go before the recorded ones, and what was asked for before both`()
    throws
  {
    let journal = try Self.journal([Frames.enhanced(1)])
    var options = ReplayOptions()
    options.scenario = Scenario()
    options.scenario?.settings = [
      SettingAssignment(name: "commands", text: "0"), SettingAssignment(name: "keep", text: "1000"),
    ]
    let replay = try Replay(reader(journal), options: options)
    #expect(replay.simulator.configuration.limits.keep == 100_000)
    #expect(replay.run().outcomes == [.rejected: 1])
    options.settings = [SettingAssignment(name: "commands", text: "0,1")]
    #expect(try Replay(reader(journal), options: options).run().outcomes == [.delivered: 1])
  }

  @Test func `a replay compares every notification, however small it is and however few are kept`() throws {
    var configuration = Configuration()
    configuration.limits.keep = 1000
    let payload = Array(#"{"aps":{}}"#.utf8)
    let small = [0, 0, 32] + [UInt8](repeating: 7, count: 32) + [0, UInt8(payload.count)] + payload
    let discarded = [UInt8]([0, 0, 0]) + [UInt8](repeating: 0, count: 60_000)
    let journal = try Self.journal([(0..<5000).flatMap { _ in small } + discarded], configuration)
    for edition in ["guide", "final"] {
      var options = ReplayOptions()
      if edition == "final" { options.settings = [SettingAssignment(name: "edition", text: edition)] }
      for isLooked in [false, true] {
        var seen: UInt64 = 0
        let result = try Replay(reader(journal), options: options).run(
          observe: isLooked ? { _ in seen += 1 } : nil
        )
        #expect(result.outcomes[.delivered] == 5000)
        #expect(result.notifications > 16_000)
        #expect(!isLooked || seen == result.notifications)
      }
    }
  }

  @Test func `a replay compares the same whether or not anybody looks at the notifications`() throws {
    let journal = try Self.journal([Frames.many(5, bad: nil), Frames.enhanced(6, to: [1])])
    var stored = ReplayOptions()
    stored.scenario = Scenario()
    stored.scenario?.devices = [
      DeviceSpecification(
        name: "bob",
        isOnline: false,
        apps: [AppSpecification(app: Self.app, token: Frames.online)]
      )
    ]
    let other = journal.replacing(#""outcome":"delivered""#, with: #""outcome":"stored""#, maxReplacements: 2)
    for (journal, options, expected) in [
      (journal, ReplayOptions(), 0), (journal, stored, 5), (other, ReplayOptions(), 1), (other, stored, 3),
    ] {
      let listed = try Replay(reader(journal), options: options).run(observe: { _ in })
      let counted = try Replay(reader(journal), options: options).run()
      #expect(listed.differences == expected && counted.differences == expected)
      #expect(listed.firstDifference?.kind == counted.firstDifference?.kind)
      #expect(listed.outcomes == counted.outcomes)
    }
  }

  @Test func `what is to be sent again has the capture's numbers, as its verdict has`() throws {
    let simple = Frames.simple() + Frames.simple() + Frames.simple()
    var options = ReplayOptions()
    options.settings = [SettingAssignment(name: "commands", text: "1")]
    var verdicts: [UInt64] = []
    let result = try Replay(reader(Self.journal([simple, simple])), options: options)
      .run(observe: { verdicts.append($0.number) })
    #expect(verdicts == [1, 4])
    #expect(result.resends.map(\.resend.failed) == [[.number(1)], [.number(4)]])
  }

  @Test(arguments: [
    Reply(status: .invalidToken, delay: .milliseconds(300)),
    Reply(status: .shutdown, delay: .milliseconds(300)),
    Reply(status: .invalidToken, delay: .milliseconds(300), packet: .init(byteCount: 3), resets: true),
  ])
  func `an answer that was due later is there when its connection ends`(_ reply: Reply) throws {
    var scenario = Scenario()
    scenario.clock = .real
    scenario.rules = [Rule(when: RuleMatch(), action: .reply(reply))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    let connection = try simulator.openGateway(
      ConnectionOpening(peer: "127.0.0.1:1", provider: Self.provider),
      at: Self.start
    )
    _ = Frames.enhanced(1).withUnsafeBytes { connection.receive($0, at: Self.start) }
    connection.closed(.simulatorClosed, at: Self.start + .milliseconds(301))
    #expect(journal.text.contains(#""event":"errorSent""#))
    let result = try Replay(reader(journal.text)).run()
    #expect(result.isSame && result.comparesJournal, "\(String(describing: result.firstDifference))")
  }

  /// The lines with numbers that go on from 1.
  private func renumbered(_ lines: [String]) -> [String] {
    lines.enumerated().map { place, line in
      place == 0 ? line : line.replacing(/^\{"seq":[0-9]+/, with: "{\"seq\":\(place)")
    }
  }

  @Test func `lines that are missing are named, and nothing after them is held against the replay`() throws {
    let journal = try Self.journal([
      Frames.many(3, bad: nil), Frames.enhanced(6, to: [1]), Frames.enhanced(7, to: [1]),
    ])
    let lines = journal.split(separator: "\n").map(String.init)
    for isLooked in [false, true] {
      for first in 1..<lines.count - 1 {
        for count in 1...min(4, lines.count - 1 - first) {
          var left = lines
          left.removeSubrange(first..<first + count)
          let result = try Replay(reader(left.joined(separator: "\n"))).run(
            observe: isLooked ? { #expect($0.isSame) } : nil
          )
          // Of lines that are missing at the end nothing tells.
          guard first + count < lines.count else { continue }
          #expect(result.isSame && !result.comparesJournal && result.gaps.count == 1)
          let gap = CaptureGap(line: first + 1, expected: UInt64(first), found: UInt64(first + count))
          #expect(result.gaps.places == [gap])
        }
      }
    }
    #expect(CaptureGap(line: 5, expected: 4, found: 5).description == "event 4 is missing")
    #expect(CaptureGap(line: 5, expected: 42, found: 45).description == "events 42 to 44 are missing")
  }

  @Test func `a difference before missing lines is one`() throws {
    let journal = try Self.journal([Frames.enhanced(6, to: [1]), Frames.many(3, bad: nil)])
    var lines = journal.split(separator: "\n").map(String.init)
    lines.remove(at: lines.count - 2)
    let answer = try #require(lines.firstIndex { $0.contains("errorSent") })
    lines[answer].replace(#""status":5"#, with: #""status":6"#)
    let result = try Replay(reader(lines.joined(separator: "\n"))).run()
    #expect(result.differences == 1 && result.firstDifference?.kind == .journal && result.gaps.count == 1)
  }

  @Test func `lines in another order are said to be, not to differ`() throws {
    let journal = try Self.journal([Frames.many(12, bad: nil)])
    let lines = journal.split(separator: "\n").map(String.init)
    let sorted = [lines[0]] + lines.dropFirst().sorted()
    let result = try Replay(reader(sorted.joined(separator: "\n"))).run()
    #expect(result.isSame && result.gaps.count > 1)
    #expect(
      CaptureGap(line: 9, expected: 16, found: 2).description
        == "event 2 comes after event 15: the lines are out of order"
    )
  }

  @Test func `a key that nobody knows ends the comparison of lines, and is named`() throws {
    let journal = try Self.journal([Frames.many(3, bad: nil), Frames.enhanced(1, to: [1])])
    let lines = journal.split(separator: "\n").map(String.init)
    for place in lines.indices {
      var changed = lines
      changed[place].removeLast()
      changed[place] += #","colour":{"red":1}}"#
      let result = try Replay(reader(changed.joined(separator: "\n"))).run()
      #expect(result.isSame && !result.comparesJournal && result.unknownKeys == ["colour": 1], "\(place)")
    }
    let setting = journal.replacing(#""settings":{"#, with: #""settings":{"colour":"red","#)
    try #require(setting != journal)
    let result = try Replay(reader(setting)).run()
    #expect(result.isSame && !result.comparesJournal && result.unknownKeys == ["settings.colour": 1])
  }

  @Test func `a replay compares verdicts and answers, not lines, after an event that nobody knows`() throws {
    let journal = try Self.journal([Frames.many(3, bad: nil), Frames.many(3, bad: nil)])
    var lines = journal.split(separator: "\n").map(String.init)
    let second = try #require(lines.lastIndex { $0.contains(#""connectionOpened""#) })
    let later = #"{"seq":99,"time":"2012-06-01T00:00:00.000Z","event":"moonPhase","phase":1}"#
    lines.insert(later, at: second)
    lines = renumbered(lines)
    let result = try Replay(reader(lines.joined(separator: "\n"))).run()
    #expect(result.isSame && !result.comparesJournal && result.unknownEvents == ["moonPhase": 1])
    #expect(result.unknownKeys.isEmpty)
    for (place, kind) in [(second - 2, ReplayDifference.Kind.journal), (second + 2, .verdict)] {
      var changed = lines
      changed[place].replace(#""outcome":"delivered""#, with: #""outcome":"stored""#)
      try #require(changed != lines)
      let result = try Replay(reader(changed.joined(separator: "\n"))).run()
      #expect(result.differences == 1 && result.firstDifference?.kind == kind)
    }
  }

  @Test func `a command that nobody knows ends the comparison of lines as well`() throws {
    var lines = try Self.journal([Frames.many(3, bad: nil)]).split(separator: "\n").map(String.init)
    lines.insert(
      #"{"seq":99,"time":"2012-06-01T00:00:00.000Z","event":"command","do":{"moon.rise":"x"}}"#,
      at: 1
    )
    let result = try Replay(reader(renumbered(lines).joined(separator: "\n"))).run()
    #expect(result.isSame && !result.comparesJournal && result.commands.unknown == 1)
    #expect(
      result.commands.firstUnknown?.hasSuffix(#":2: /moon.rise: unknown command "moon.rise""#) ?? false,
      "\(result)"
    )
  }

  @Test func `the journal of a redacted capture's replay says that it is redacted`() throws {
    let recorded = try Self.journal([Frames.enhanced(1)])
      .replacing(#""version":1,"#, with: #""version":1,"redacted":true,"#, maxReplacements: 1)
    let text = TextRecorder()
    let replay = try Replay(reader(recorded))
    replay.record(to: text)
    let result = replay.run()
    #expect(result.isSame && result.comparesJournal)
    #expect(text.text == recorded)
  }

  @Test func `a gateway that is seen to end a connection and says nothing has said nothing`() throws {
    for (reason, differences) in [(ClosingReason.simulatorClosed, 1), (.peerClosed, 0)] {
      let result = try Replay(Self.packets([Self.refused, .connectionClosed(Self.first, reason)])).run()
      #expect(result.differences == differences && result.hasRecordedAnswers == (differences > 0))
      #expect(result.firstDifference?.replayed == (differences > 0 ? [8, 5, 0, 0, 0, 3] : nil))
    }
  }

  @Test func `a connection of which bytes are missing is counted, not compared`() throws {
    let end = CaptureEntry.Kind.connectionClosed(Self.first, .simulatorClosed)
    let provider = try Replay(Self.packets([.bytesMissing(Self.first, .in, count: 70), Self.refused, end]))
      .run()
    #expect(provider.isSame && provider.uncompared[.gaps] == 1)
    #expect(provider.missingBytes == 70 && provider.missingAnswerBytes == 0)
    let gateway = try Replay(Self.packets([Self.refused, .bytesMissing(Self.first, .out, count: 6), end]))
      .run()
    #expect(gateway.isSame && gateway.uncompared[.gaps] == 1 && gateway.outcomes == [.rejected: 1])
    #expect(gateway.missingBytes == 0 && gateway.missingAnswerBytes == 6)
  }

  @Test func `what becomes of the frames that were found again after a gap is judged`() throws {
    let resumed: [CaptureEntry.Kind] = [
      .bytesMissing(Self.first, .in, count: 0),
      .bytesIn(Self.first, [1, 2, 3], dropped: 0, notification: nil),
      .framesFound(Self.first),
    ]
    let good = CaptureEntry.Kind.bytesIn(Self.first, Frames.many(2, bad: nil), dropped: 0, notification: nil)
    let again: [CaptureEntry.Kind] = [.bytesMissing(Self.first, .in, count: 5), .framesFound(Self.first)]
    let result = try Replay(Self.packets(resumed + [good, Self.refused] + again + [good])).run()
    #expect(result.outcomes == [.delivered: 4, .rejected: 1] && result.connections == 1)
    #expect(result.isSame && result.uncompared[.gaps] == 1 && result.missingBytes == 5)
    // A gap after which no frame was found has nothing to judge.
    let lost = try Replay(Self.packets(resumed.dropLast() + [good])).run()
    #expect(lost.notifications == 0 && lost.uncompared[.gaps] == 1)
  }

  @Test func `what becomes of a connection that the capture does not begin is judged`() throws {
    let journal = try Self.journal([Frames.many(3, bad: nil), Frames.enhanced(1, to: [1])])
    let lines = journal.split(separator: "\n").map(String.init)
    let text = [lines[0].replacing(#""edition""#, with: #""completeFrom":2,"edition""#)] + lines.dropFirst(2)
    let replay = try Replay(reader(text.joined(separator: "\n")))
    let result = replay.run()
    #expect(!replay.isExact && result.isSame && result.uncompared[.gaps] == 1)
    #expect(result.connections == 2 && result.outcomes == [.delivered: 3, .rejected: 1])
    #expect(result.missingBytes == 0)
  }
}

/// A journal in memory.
private final class TextRecorder: JournalRecorder, @unchecked Sendable {
  private(set) var text = ""
  func record(_ lines: UnsafeRawBufferPointer) { text += String(decoding: lines, as: UTF8.self) }
}
