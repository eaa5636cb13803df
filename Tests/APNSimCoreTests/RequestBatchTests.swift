import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

/// A request as a listener hands it over, row by row, is the one that its evidence is read as: a recording says the same of it.
@Suite("Requests in a batch")
struct RequestBatchTests {
  typealias Headers = [(name: String, value: String)]

  private static let token = String(repeating: "0aF", count: 21) + "0"
  /// Of the shape of a provider token, and none.
  private static let secret = "eyJhbGciOiJFUzI1NiIsImtpZCI6Ik.eyJpc3MiOiJUIn0.c2ln"
  private static let identifier = "0123abCD-4567-89ab-cdef-0123456789AB"

  /// The values that may stand for each header, so that many lists are good ones.
  private static let values: [String: [String]] = [
    ":method": ["POST", "GET", "DELETE", "PUT", ""],
    ":path": [
      "/3/device/\(token)", "/3/device/\(token)0", "/3/device/", "/3/device", "/3/device/zz",
      "/3/device/\(secret)",
      "/4/broadcasts/apps/com.example.app", "/1/apps/com.example.app/channels",
      "/1/apps/com.example.app/all-channels", "/\(secret)", "",
      "/3/device/" + String(repeating: "ab", count: 256),
    ],
    ":authority": ["localhost", ""], "host": ["other.example"], ":scheme": ["https"],
    "apns-id": [identifier, "none", secret], "apns-request-id": [identifier, "0"],
    "apns-topic": [
      "com.example.app", "com.example.app.voip", "com.example.app.push-type.liveactivity", "a b", "é", "",
      "\(secret).voip", String(repeating: "a", count: 256),
    ],
    "apns-push-type": ["alert", "background", "LiveActivity", "liveactivity", "ALERT", "x", ""],
    "apns-priority": ["10", "5", "1", "0", "010", ""],
    "apns-expiration": [
      "0", "1767409200", "2147483645", "2147483646", "2147483647", "4294967296", "9223372036854775807",
      "9223372036854775808", "-1", "",
    ],
    "apns-collapse-id": ["order 17", ""], "apns-channel-id": ["dHN0LXNyY2gtY2hubA==", ""],
    "authorization": ["bearer \(secret)"], "user-agent": ["test", secret], "x-note": ["", secret, "a"],
  ]

  private static let body = #"{"aps":{"alert":"hello"}}"#

  private static func authorization(_ random: inout SeededGenerator) -> RequestAuthorization {
    let facts = ProviderTokenFacts(
      number: 5,
      keyID: "KEY",
      teamID: "TEAM",
      issuedAt: 1_338_508_800,
      verdict: .good
    )
    return [.certificate, .none, .bearer(facts), RequestAuthorization(scheme: .other)].randomElement(
      using: &random
    )
      ?? .none
  }

  private static func headers(_ random: inout SeededGenerator) -> Headers {
    let names = values.keys.sorted()
    return (0..<Int.random(in: 0...14, using: &random)).map { _ in
      let name = names.randomElement(using: &random) ?? "te"
      return (name, values[name]?.randomElement(using: &random) ?? "")
    }
  }

  /// Adds a request as a listener does, with what it has found out about each value.
  private static func add(
    _ headers: Headers,
    _ stream: UInt32,
    _ authorization: RequestAuthorization,
    to batch: inout RequestBatch
  ) {
    var (text, fields, isPlain): ([UInt8], [RequestField], Bool) = ([], [], true)
    for (place, (name, value)) in headers.enumerated() {
      let value = name == "authorization" ? [] : Array(value.utf8)
      text.append(bigEndian: UInt16(name.utf8.count))
      text.append(bigEndian: UInt16(value.count))
      text += name.utf8
      let range = ByteRange(start: UInt32(text.count), count: UInt32(value.count))
      text += value
      let header = Array(name.utf8).withUnsafeBytes { RequestHeader($0) }
      let finding = value.withUnsafeBytes { value in header.map { RequestDecoder.finding($0, value) } ?? 0 }
      if let header { fields.append(RequestField(header, range, finding: finding)) }
      // A second path is one value among others: a listener refuses its request as malformed.
      let isPath = name == ":path" && !headers[..<place].contains { $0.name == name }
      if !isPath, value.withUnsafeBytes({ ProviderToken.isIn($0) }) { isPlain = false }
    }
    text.withUnsafeBytes { text in
      Array(body.utf8).withUnsafeBytes { body in
        fields.withUnsafeBufferPointer {
          batch.append(
            stream: stream,
            headers: text,
            fields: $0,
            isPlain: isPlain,
            body: body,
            authorization: authorization,
            openFor: 7
          )
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever its header list has, a request that was read is the one that its evidence is read as`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var batch = RequestBatch()
    var read = RequestBatch()
    for stream in 0..<50 as Range<UInt32> {
      let (headers, authorization) = (Self.headers(&random), Self.authorization(&random))
      Self.add(headers, stream, authorization, to: &batch)
      let request = ProviderRequest(
        stream: stream,
        headers: headers.map { (name: Array($0.name.utf8), value: Array($0.value.utf8)) },
        body: Array(Self.body.utf8),
        authorization: authorization,
        openFor: 7
      )
      read.append(request)
      let counts = (batch.count, read.count)
      try #require(counts == (Int(stream) + 1, Int(stream) + 1))
      let (one, other) = (batch[Int(stream)], read[Int(stream)])
      #expect(Array(one.bytes) == request.bytes, "\(headers)")
      #expect(one.head == other.head, "\(headers)")
      #expect(one.topic == other.topic)
      #expect(Array(one.suppliedId) == Array(other.suppliedId))
      #expect(one.submission.pointee.fields == other.submission.pointee.fields)
      #expect(one.submission.pointee.verdict == other.submission.pointee.verdict)
      #expect(one.authorization == authorization)
    }
    // The memory has moved meanwhile.
    var streams: [UInt32] = []
    for place in 0..<50 { streams.append(batch[place].stream) }
    #expect(streams == Array(0..<50))
  }

  @Test func `a request notes what was made for it and how long it was open, as one by itself does`() {
    var batch = RequestBatch()
    Self.add([(":method", "POST"), (":path", "/3/device/\(Self.token)")], 1, .certificate, to: &batch)
    Self.add([(":method", "GET")], 3, .certificate, to: &batch)
    var request = ProviderRequest(
      stream: 3,
      headers: [(name: Array(":method".utf8), value: Array("GET".utf8))],
      body: Array(Self.body.utf8),
      authorization: .certificate,
      openFor: 7
    )
    let identifier = Identifier(random: 1, 2)
    for place in 0..<2 {
      batch[place].make(identifier)
      batch[place].noteOpening()
      batch[place].noteOpening()
    }
    request.noteOpening()
    let bytes = batch[1].bytes
    let evidence = RequestEvidence(bytes)
    #expect(evidence?.openFor == 7)
    #expect(evidence?.madeId == identifier)
    #expect(bytes.dropFirst(36).elementsEqual(request.bytes.dropFirst(36)))
    let before = batch[0].bytes
    #expect(RequestEvidence(before)?.stream == 1)
  }

  @Test func `the real time of a provider stands after its request, and in no other`() {
    var batch = RequestBatch()
    for stream in [1, 3] as [UInt32] { Self.add([(":method", "GET")], stream, .none, to: &batch) }
    batch[0].note(realTime: Moment.start)
    let (first, second) = (batch[0], batch[1])
    #expect(first.realTime == Moment.start)
    #expect(second.realTime == nil)
    let streams = [first, second].map { RequestEvidence($0.bytes)?.stream }
    #expect(streams == [1, 3])
    #expect(first.bytes.count == second.bytes.count + 8)
  }

  @Test func `white space at the ends of values is dropped from the requests that have some`() {
    var batch = RequestBatch()
    let start = [(name: ":method", value: "POST"), (name: ":path", value: "/3/device/\(Self.token)")]
    Self.add(start + [("apns-topic", "com.example.app"), ("apns-priority", "5")], 1, .none, to: &batch)
    Self.add(start + [("apns-topic", " com.example.app\t"), ("apns-priority", "5 ")], 3, .none, to: &batch)
    batch.noteWhiteSpace()
    var part = batch.part(1..<2)
    batch.dropWhiteSpace()
    part.dropWhiteSpace()
    let requests = [batch[0], batch[1], part[0]]
    #expect(requests.map(\.stream) == [1, 3, 3])
    let names = requests.map { RequestEvidence($0.bytes)?.surroundedNames }
    #expect(names == [[], ["apns-topic", "apns-priority"], ["apns-topic", "apns-priority"]])
    for request in requests {
      #expect(request.topic == "com.example.app")
      #expect(request.submission.pointee.fields.priority == 5)
    }
    let count = part.count + batch.count
    #expect(count == 3)
  }

  @Test func `nothing that has the shape of a provider token is kept`() {
    var batch = RequestBatch()
    for path in ["/3/device/\(Self.secret)", "/\(Self.secret)"] {
      Self.add([(":path", path), ("x-note", Self.secret), ("apns-topic", Self.secret)], 1, .none, to: &batch)
      let text = String(decoding: batch[batch.count - 1].bytes, as: UTF8.self)
      #expect(!text.contains("eyJ"))
      #expect(text.contains("xxx.xxx"))
    }
  }

  /// Good tokens and others, each of which several requests share.
  private static let tokens = [
    CoreRequester.token(1), CoreRequester.token(2),
    CoreRequester.token(3, issuedAt: Moment.start + -.hours(2)),
    CoreRequester.token(4, .unknownKey), CoreRequester.token(5, scope: ProviderKeyScope(topics: ["other"])),
    CoreRequester.token(6, scope: ProviderKeyScope(environment: .sandbox)), .none, .certificate,
  ]

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `requests are judged alike in one read and in reads of their own`(seed: UInt64) throws {
    var answers: [[RequestAnswer]] = []
    for isOneRead in [true, false] {
      var random = SeededGenerator(seed: seed)
      let provider = try CoreRequester(Samples.simulator())
      let requests = (0..<40).map { _ in
        let topics = [Samples.topic, Samples.topic, "com.example.none", "a b", nil]
        return provider.request(
          topic: topics.randomElement(using: &random) ?? nil,
          method: Int.random(in: 0..<8, using: &random) == 0 ? "GET" : "POST",
          path: Int.random(in: 0..<8, using: &random) == 0 ? "/4/broadcasts/apps/\(Samples.topic)" : nil,
          // Runs of the same one, as they come.
          Self.tokens[Int.random(in: 0..<64, using: &random) % (seed % 2 == 0 ? 2 : Self.tokens.count)]
        )
      }
      if isOneRead { provider.send(requests) } else { for request in requests { provider.send(request) } }
      provider.close()
      answers.append(provider.answers)
    }
    #expect(answers[0].count == 40)
    #expect(answers[0] == answers[1])
  }
}
