import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

/// Requests whose streams were reset, recorded by a simulator and imported.
@Suite struct `Streams that are reset` {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let none = ProviderIdentity(topics: [], environment: .production, subject: "")

  private static func scenario(_ fault: Fault?) -> Scenario {
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    if let fault {
      var match = RuleMatch()
      match.nth = .equals(.number("2"))
      scenario.rules = [Rule(when: match, action: .fault(fault))]
    }
    return scenario
  }

  private static func request(_ stream: UInt32) -> ProviderRequest {
    let list = [
      (":method", "POST"), (":path", "/3/device/" + String(repeating: "a1", count: 32)),
      ("apns-topic", "com.example.sim"), ("authorization", ""),
    ]
    return ProviderRequest(
      stream: stream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array("{\"aps\":{}}".utf8),
      authorization: .bearer(
        ProviderTokenFacts(number: 1, keyID: "K", teamID: "T", issuedAt: start.seconds, verdict: .good)
      )
    )
  }

  /// A recording of three requests, of which the fault meets the second.
  private static func recording(_ fault: Fault?) throws -> [String] {
    let simulator = try Simulator(scenario: scenario(fault), seed: 5, start: start)
    let journal = MemoryJournal(simulator)
    let requests = try simulator.openRequests(ConnectionOpening(peer: "a:2", provider: none), at: start)
    for stream in [1, 3, 5] as [UInt32] { _ = requests.receive([request(stream)], at: start) }
    requests.closed(.peerClosed, at: start)
    return journal.text.split(separator: "\n").map(String.init)
  }

  /// An import of the same requests, the second of which the service reset.
  private static func imported(_ code: String) throws -> CaptureReader {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcapng", name: "x")
    var writer = CaptureWriter(header)
    let id = ConnectionID(rawValue: 1)
    var connection = CapturedConnection(id: id, listener: .http2, peer: "", provider: none)
    connection.areAnswersSeen = true
    var kinds: [CaptureEntry.Kind] = [.connectionOpened(connection)]
    for stream in [1, 3, 5] as [UInt32] { kinds.append(.stream(id, .request(request(stream).bytes))) }
    for stream in [1, 5] as [UInt32] {
      kinds.append(.stream(id, .answered(CapturedAnswer(stream: stream, status: 200, id: "A"))))
    }
    kinds.append(.stream(id, .reset(stream: 3, code: code, byService: true)))
    kinds.append(.connectionClosed(id, .peerClosed))
    for kind in kinds { writer.write(CaptureEntry(time: start, kind: kind)) }
    return try CaptureReader(name: "x", bytes: writer.takeLines())
  }

  /// Replays with other rules, and says which streams differ.
  private static func replay(
    _ reader: CaptureReader,
    _ fault: Fault?
  ) throws -> (result: ReplayResult, differing: [UInt32], shown: [UInt32]) {
    var options = ReplayOptions()
    options.scenario = scenario(fault)
    var (differing, shown): ([UInt32], [UInt32]) = ([], [])
    let result = try Replay(reader, options: options).run { notification in
      guard let stream = notification.verdict.request?.stream else { return }
      shown.append(stream)
      if !notification.isSame { differing.append(stream) }
    }
    return (result, differing, shown)
  }

  private static let refused = Fault.resetStream(.refusedStream)

  @Test(arguments: [refused, .resetStream(.internalError), .unanswered(false)])
  func `streams that a recording resets are compared by their code, and with those that are not answered`(
    fault: Fault
  ) throws {
    let recorded = try Self.recording(fault)
    for other in [Self.refused, .resetStream(.internalError), .unanswered(false)] {
      let (result, differing, shown) = try Self.replay(NativeCapture.reader(recorded), other)
      let isSame = fault == other
      #expect(result.isSame == isSame && differing == (isSame ? [] : [3]), "\(other)")
      #expect(result.differences == (isSame ? 0 : 1))
      #expect(shown == [1, 3, 5])
      let digests = try [recorded, Self.recording(other)].map {
        CaptureDigest(try NativeCapture.reader($0))
      }
      let diff = CaptureDiff(digests[0], digests[1], comparesTimes: false, comparesConnections: false)
      #expect(diff.differences.map(\.kind) == (isSame ? [] : [.answer]), "\(other)")
    }
  }

  @Test
  func `streams that an import resets are those that the replay resets, and a row that differs is marked`()
    throws
  {
    let same = try Self.replay(Self.imported("REFUSED_STREAM"), Self.refused)
    #expect(same.result.isSame && same.differing.isEmpty && same.shown == [1, 3, 5])
    let other = try Self.replay(Self.imported("INTERNAL_ERROR"), Self.refused)
    #expect(other.result.differences == 1 && other.differing == [3] && other.shown == [1, 3, 5])
    let none = try Self.replay(Self.imported("REFUSED_STREAM"), nil)
    #expect(none.result.differences == 1 && none.differing == [3])
  }

  @Test func `streams that are reset after GOAWAY are as those above its last stream`() throws {
    let refusing = Fault.goaway(.init(lastStream: .below, then: .refuse))
    let open = Fault.goaway(.init(lastStream: .below, then: .open))
    #expect(try Self.replay(NativeCapture.reader(Self.recording(refusing)), open).result.isSame)
    #expect(try Self.replay(NativeCapture.reader(Self.recording(open)), refusing).result.isSame)
  }
}
