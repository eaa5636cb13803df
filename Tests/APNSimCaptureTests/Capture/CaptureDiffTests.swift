import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `A diff of two captures` {
  private static let names = ["00000001", "00000002", "00000003"]

  /// Frames 1 to 3 to tokens of their own, in an order and with outcomes.
  private func digest(
    _ order: [Int] = [0, 1, 2],
    outcomes: [String] = ["delivered", "delivered", "delivered"],
    connection: Int = 1,
    after: [String] = [],
    answers: [[UInt8]] = [],
    redactedWith key: UInt8? = nil,
    besideRedacted isFilled: Bool = false
  ) throws -> CaptureDigest {
    let time = #""time":"2012-06-01T00:00:00.000Z""#
    var text = #"{"apnsim":"journal","version":1}"# + "\n"
    text +=
      #"{"seq":1,\#(time),"event":"connectionOpened","connection":"c\#(connection)","listener":"gateway","#
      + #""provider":{"topic":"com.example.app"}}"# + "\n"
    for (place, index) in order.enumerated() {
      let payload = Array("{}".utf8)
      let frame: [UInt8] =
        [1, 0, 0, 0, UInt8(index + 1), 0, 0, 0, 0, 0, 32] + [UInt8](repeating: UInt8(index), count: 32) + [
          0, 2,
        ]
        + payload
      var writer = CaptureWriter(CaptureHeader())
      _ = writer.takeLines()
      let kind = CaptureEntry.Kind.bytesIn(
        ConnectionID(rawValue: UInt32(connection)),
        frame,
        dropped: 0,
        notification: nil
      )
      writer.write(CaptureEntry(time: Timestamp(rawValue: 0), kind: kind))
      let line = String(decoding: writer.takeLines(), as: UTF8.self)
      let bytes = line.split(separator: #""bytes":""#)[1].prefix { $0 != "\"" }
      text +=
        #"{"seq":\#(place + 2),\#(time),"event":"notification","id":"n\#(place + 1)","connection":"c\#(connection)","#
        + #""outcome":"\#(outcomes[index])","raw":"\#(bytes)"}"# + "\n"
    }
    for (place, outcome) in after.enumerated() {
      text += #"{"seq":\#(place + 10),\#(time),"event":"\#(outcome)","notification":"n1"}"# + "\n"
    }
    for answer in answers {
      text +=
        #"{"seq":20,\#(time),"event":"bytesOut","connection":"c\#(connection)","bytes":"\#(Base64.encode(answer))"}"#
        + "\n"
    }
    var bytes = Array(text.utf8)
    if let key {
      let redactor = JournalRedactor(TokenPseudonyms { token in token.reversed().map { $0 ^ key } })
      bytes = bytes.withUnsafeBytes { redactor.redact($0) } + redactor.finish()
    }
    let file = try TemporaryFile(bytes)
    return CaptureDigest(try CaptureReader(path: file.path), isFilled: isFilled || key != nil)
  }

  private func kinds(
    _ a: CaptureDigest,
    _ b: CaptureDigest,
    connections: Bool = false
  ) -> [CaptureDiff.Kind] {
    CaptureDiff(a, b, comparesTimes: false, comparesConnections: connections).differences.map(\.kind)
  }

  @Test func `a diff sees error responses in whatever pieces they came`() throws {
    let (one, other): ([UInt8], [UInt8]) = ([8, 8, 0, 0, 0, 7], [8, 5, 0, 0, 0, 7])
    let cuts = [[one], [[8], Array(one[1...])], [Array(one[..<3]), Array(one[3...])], one.map { [$0] }]
    for answers in cuts {
      #expect(try kinds(digest(answers: [one]), digest(answers: answers)) == [])
      #expect(try kinds(digest(), digest(answers: answers)).count == 1)
      #expect(try !kinds(digest(answers: answers), digest(answers: [[8], Array(other[1...])])).isEmpty)
    }
    #expect(try kinds(digest(answers: [one, other]), digest(answers: [one + other])) == [])
    // Cut short, it is none that a client could read.
    let cut = Array(one.prefix(4))
    #expect(try kinds(digest(), digest(answers: [cut])) == [.errorOnlyInB])
    #expect(try kinds(digest(answers: [one]), digest(answers: [cut])) == [.errorOnlyInA, .errorOnlyInB])
    #expect(try kinds(digest(answers: [cut]), digest(answers: [[8], Array(cut[1...])])) == [])
  }

  @Test func `a diff finds nothing between a capture and itself on another connection`() throws {
    #expect(try kinds(digest(), digest(connection: 7)) == [])
    #expect(
      try kinds(digest(), digest(connection: 7), connections: true) == Array(repeating: .connection, count: 3)
    )
  }

  @Test func `a diff knows a notification that was answered on its beginning by all of its bytes`() throws {
    let frame: [UInt8] =
      [1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 31] + [UInt8](repeating: 7, count: 31) + [0, 2] + Array("{}".utf8)
    let start = #"{"seq":1,"time":"2012-06-01T00:00:00.000Z","event":"#
    let opened =
      #"\#(start)"connectionOpened","connection":"c1","listener":"gateway","provider":{"topic":"com.example.app"}}"#
    func digest(header: String, _ lines: [String]) throws -> CaptureDigest {
      let text =
        ([#"{"apnsim":"journal","version":1\#(header)}"#, opened] + lines).joined(separator: "\n") + "\n"
      return CaptureDigest(try CaptureReader(name: "x", bytes: Array(text.utf8)))
    }
    let beginning =
      #"\#(start)"notification","id":"n1","connection":"c1","outcome":"rejected","status":5,"raw":"#
      + #""\#(Base64.encode(frame[..<11]))"}"#
    func bytes(_ bytes: ArraySlice<UInt8>) -> String {
      #"\#(start)"bytesIn","connection":"c1","bytes":"\#(Base64.encode(bytes))","count":\#(bytes.count)}"#
    }
    let recorded = try digest(header: "", [beginning, bytes(frame[11...])])
    let imported = try digest(header: #","source":{"format":"raw"}"#, [bytes(frame[...])])
    #expect(recorded.items[0].token == [UInt8](repeating: 7, count: 31))
    #expect(kinds(recorded, imported) == [])
    // Without its rest at least the identifier is known.
    #expect(try digest(header: "", [beginning]).items[0].identifier?.rawValue == 5)
  }

  @Test func `a diff pairs pseudonyms with what they stand for, in either direction`() throws {
    let plain = try digest([1, 0, 2], besideRedacted: true)
    let redacted = try digest([1, 0, 2], redactedWith: 9)
    #expect(redacted.isRedacted && redacted.items[0].token != plain.items[0].token)
    #expect(kinds(plain, redacted) == [] && kinds(redacted, plain) == [])
    #expect(try kinds(redacted, digest([1, 0, 2], redactedWith: 64)) == [])
    #expect(CaptureDiff(plain, redacted, comparesTimes: false, comparesConnections: false).isPairingTokens)
    #expect(try kinds(plain, digest([1, 2], redactedWith: 9)) == [.onlyInA])
    #expect(try kinds(redacted, digest([1, 0], besideRedacted: true)) == [.onlyInA])
    let stored = ["stored", "delivered", "delivered"]
    #expect(try kinds(plain, digest([1, 0, 2], outcomes: stored, redactedWith: 9)) == [.outcome])
  }

  @Test func `a diff compares what a gateway did not understand by what redaction leaves of it`() throws {
    let payload = Array(#"{"aps":{"alert":"x"}}"#.utf8)
    let items =
      [1, 0, 32] + [UInt8](repeating: 7, count: 32) + [2, 0, UInt8(payload.count)] + payload
      + [3, 0, 4, 0, 0, 0, 9]
    let framed = [2, 0, 0, 0, UInt8(items.count)] + items
    let misframed = [2, 0, 0, 0, UInt8(items.count)] + items.prefix(3) + [0, 0] + items.dropFirst(5)
    for (commands, frame) in [
      ("0,1", framed), ("0,1,2", misframed), ("0,1,2", [9] + items), ("0,1,2", framed),
    ] {
      var configuration = Configuration()
      try Setting.named("commands")?.apply(commands, to: &configuration)
      let good = NativeCapture.frame(1)
      let lines = try NativeCapture.lines(
        [good + frame + good, good + frame.prefix(9)],
        configuration: configuration
      )
      let redactor = JournalRedactor(TokenPseudonyms { token in token.map { $0 ^ 99 } })
      let bytes = NativeCapture.bytes(lines).withUnsafeBytes { redactor.redact($0) } + redactor.finish()
      let plain = CaptureDigest(try NativeCapture.reader(lines), isFilled: true)
      let redacted = CaptureDigest(try CaptureReader(name: "x", bytes: bytes), isFilled: true)
      #expect(kinds(plain, redacted) == [], "\(commands) \(frame)")
      #expect(plain.items.count >= 3)
    }
  }

  @Test func `a diff takes pseudonyms of one key for tokens`() throws {
    let one = try digest(redactedWith: 9)
    #expect(try kinds(one, digest([0, 1], redactedWith: 9)) == [.onlyInA])
    #expect(!CaptureDiff(one, one, comparesTimes: false, comparesConnections: false).isPairingTokens)
  }

  @Test func `a diff says what is missing, what is more and what changed places`() throws {
    #expect(try kinds(digest(), digest([0, 2])) == [.onlyInA])
    #expect(try kinds(digest([0, 2]), digest()) == [.onlyInB])
    #expect(try kinds(digest(), digest([1, 0, 2])) == [.order])
  }

  /// An imported connection of frames of command 0 to the tokens 1, 2, …, and what else came on it.
  private func imported(_ pieces: [CaptureEntry.Kind]) throws -> CaptureDigest {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "x")
    var writer = CaptureWriter(header)
    let provider = ProviderIdentity(topics: ["com.example.app"], environment: .production, subject: "")
    let connection = CapturedConnection(id: Self.id, listener: .gateway, peer: "", provider: provider)
    for kind in [.connectionOpened(connection)] + pieces {
      writer.write(CaptureEntry(time: Timestamp(rawValue: 0), kind: kind))
    }
    return CaptureDigest(try CaptureReader(name: "x", bytes: writer.takeLines()))
  }

  private static let id = ConnectionID(rawValue: 1)

  private func bytes(_ bytes: [UInt8], dropped: Int = 0) -> CaptureEntry.Kind {
    .bytesIn(Self.id, bytes, dropped: dropped, notification: nil)
  }

  private func frame(_ token: UInt8) -> [UInt8] { [0, 0, 1, token, 0, 2, 0x7B, 0x7D] }

  @Test
  func `a diff takes for a notification nothing that comes after a gap, and says on which connection it is`()
    throws
  {
    let whole = try imported([bytes(frame(1) + frame(2)), bytes(frame(3))])
    #expect(whole.items.map(\.token) == [[1], [2], [3]] && whole.broken.isEmpty)
    let gap = CaptureEntry.Kind.bytesMissing(Self.id, .in, count: 4)
    let broken = try imported([bytes(frame(1) + frame(2).prefix(4)), gap, bytes(frame(3))])
    #expect(broken.items.map(\.token) == [[1]] && broken.broken == [Self.id])
    #expect(kinds(whole, broken) == [.onlyInA, .onlyInA])
    let cut = try imported([bytes(frame(1), dropped: 9), bytes(frame(3))])
    #expect(cut.items.map(\.token) == [[1]] && cut.broken == [Self.id])
    let answer = CaptureEntry.Kind.bytesMissing(Self.id, .out, count: 4)
    #expect(try imported([bytes(frame(1)), answer, bytes(frame(2))]).broken.isEmpty)
  }

  @Test func `a diff takes for a notification nothing that comes after what is no frame`() throws {
    #expect(try imported([bytes(frame(1) + [9] + frame(2)), bytes(frame(3))]).items.count == 2)
    #expect(try imported([bytes(frame(1) + [2, 0, 0, 0, 0] + frame(2))]).items.count == 2)
  }

  @Test func `a diff compares what has become of a notification in the end`() throws {
    let stored = ["stored", "delivered", "delivered"]
    #expect(try kinds(digest(), digest(outcomes: stored)) == [.outcome])
    #expect(try kinds(digest(), digest(outcomes: stored, after: ["delivered"])) == [])
  }

  @Test func `a diff pairs what looks the same by the connection it came on, whichever of them was first`()
    throws
  {
    let bad = NativeCapture.frame(1, to: [1, 2, 3]) + NativeCapture.frame(2)
    let good = NativeCapture.frame(1) + NativeCapture.frame(2)
    func diff(_ a: [[UInt8]], _ b: [[UInt8]]) throws -> CaptureDiff {
      CaptureDiff(
        try CaptureDigest(NativeCapture.reader(NativeCapture.lines(a)), isFilled: false),
        try CaptureDigest(NativeCapture.reader(NativeCapture.lines(b)), isFilled: false),
        comparesTimes: false,
        comparesConnections: false
      )
    }
    #expect(try diff([bad, good], [good, bad]).isSame)
    #expect(try diff([good, bad, good], [bad, good, good]).isSame)
    // Nothing but what became of it tells these apart.
    let twice = NativeCapture.frame(2)
    #expect(try diff([bad, twice], [twice, bad]).isSame)
    let changed = try diff([bad, good], [good, good])
    #expect(changed.differences.map(\.kind) == [.onlyInA, .outcome, .onlyInB, .errorOnlyInA])
  }

  @Test func `a diff compares the feedback tuples that were read, but for their times`() throws {
    func digest(_ tuples: [(time: UInt8, token: UInt8)], key: UInt8? = nil) throws -> CaptureDigest {
      var writer = CaptureWriter(CaptureHeader())
      let id = ConnectionID(rawValue: 1)
      let provider = ProviderIdentity(topics: [NativeCapture.topic], environment: .production, subject: "")
      let connection = CapturedConnection(id: id, listener: .feedback, peer: "", provider: provider)
      let bytes = tuples.flatMap { tuple -> [UInt8] in
        [0, 0, 0, tuple.time, 0, 32] + [UInt8](repeating: tuple.token, count: 32)
      }
      // However it was cut.
      let pieces = [Array(bytes.prefix(40)), Array(bytes.dropFirst(40))]
      for kind in [.connectionOpened(connection)] + pieces.map({ CaptureEntry.Kind.bytesOut(id, $0) }) {
        writer.write(CaptureEntry(time: Timestamp(rawValue: 0), kind: kind))
      }
      var lines = writer.takeLines()
      if let key {
        let redactor = JournalRedactor(TokenPseudonyms { token in token.map { $0 ^ key } })
        lines = lines.withUnsafeBytes { redactor.redact($0) } + redactor.finish()
      }
      return CaptureDigest(try CaptureReader(name: "x", bytes: lines), isFilled: key != nil)
    }
    func diff(_ a: CaptureDigest, _ b: CaptureDigest) -> CaptureDiff {
      CaptureDiff(a, b, comparesTimes: false, comparesConnections: false)
    }
    let two = try digest([(1, 7), (2, 8)])
    #expect(try diff(two, digest([(3, 8), (4, 7)])).isSame)
    #expect(diff(two, two).matchedTuples == 2)
    let other = try diff(two, digest([(1, 7), (1, 9), (1, 9)]))
    #expect(other.differences.map(\.kind) == [.tupleOnlyInA, .tupleOnlyInB, .tupleOnlyInB])
    #expect(other.differences.first?.tuple?.token == [UInt8](repeating: 8, count: 32))
    // Pseudonyms are as many.
    #expect(try diff(two, digest([(1, 7), (2, 8)], key: 99)).isSame)
    #expect(try !diff(two, digest([(1, 7)], key: 99)).isSame)
  }

  @Test func `a diff says where the same notification was sent otherwise`() throws {
    let (token, payload) = ([UInt8](repeating: 7, count: 32), Array(#"{"aps":{}}"#.utf8))
    func enhanced(expiry: [UInt8]) -> [UInt8] {
      [1, 0, 0, 0, 9] + expiry + [0, 32] + token + [0, UInt8(payload.count)] + payload
    }
    func framed(_ more: [UInt8]) -> [UInt8] {
      let items =
        [1, 0, 32] + token + [2, 0, UInt8(payload.count)] + payload + [
          3, 0, 4, 0, 0, 0, 9, 4, 0, 4, 0, 0, 0, 0,
        ] + more
      return [2, 0, 0, 0, UInt8(items.count)] + items
    }
    func kinds(_ a: [UInt8], _ b: [UInt8], times: Bool = false) throws -> [CaptureDiff.Kind] {
      let digests = try [a, b].map { try CaptureDigest(NativeCapture.reader(NativeCapture.lines([$0]))) }
      return CaptureDiff(digests[0], digests[1], comparesTimes: times, comparesConnections: false)
        .differences.map(\.kind).filter { $0 != .outcome }
    }
    let (never, later, latest): ([UInt8], [UInt8], [UInt8]) = (
      [0, 0, 0, 0], [0x7F, 0, 0, 0], [0x7F, 0, 0, 1]
    )
    #expect(try kinds(enhanced(expiry: later), enhanced(expiry: latest)) == [])
    #expect(try kinds(enhanced(expiry: later), enhanced(expiry: latest), times: true) == [.fields])
    #expect(try kinds(enhanced(expiry: never), enhanced(expiry: latest)) == [.fields])
    #expect(try kinds(enhanced(expiry: never), framed([])) == [.fields])
    #expect(try kinds(framed([]), framed([5, 0, 1, 5])) == [.fields])
    #expect(try kinds(framed([5, 0, 1, 5]), framed([5, 0, 1, 10])) == [.fields])
    #expect(try kinds(framed([5, 0, 1, 5]), framed([5, 0, 1, 5]), times: true) == [])
  }

  @Test(.mustNotHang) func `a diff of very many that look the same takes each once`() throws {
    let stream = (0..<200).flatMap { _ in NativeCapture.frame(1) }
    let lines = try NativeCapture.lines(Array(repeating: stream, count: 200))
    let digest = try CaptureDigest(NativeCapture.reader(lines), isFilled: false)
    let diff = CaptureDiff(digest, digest, comparesTimes: false, comparesConnections: false)
    #expect(diff.isSame && diff.matched == 40_000)
  }
}
