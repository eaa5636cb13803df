import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `A replay compares who ended a connection` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let id = ConnectionID(rawValue: 1)

  /// A capture of packets: one frame on one connection, another one so many milliseconds later, and so many milliseconds
  /// after the first one its end or the capture's.
  private func replay(
    _ frame: [UInt8],
    answer: [UInt8] = [],
    _ reason: ClosingReason?,
    byService: Bool = false,
    after silence: Int64 = 1000,
    areAnswersSeen: Bool = true,
    more: (frame: [UInt8], after: Int64)? = nil,
    rule: String? = nil
  ) throws -> ReplayResult {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "night.pcap")
    header.start = Self.start
    var writer = CaptureWriter(header)
    let provider = ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
    var opened = CapturedConnection(id: Self.id, listener: .gateway, peer: "", provider: provider)
    opened.areAnswersSeen = areAnswersSeen
    let end = Self.start + .milliseconds(silence)
    var entries = [
      CaptureEntry(time: Self.start, kind: .connectionOpened(opened)),
      CaptureEntry(time: Self.start, kind: .bytesIn(Self.id, frame, dropped: 0, notification: nil)),
    ]
    if !answer.isEmpty { entries.append(CaptureEntry(time: Self.start, kind: .bytesOut(Self.id, answer))) }
    if let more {
      let kind = CaptureEntry.Kind.bytesIn(Self.id, more.frame, dropped: 0, notification: nil)
      entries.append(CaptureEntry(time: Self.start + .milliseconds(more.after), kind: kind))
    }
    if let reason {
      entries.append(CaptureEntry(time: end, kind: .connectionClosed(Self.id, reason, byService: byService)))
    } else {
      var other = opened
      other.id = ConnectionID(rawValue: 2)
      entries.append(CaptureEntry(time: end, kind: .connectionOpened(other)))
    }
    for entry in entries { writer.write(entry) }
    var options = ReplayOptions()
    if let rule { options.scenario = try ScenarioFile.parse("rules: [\(rule)]", name: "test.yaml") }
    return try Replay(CaptureReader(name: "night", bytes: writer.takeLines()), options: options).run()
  }

  @Test func `frames that are found again do not come before what another connection had sent`() throws {
    let frame = Base64.encode(NativeCapture.frame(9))
    let provider = #""listener":"gateway","provider":{"topic":"com.example.app"},"answersSeen":true"#
    let lines = [
      #"{"apnsim":"journal","version":1,"source":{"kind":"pcap","name":"x"}}"#,
      #"{"seq":1,"time":"2012-06-01T00:00:00Z","event":"connectionOpened","connection":"c1",\#(provider)}"#,
      #"{"seq":2,"time":"2012-06-01T00:00:00Z","event":"bytesMissing","connection":"c1","direction":"in","count":5}"#,
      #"{"seq":3,"time":"2012-06-01T00:00:10Z","event":"connectionOpened","connection":"c2",\#(provider)}"#,
      #"{"seq":4,"time":"2012-06-01T00:01:00Z","event":"bytesIn","connection":"c2","bytes":"AQAAAAd3NZQAAAA="}"#,
      #"{"seq":5,"time":"2012-06-01T00:01:00Z","event":"bytesOut","connection":"c2","bytes":"CAIAAAAH"}"#,
      #"{"seq":6,"time":"2012-06-01T00:01:20Z","event":"framesFound","connection":"c1"}"#,
      #"{"seq":7,"time":"2012-06-01T00:01:20Z","event":"bytesIn","connection":"c1","bytes":"\#(frame)"}"#,
      #"{"seq":8,"time":"2012-06-01T00:01:20Z","event":"connectionClosed","connection":"c2","reason":"simulatorClosed"}"#,
    ]
    var options = ReplayOptions()
    options.scenario = try ScenarioFile.parse("rules: [{ fault: { idleClose: 1m } }]", name: "test.yaml")
    let result = try Replay(NativeCapture.reader(lines), options: options).run()
    #expect(result.differences == 0, "\(difference(result))")
  }

  /// The words about the one difference; empty where there is none.
  private func difference(_ result: ReplayResult) -> String {
    guard let difference = result.firstDifference else { return "" }
    let (recorded, replayed) = (
      String(decoding: difference.recorded, as: UTF8.self),
      String(decoding: difference.replayed, as: UTF8.self)
    )
    return "\(result.differences) \(difference.kind) of \(difference.notification ?? "none"): "
      + "\(recorded), \(replayed)"
  }

  private let good = NativeCapture.frame(1)
  private let bad = NativeCapture.frame(2, to: [1, 2, 3])
  /// Command 0 has no identifier, so that its refusal is an end without a packet.
  private let silent = [UInt8]([0, 0, 3, 1, 2, 3, 0, 2]) + Array("{}".utf8)

  @Test
  func `a replay differs where the recorded gateway refused without a word, and the replayed one did not`()
    throws
  {
    let notEnded = "1 ending of none: ended by the service, not ended by the service"
    #expect(difference(try replay(good, .simulatorClosed)) == notEnded)
    #expect(difference(try replay(silent, .simulatorClosed)) == "")
    #expect(difference(try replay(good, .simulatorClosed, rule: "{ when: {}, fault: close }")) == "")
    #expect(
      difference(try replay(good, .simulatorClosed, rule: "{ when: {}, fault: closeAfterHandshake }")) == ""
    )
    #expect(
      difference(try replay(good, .simulatorClosed, after: 60_000, rule: "{ fault: { idleClose: 1m } }"))
        == ""
    )
    #expect(difference(try replay(good, .simulatorClosed, rule: "{ fault: { stopReading: now } }")) != "")
  }

  @Test func `a reset is an end as well, where it is known to be the service's`() throws {
    let notEnded = "1 ending of none: ended by the service, not ended by the service"
    #expect(difference(try replay(good, .reset, byService: true)) == notEnded)
    #expect(difference(try replay(good, .reset)) == "")
    let rule = "{ when: {}, fault: reset }"
    #expect(difference(try replay(good, .reset, byService: true, rule: rule)) == "")
  }

  @Test func `after an end that the capture does not show, an answer may have been on its way`() throws {
    for reason in [ClosingReason.reset, .failed] {
      let cut = try replay(bad, reason)
      #expect(cut.isSame && cut.uncompared[.open] == 1, "\(cut)")
      #expect(try replay(bad, answer: [8, 5, 0, 0, 0, 2], reason).uncompared[.open] == nil)
      #expect(try !replay(bad, answer: [8, 8, 0, 0, 0, 2], reason).isSame)
    }
    #expect(try !replay(bad, .reset, byService: true).isSame)
  }

  @Test func `an end is not compared where the recorded gateway had a reason of its own`() throws {
    #expect(try !replay(good, .simulatorClosed, after: 2000).isSame)
    #expect(try replay(good, .simulatorClosed, after: 2001).isSame)
    #expect(try replay([], .simulatorClosed, after: 2001).isSame)
  }

  @Test
  func `a replay differs where the replayed gateway refused without a word, and the recorded one did not`()
    throws
  {
    let ended = "ended by the provider, ended by the service"
    #expect(difference(try replay(silent, .peerClosed)) == "1 ending of n1: \(ended)")
    #expect(difference(try replay(good, .peerClosed, rule: "{ when: {}, fault: close }")).hasSuffix(ended))
    #expect(
      difference(try replay(good, .peerClosed, rule: "{ fault: { refuseHandshake: revoked } }")).hasSuffix(
        ended
      )
    )
    #expect(
      difference(try replay(silent, nil))
        == "1 ending of n1: still open at the capture's end, ended by the service"
    )
    #expect(difference(try replay(good, .peerClosed)) == "")
    #expect(difference(try replay(good, nil)) == "")
  }

  @Test func `an end is not compared where nobody was left to see a refusal`() throws {
    for reason in [ClosingReason.peerClosed, nil] {
      #expect(try replay(silent, reason, after: 49).isSame)
      #expect(try !replay(silent, reason, after: 50).isSame)
    }
  }

  @Test(arguments: ["{ fault: { idleClose: 1m } }", "{ fault: { latency: 1m } }"])
  func `an end that was due while nothing came is as old as that`(rule: String) throws {
    let frame = rule.contains("latency") ? silent : good
    let late = (frame: good, after: 180_000 as Int64)
    for reason in [ClosingReason.peerClosed, nil] {
      let text = reason == nil ? "still open at the capture's end" : "ended by the provider"
      let expected = "1 ending of \(rule.contains("latency") ? "n1" : "none"): \(text), ended by the service"
      #expect(difference(try replay(frame, reason, after: 180_001, more: late, rule: rule)) == expected)
      #expect(difference(try replay(frame, reason, after: 180_000, rule: rule)) == expected)
      #expect(difference(try replay(frame, reason, after: 60_049, rule: rule)) == "")
    }
    #expect(difference(try replay(frame, .simulatorClosed, after: 60_000, rule: rule)) == "")
  }

  @Test func `an answer that latency keeps for longer than the provider stays is none`() throws {
    let answer: [UInt8] = [8, 5, 0, 0, 0, 2]
    for rule in ["{ fault: { latency: 2s } }", "{ reply: { status: 5, delay: 2s } }"] {
      let frame = rule.contains("latency") ? bad : good
      for reason in [ClosingReason.peerClosed, .reset] {
        #expect(difference(try replay(frame, reason, after: 1999, rule: rule)) == "", "\(rule)")
      }
      let late = try replay(frame, .peerClosed, after: 2001, rule: rule)
      #expect(late.differences == 1 && late.firstDifference?.kind == .answer, "\(rule)")
      let open = try replay(frame, nil, after: 1999, rule: rule)
      #expect(open.isSame && open.firstDifference == nil, "\(rule)")
      #expect(try !replay(frame, nil, after: 3000, rule: rule).isSame, "\(rule)")
    }
    // The delay of a recorded answer is not compared.
    let slow = "{ fault: { latency: 2s } }"
    for reason in [ClosingReason.peerClosed, .simulatorClosed, nil] {
      #expect(try replay(bad, answer: answer, reason, rule: slow).isSame)
      let other = try replay(bad, answer: [8, 8, 0, 0, 0, 2], reason, rule: slow)
      #expect(other.firstDifference?.kind == .answer)
    }
  }

  @Test func `a provider that wrote after the replay's end says that the recorded service had not ended it`()
    throws
  {
    let rule = "{ fault: { idleClose: 1m } }"
    for reason in [ClosingReason.reset, .failed] {
      let late = (frame: good, after: 60_050 as Int64)
      let expected = "1 ending of none: open when the provider wrote again, ended by the service"
      #expect(difference(try replay(good, reason, after: 60_051, more: late, rule: rule)) == expected)
      let early = (frame: good, after: 60_049 as Int64)
      #expect(try replay(good, reason, after: 90_000, more: early, rule: rule).uncompared[.open] == 1)
    }
    // One that ended it later may have ended it for what came first, of which the provider had not heard.
    for (after, expected) in [(62_000, 0), (62_001, 1)] as [(Int64, Int)] {
      let late = (frame: good, after: after)
      #expect(
        try replay(good, .simulatorClosed, after: 90_000, more: late, rule: rule).differences == expected
      )
    }
    let late = (frame: good, after: 1000 as Int64)
    #expect(try replay(bad, .reset, after: 1001, more: late).firstDifference?.kind == .answer)
  }

  @Test func `an end is not compared where nobody knows who ended the connection`() throws {
    for frame in [good, silent] {
      for reason in [ClosingReason.reset, .failed, .timedOut] { #expect(try replay(frame, reason).isSame) }
    }
    #expect(try replay(silent, .peerClosed, areAnswersSeen: false).isSame)
  }

  @Test func `an end is not compared after an answer, which a provider may end without the service`() throws {
    let answer: [UInt8] = [8, 5, 0, 0, 0, 2]
    for reason in [ClosingReason.peerClosed, .simulatorClosed, nil] {
      #expect(try replay(bad, answer: answer, reason).isSame)
    }
  }

  @Test func `silence is an answer where the capture goes on after it`() throws {
    #expect(try replay(bad, nil, after: 49).isSame)
    let result = try replay(bad, nil)
    #expect(result.differences == 1 && result.firstDifference?.kind == .answer)
    #expect(result.firstDifference?.replayed == [8, 5, 0, 0, 0, 2])
  }

  @Test(arguments: [KillMode.finish, .reset])
  func `the replayed operator ends the connection that the recorded one ended`(how: KillMode) throws {
    let simulator = try Simulator(
      configuration: Configuration(),
      scenario: Scenario(),
      seed: 1,
      start: Self.start
    )
    let journal = MemoryJournal(simulator)
    let provider = ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "CN=x")
    let connections = try (0..<3).map { _ in
      try simulator.openGateway(ConnectionOpening(peer: "127.0.0.1:1", provider: provider), at: Self.start)
    }
    try simulator.perform(.endConnection(connections[2].id, how), at: Self.start)
    connections[2].closed(how == .finish ? .simulatorClosed : .reset, at: Self.start)
    for connection in connections.prefix(2) { connection.closed(.peerClosed, at: Self.start) }
    let lines = journal.text.split(separator: "\n").map(String.init)
    // From the beginning, and from after the first connection's, whose name the second one has in the replay.
    for recording in [lines, NativeCapture.within(lines)] {
      var options = ReplayOptions()
      options.settings = [SettingAssignment(name: "edition", text: "final")]
      let result = try Replay(NativeCapture.reader(recording), options: options).run()
      #expect(
        result.isSame && result.connections == recording.count { $0.contains("connectionOpened") },
        "\(result)"
      )
    }
  }
}
