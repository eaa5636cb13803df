import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `Redaction of bytes that were cut anywhere` {
  private static let secret = Array("SECRETSECRETSECRETSECRETSECRET!!".utf8)
  private static let start = Timestamp(seconds: 1_338_508_800)

  private static func id(_ number: Int) -> ConnectionID { ConnectionID(rawValue: UInt32(number)) }

  /// A capture of connections at once, each of them cut, and closed at the end.
  private static func capture(
    _ listener: Listener,
    _ streams: [[UInt8]],
    _ cuts: Cuts,
    gapBefore gap: Int? = nil
  ) -> [UInt8] {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "x")
    header.start = start
    var writer = CaptureWriter(header)
    func write(_ kind: CaptureEntry.Kind) { writer.write(CaptureEntry(time: start, kind: kind)) }
    for number in streams.indices {
      let topic = "com.example.app"
      let provider = ProviderIdentity(topics: [topic], environment: .production, subject: "UID=\(topic)")
      write(
        .connectionOpened(
          CapturedConnection(id: id(number + 1), listener: listener, peer: "", provider: provider)
        )
      )
    }
    let pieces = streams.map { cuts.pieces(of: $0) }
    for place in 0..<(pieces.map(\.count).max() ?? 0) {
      for number in pieces.indices where place < pieces[number].count {
        let bytes = Array(pieces[number][place])
        if place == gap {
          write(.bytesMissing(id(number + 1), listener == .gateway ? .in : .out, count: 7))
        }
        write(
          listener == .gateway
            ? .bytesIn(id(number + 1), bytes, dropped: 0, notification: nil)
            : .bytesOut(id(number + 1), bytes)
        )
      }
    }
    for number in streams.indices { write(.connectionClosed(id(number + 1), .peerClosed)) }
    return writer.takeLines()
  }

  private static func redacted(_ capture: [UInt8], holding most: Int = 16 << 20) -> [UInt8] {
    var redactor = CaptureRedactor(Redaction.pseudonyms, holding: most)
    var output: [UInt8] = []
    for line in capture.split(separator: 0x0A) {
      Array(line).withUnsafeBytes { redactor.redact($0, into: &output) }
    }
    redactor.finish(into: &output)
    return output
  }

  /// The lines that redaction leaves unchanged, and the bytes of each connection.
  private static func read(_ capture: [UInt8]) throws -> (lines: [String], bytes: [ConnectionID: [UInt8]]) {
    let reader = try CaptureReader(name: "x", bytes: capture)
    var lines: [String] = []
    var bytes: [ConnectionID: [UInt8]] = [:]
    while let entry = reader.next() {
      switch entry.kind {
      case .bytesIn(let id, let more, _, _), .bytesOut(let id, let more):
        bytes[id, default: []] += more
        lines.append("\(entry.seq) \(id) \(more.count)")
      default: lines.append("\(entry.seq) \(entry.kind)")
      }
    }
    #expect(reader.damage == nil)
    return (lines, bytes)
  }

  private static func verdicts(_ capture: [UInt8]) throws -> [String] {
    var seen: [String] = []
    let result = try Replay(CaptureReader(name: "x", bytes: capture)).run(observe: {
      seen.append("\($0.connection) \($0.verdict.outcome) \($0.verdict.status) \($0.answer)")
    })
    #expect(result.damage == nil)
    return seen
  }

  private static func hasSecret(_ bytes: [UInt8]) -> Bool {
    bytes.firstRange(of: Array("SECRET".utf8)) != nil
  }

  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func `redaction comes to the same bytes and verdicts, in the same lines, and leaves no secret`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let streams = (0..<3).map { _ in Redaction.stream(Self.secret, &generator) }
    let whole = try Self.read(Self.redacted(Self.capture(.gateway, streams, .whole))).bytes
    for cuts in Cuts.all {
      let capture = Self.capture(.gateway, streams, cuts)
      let redacted = Self.redacted(capture)
      let (lines, bytes) = try Self.read(redacted)
      #expect(try lines == Self.read(capture).lines)
      #expect(bytes == whole, "\(cuts)")
      #expect(bytes.values.allSatisfy { !Self.hasSecret($0) }, "\(cuts)")
      #expect(try Self.verdicts(redacted) == Self.verdicts(capture), "\(cuts)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `redaction leaves nothing after a gap, and the verdicts before it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let streams = (0..<2).map { _ in Redaction.stream(Self.secret, &generator) }
    for gap in 1...5 {
      let capture = Self.capture(.gateway, streams, .seeded(seed), gapBefore: gap)
      let redacted = Self.redacted(capture)
      let (lines, bytes) = try Self.read(redacted)
      #expect(try lines == Self.read(capture).lines)
      #expect(bytes.values.allSatisfy { !Self.hasSecret($0) })
      #expect(try Self.verdicts(redacted) == Self.verdicts(capture))
    }
  }

  @Test(arguments: Cuts.all)
  func `redaction makes pseudonyms of tuples, of one that breaks off the beginning of its pseudonym`(
    cuts: Cuts
  ) throws {
    let tokens = [Self.secret, [1, 2, 3], [], MagicToken(kind: .offline, code: 3).token(), Self.secret]
    func tuples(_ make: ([UInt8]) -> [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = []
      for (number, token) in tokens.enumerated() {
        FeedbackTuple(timestamp: UInt32(number), token: make(token)).encode(into: &bytes)
      }
      return bytes
    }
    let plain = tuples { $0 }
    let expected = tuples { Redaction.pseudonyms.of($0, length: $0.count) }
    for missing in [0, 1, 20, 31, 32, 35] {
      let capture = Self.capture(.feedback, [Array(plain.dropLast(missing))], cuts)
      let bytes = try Self.read(Self.redacted(capture)).bytes[Self.id(1)] ?? []
      #expect(bytes == Array(expected.dropLast(missing)), "\(missing)")
      #expect(!Self.hasSecret(bytes))
    }
    let broken = Self.capture(.feedback, [plain], .everyByte, gapBefore: 50)
    let bytes = try Self.read(Self.redacted(broken)).bytes[Self.id(1)] ?? []
    #expect(bytes == expected[..<50] + [UInt8](repeating: 0xFF, count: plain.count - 50))
  }

  @Test func `redaction keeps of a gateway's answer an error response and no more`() throws {
    let response = ErrorResponse(status: .invalidToken, identifier: NotificationIdentifier(rawValue: 7)).bytes
    func kept(_ answer: [UInt8]) throws -> [UInt8]? {
      var writer = CaptureWriter(CaptureHeader())
      let provider = ProviderIdentity(topics: ["x"], environment: .production, subject: "UID=com.example.app")
      let connection = CapturedConnection(id: Self.id(1), listener: .gateway, peer: "", provider: provider)
      writer.write(CaptureEntry(time: Self.start, kind: .connectionOpened(connection)))
      for byte in answer { writer.write(CaptureEntry(time: Self.start, kind: .bytesOut(Self.id(1), [byte]))) }
      return try Self.read(Self.redacted(writer.takeLines())).bytes[Self.id(1)]
    }
    #expect(try kept(response) == response)
    #expect(try kept(response + [1, 2]) == response + [0xFF, 0xFF])
    #expect(try kept(Array("SEC".utf8)) == [0xFF, 0xFF, 0xFF])
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `redaction holds back so many lines and no more, and tells them in their order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let streams = (0..<3).map { _ in Redaction.stream(Self.secret, &generator) }
    let capture = Self.capture(.gateway, streams, .everyByte)
    let (lines, bytes) = try Self.read(Self.redacted(capture, holding: 1000))
    #expect(try lines == Self.read(capture).lines)
    #expect(bytes.values.allSatisfy { !Self.hasSecret($0) })
    var redactor = CaptureRedactor(Redaction.pseudonyms, holding: 1000)
    var (taken, output) = (0, [UInt8]())
    for line in capture.split(separator: 0x0A) {
      Array(line).withUnsafeBytes { redactor.redact($0, into: &output) }
      taken += line.count + 1
      #expect(taken < output.count + 2000)
    }
  }

  @Test(arguments: [1, 6, 20, 38, 50, 75])
  func `a redacted feedback list that a fault cut short is replayed exactly`(count: Int) throws {
    let app = AppKey(topic: "com.example.app", environment: .production)
    var scenario = Scenario()
    scenario.clock = .virtual(start: Self.start)
    scenario.feedback = (0..<2).map { number in
      let token = Array(Self.secret.dropLast()) + [UInt8(number)]
      return FeedbackSpecification(subject: .token(token), app: app, moment: .at(Timestamp(seconds: 1)))
    }
    var when = RuleMatch()
    when.listener = .feedback
    scenario.rules = [Rule(when: when, action: .fault(.feedbackTruncate(count)))]
    let simulator = try Simulator(scenario: scenario, seed: 1, start: Self.start)
    let journal = MemoryJournal(simulator)
    let provider = ProviderIdentity(
      topics: [app.topic],
      environment: .production,
      subject: "UID=com.example.app"
    )
    let opening = ConnectionOpening(peer: "", provider: provider)
    let connection = try simulator.openFeedback(opening, at: Self.start)
    while !connection.nextChunk(maximumBytes: 10, at: Self.start).isEmpty {}
    connection.closed(.simulatorClosed, at: Self.start)
    let redacted = Self.redacted(Array(journal.text.utf8))
    #expect(try !Self.read(redacted).bytes.values.contains { Self.hasSecret($0) })
    let result = try Replay(CaptureReader(name: "x", bytes: redacted)).run(observe: { _ in })
    #expect(result.comparesJournal && result.isSame, "\(String(describing: result.firstDifference))")
  }
}
