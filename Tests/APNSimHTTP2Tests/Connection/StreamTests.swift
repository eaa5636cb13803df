import APNSimHTTP2
import Testing

@Suite("RFC 9113 5.1, stream states")
struct StreamTests {
  @Test func `streams rise by any step, and do not fall`() {
    #expect(told(headers(1), headers(5), headers(301)) == ["request 1 ", "request 5 ", "request 301 "])
    #expect(told(headers(5), headers(3)) == ["request 5 ", "failed 1"])
    #expect(told(headers(1), headers(0x7FFF_FFFF)) == ["request 1 ", "request 2147483647 "])
  }

  @Test func `a half-closed stream takes no DATA and no HEADERS`() {
    #expect(told(headers(1), data(1)) == ["request 1 ", "refused 1 5"])
    #expect(told(headers(1), headers(1)) == ["request 1 ", "refused 1 5"])
  }

  @Test func `a half-closed stream takes WINDOW_UPDATE, PRIORITY and RST_STREAM`() {
    let frames = [
      frame(.windowUpdate, [], 1, [0, 0, 0, 1]), frame(.priority, [], 1, [0, 0, 0, 3, 0]),
      frame(.resetStream, [], 1, [0, 0, 0, 8]),
    ]
    #expect(told(headers(1) + frames.joined()) == ["request 1 ", "reset 1 8"])
  }

  @Test func `a closed stream takes no DATA and no HEADERS, but the rest`() {
    func answered(_ bytes: [UInt8]) -> [String] {
      var conversation = Conversation()
      conversation.answers = true
      conversation.receive(opening + headers(1))
      conversation.receive(bytes)
      return Array(conversation.told.dropFirst())
    }
    #expect(answered(data(1)) == ["refused 1 5"])
    #expect(answered(headers(1)) == ["failed 5"])
    #expect(answered(frame(.windowUpdate, [], 1, [0, 0, 0, 1])).isEmpty)
    #expect(answered(frame(.priority, [], 1, [0, 0, 0, 3, 0])).isEmpty)
    #expect(answered(frame(.resetStream, [], 1, [0, 0, 0, 8])).isEmpty)
  }

  @Test func `what was under way to a stream that we reset is ignored`() {
    var conversation = Conversation()
    conversation.receive(opening + headers(1, request(), .endHeaders))
    conversation.connection.reset(1, .cancel)
    conversation.receive(data(1, "{}", []) + headers(1, block([("a", "b")])) + headers(3))
    #expect(conversation.told == ["request 3 "])
  }

  @Test func `a stream that never ends does not make the table grow`() {
    var conversation = Conversation()
    conversation.answers = true
    conversation.receive(opening + headers(1, request(), .endHeaders))
    for id in stride(from: UInt32(3), to: 20_001, by: 2) { conversation.receive(headers(id)) }
    #expect(conversation.told.count == 9_999)
    #expect((conversation.connection.openStreamIdentifiers) == [1])
    conversation.receive(data(1))
    #expect(conversation.told.last == "request 1 {}")
    #expect((conversation.connection.openStreams) == 0)
  }

  @Test func `trailers end a request and are not handed over`() {
    let open = headers(1, request(), .endHeaders)
    #expect(told(open, data(1, "{}", []), headers(1, block([("x", "y")]))) == ["request 1 {}"])
    #expect(told(open, headers(1, block([("x", "y")]), .endHeaders)) == ["refused 1 1"])
    #expect(told(open, headers(1, block([(":path", "/")]))) == ["refused 1 1"])
  }
}

@Suite("RFC 9113 5.1.2, concurrency")
struct ConcurrencyTests {
  @Test func `an excess stream is refused once the peer knows the limit`() {
    var conversation = Conversation(streams: 1, starts: true)
    conversation.receive(opening + frame(.settings, .acknowledgement))
    conversation.receive(headers(1) + headers(3))
    #expect(conversation.told == ["acknowledged", "request 1 ", "bound concurrentStreams", "refused 3 7"])
    conversation.connection.respond(to: 1, status: 200, apnsID: nil)
    conversation.receive(headers(5))
    #expect(conversation.told.last == "request 5 ")
  }

  @Test func `an excess stream ends the connection as with Apple`() {
    var limits = HTTP2Limits()
    limits.refusesExcessStreams = false
    var conversation = Conversation(limits, streams: 1, starts: true)
    conversation.receive(opening + frame(.settings, .acknowledgement) + headers(1) + headers(3))
    #expect(conversation.told.last == "failed 7")
    #expect(conversation.reasons == ["Maximum active streams violated for this endpoint."])
  }

  @Test func `a lower limit holds from its acknowledgement on`() {
    var conversation = Conversation(streams: 100, starts: true)
    conversation.receive(opening + frame(.settings, .acknowledgement))
    conversation.connection.send(settings: [.maximumConcurrentStreams(1)])
    conversation.receive(headers(1) + headers(3))
    #expect(conversation.told.suffix(2) == ["request 1 ", "request 3 "])
    conversation.receive(frame(.settings, .acknowledgement) + headers(5))
    #expect(conversation.told.last == "refused 5 7")
  }

  @Test func `after GOAWAY new streams are ignored and decoded, and old ones answered`() {
    var conversation = Conversation()
    conversation.receive(opening + headers(1))
    conversation.connection.sendGoAway(
      lastStream: 1,
      .noError,
      debug: Array("{\"reason\":\"Shutdown\"}".utf8)
    )
    conversation.receive(headers(3, block(pseudo + [("x-table", "entry")], .incrementalIndexing)))
    conversation.connection.lastStream = .max
    conversation.receive(headers(5, hex("c1 c0 bf be")))
    #expect(conversation.told == ["request 1 ", "ignored 3", "request 5 "])
    let answered = conversation.connection.respond(to: 1, status: 200, apnsID: nil)
    #expect(answered)
    let isLate = conversation.connection.respond(to: 3, status: 200, apnsID: nil)
    #expect(!isLate)
  }
}
