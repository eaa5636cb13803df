import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Requests that never became one` {
  private static let reason = "a header name is a token in lower case (RFC 9113 section 8.2.1)"
  private static let capitals = MalformedRequest(
    stream: 1,
    code: .protocolError,
    header: Array("X-Request-Id".utf8),
    reason: reason
  )

  @Test func `what never became a request stands in its connection, the story and the journal`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let journal = MemoryJournal(provider.simulator)
    provider.connection.refuse(Self.capitals, at: provider.now)
    let id = provider.connection.id
    let view = try #require(provider.simulator.connection(id))
    #expect(
      view.counts.received == 0 && view.malformed.count == 1 && view.malformed.latest == [Self.capitals]
    )
    let story = try #require(provider.simulator.story(of: id))
    #expect(story.sentence == "One malformed request, and no other")
    #expect(story.why == "Stream 1 was reset: X-Request-Id: \(Self.reason).")
    let step = try #require(story.steps.last)
    #expect(step.text == "RST_STREAM PROTOCOL_ERROR, stream 1" && step.by == .service && step.kind == .reset)
    #expect(step.remark == "no request, X-Request-Id: \(Self.reason)")
    let line = journal.text.split(separator: "\n").last ?? ""
    #expect(
      line.hasSuffix(
        #""event":"streamReset","connection":"c1","stream":1,"code":"PROTOCOL_ERROR","header":"X-Request-Id","#
          + #""reason":"\#(Self.reason)","by":"service"}"#
      ),
      "\(line)"
    )
    provider.send(provider.request())
    #expect(provider.simulator.story(of: id)?.sentence == "One request, accepted, one malformed request")
  }

  @Test func `who waits in vain is told of what never became a request`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let query = Query([Query.Condition(path: "topic", matcher: .equals(.string(Samples.topic)))])
    #expect(provider.simulator.nearMisses(query, from: 1).isEmpty)
    provider.connection.refuse(Self.capitals, at: provider.now)
    let misses = provider.simulator.nearMisses(query, from: 1)
    #expect(misses.map(\.id) == ["c1"])
    let difference = try #require(misses.first?.differences.first)
    #expect(difference.path == "header" && difference.actual == .string("X-Request-Id"))
    #expect(difference.expected == "a well-formed request: \(Self.reason)")
  }

  @Test func `a provider token in the name of a header is not kept, and a name not without end`() {
    let token =
      "eyJhbGciOiJFUzI1NiIsImtpZCI6IksifQ.eyJpc3MiOiJUIiwiaWF0IjoxfQ." + String(repeating: "A", count: 86)
    let name = Array("authorization bearer \(token)".utf8)
    let malformed = MalformedRequest(stream: 1, code: .protocolError, header: name, reason: Self.reason)
    #expect(malformed.header.hasPrefix("authorization bearer ") && !malformed.header.contains("eyJpc3Mi"))
    let long = MalformedRequest(
      stream: 1,
      code: .protocolError,
      header: Array(repeating: 0x41, count: 9000),
      reason: ""
    )
    #expect(long.header.utf8.count == 200)
  }

  // MARK: White space

  @Test(
    arguments: [
      ([("apns-topic", " \(Samples.topic)\t")], nil, "apns-topic"),
      ([("apns-topic", "  ")], Reason.missingTopic, "apns-topic"),
      ([("apns-topic", Samples.topic), ("apns-priority", "10 ")], nil, "apns-priority"),
      ([("apns-topic", Samples.topic), ("apns-id", " 1 ")], .badMessageId, "apns-id"),
      (
        [("apns-topic", " \(Samples.topic)"), ("apns-push-type", "alert ")], nil, "apns-topic, apns-push-type"
      ),
    ] as [([(String, String)], Reason?, String)]
  )
  func `white space at the ends of apns headers does not count, and is remarked on`(
    headers: [(String, String)],
    reason: Reason?,
    names: String
  ) throws {
    let provider = try CoreRequester(Samples.simulator())
    let answer = try #require(provider.send(provider.request(topic: nil, headers: headers)))
    #expect(answer.reason == reason)
    let view = try #require(provider.simulator.notification(1))
    let first = try #require(view.explanations.first)
    #expect(
      first.check == "whiteSpace" && first.detail == "white space at the ends of \(names) does not count"
    )
    #expect(view.request?.headers.contains { $0.value == headers[0].1 } == true)
    // The first generation of outcomes has it count.
    let earlier = try CoreRequester(Samples.simulator { $0.rules = .first })
    earlier.send(earlier.request(topic: nil, headers: headers))
    #expect(earlier.simulator.notification(1)?.explanations.first?.check != "whiteSpace")
  }

  @Test func `white space at the ends of authorization is remarked on`() throws {
    let provider = try CoreRequester(Samples.simulator())
    provider.send(Self.surrounded)
    let first = try #require(provider.simulator.notification(1)?.explanations.first)
    #expect(first.detail == "white space at the ends of authorization does not count")
  }

  /// A request whose `authorization` has white space at its ends.
  private static var surrounded: ProviderRequest {
    let list = [
      (":method", "POST"), (":path", "/3/device/\(Hex.encode(Samples.online))"), ("authorization", ""),
      ("apns-topic", Samples.topic),
    ]
    var authorization = CoreRequester.token()
    authorization.isSurrounded = true
    return ProviderRequest(
      stream: 1,
      headers: list.map { (Array($0.0.utf8), Array($0.1.utf8)) },
      body: Array(#"{"aps":{"alert":"hi"}}"#.utf8),
      authorization: authorization
    )
  }
}
