import APNSimHTTP2
import Testing

@Suite("RFC 9113 8, requests")
struct MessageTests {
  @Test func `a request has its fields in order, without the value of authorization`() {
    var conversation = Conversation()
    let fields = [
      ("authorization", "bearer abc"), ("apns-topic", "com.example"), ("x-other", "1"),
      ("apns-topic", "again"),
    ]
    conversation.receive(opening + headers(1, request(fields), .endHeaders) + data(1))
    #expect(conversation.told == ["request 1 {} as 1"])
    #expect(conversation.named == ["bearer abc"])
    #expect(
      conversation.lists == [
        [
          ":method: POST", ":scheme: https", ":path: /3/device/ab", "authorization: ",
          "apns-topic: com.example",
          "x-other: 1", "apns-topic: again",
        ]
      ]
    )
  }

  @Test func `every name with a number is found by its text`() {
    for name in HeaderName.allCases where name != .other {
      #expect(lists(headers(1, request([(name.text.description, "trailers")]))).count <= 1)
    }
    #expect(lists(headers(1, request([("apns-prioritx", "5")]))) == [["apns-prioritx: 5"]])
  }

  private func lists(_ bytes: [UInt8]) -> [[String]] {
    var conversation = Conversation()
    conversation.receive(opening + bytes)
    return conversation.lists.map { Array($0.dropFirst(3)) }
  }

  @Test(arguments: [
    [("Apns-Topic", "a")], [("", "a")], [("a b", "a")], [("a:", "a")], [("a", "b\r\n")], [("a", "\u{0}")],
    [("a", " b")], [("a", "b\t")], [("connection", "close")], [("keep-alive", "1")],
    [("proxy-connection", "1")],
    [("transfer-encoding", "chunked")], [("upgrade", "h2c")], [("te", "gzip")], [(":status", "200")],
    [(":path", "/")], [("content-length", "x")], [("content-length", "")],
    [("content-length", "99999999999999999999")],
    [("content-length", "0"), ("content-length", "1")], [("content-length", "1")],
  ])
  func `a field against the rules makes a request malformed`(fields: [(String, String)]) {
    #expect(told(headers(1, request(fields)), headers(3)) == ["refused 1 1", "request 3 "])
  }

  @Test(arguments: [
    (request([("Apns-Topic", "a")]), "Apns-Topic"),
    (request([("transfer-encoding", "chunked")]), "transfer-encoding"),
    (request([("a", "b"), ("x-id", " b")]), "x-id"),
    (request([("authorization", "a\u{0}")]), "authorization"),
    (block(pseudo + [("a", "b"), (":authority", "c")]), ":authority"),
    (request([("content-length", "x")]), "content-length"),
    (request([("content-length", "1")]), "content-length"), (block([(":method", "POST")]), ""),
  ])
  func `a malformed request is refused for a header by its name`(block: [UInt8], header: String) {
    var conversation = Conversation()
    conversation.receive(opening + headers(1, block))
    #expect(conversation.told == ["refused 1 1"])
    #expect(conversation.headers == [header])
  }

  @Test
  func
    `white space at the ends of authorization and apns headers is taken where that is asked for, and nowhere else`()
  {
    for (name, value) in [
      ("authorization", "bearer "), ("apns-topic", " a"), ("apns-id", "\ta\t"), ("apns-other", " "),
    ] {
      let bytes = headers(1, request([(name, value)]))
      #expect(told(bytes) == ["refused 1 1"])
      var conversation = Conversation()
      conversation.connection.takesWhiteSpace = true
      conversation.receive(opening + bytes + headers(3, request([("x-id", value)])))
      #expect(conversation.told.map { $0.hasPrefix("request 1 ") || $0 == "refused 3 1" } == [true, true])
      #expect(conversation.headers == ["x-id"])
      // The value is there as it came, but for that of authorization.
      let list = name == "authorization" ? "authorization: " : "\(name): \(value)"
      #expect(conversation.lists.first?.last == list)
    }
    var conversation = Conversation()
    conversation.connection.takesWhiteSpace = true
    conversation.receive(opening + headers(1, request([("apns-topic", " a\r\n")])))
    #expect(conversation.told == ["refused 1 1"])
  }

  @Test(arguments: [
    [(":method", "POST"), (":scheme", "https")], [(":scheme", "https"), (":path", "/")],
    [(":method", "POST"), (":path", "/")], [(":method", "POST"), (":scheme", "https"), (":path", "")],
    pseudo + [(":method", "POST")], pseudo + [(":other", "1")], pseudo + [("a", "b"), (":authority", "c")],
    [(":method", "CONNECT"), (":scheme", "https"), (":authority", "c"), (":path", "/")], [],
  ])
  func `pseudo-headers against the rules make a request malformed`(fields: [(String, String)]) {
    #expect(told(headers(1, block(fields))) == ["refused 1 1"])
  }

  @Test func `authority or host, both or none, and te trailers are allowed`() {
    for fields in [
      [(":authority", "a")], [("host", "a")], [(":authority", "a"), ("host", "a")], [("te", "trailers")], [],
    ] {
      #expect(told(headers(1, request(fields))) == ["request 1 "])
    }
    #expect(told(headers(1, block([(":method", "CONNECT"), (":authority", "a")]))) == ["request 1 "])
  }

  @Test func `content-length agrees with DATA`() {
    let open = headers(1, request([("content-length", "2")]), .endHeaders)
    #expect(told(open, data(1)) == ["request 1 {}"])
    #expect(told(open, data(1, "{"), data(1, "}")) == ["refused 1 1"])
    #expect(told(open, data(1, "{", []), data(1, "}")) == ["request 1 {}"])
    #expect(told(open, data(1, "{}x", [])) == ["refused 1 1"])
    #expect(told(open, data(1, "{", []), headers(1, block([("a", "b")]))) == ["refused 1 1"])
  }

  @Test func `a token is named once, however it is coded later`() {
    let token = "bearer eyJhbGciOiJFUzI1NiJ9.x"
    let coded = bytes {
      HPACKEncoder.append(nameIndex: 23, value: Array(token.utf8), .neverIndexed, isHuffman: true, to: &$0)
    }
    var conversation = Conversation()
    for id in stride(from: UInt32(1), to: 20, by: 2) {
      conversation.receive((id == 1 ? opening : []) + headers(id, request() + coded))
    }
    #expect(conversation.named == [token])
    #expect(conversation.told.allSatisfy { $0.hasSuffix(" as 1") })
    let indexed = bytes {
      HPACKEncoder.append(nameIndex: 23, value: Array("other".utf8), .incrementalIndexing, to: &$0)
    }
    conversation.receive(headers(21, request() + indexed) + headers(23, request() + hex("be")))
    #expect(conversation.told.suffix(2) == ["request 21  as 2", "request 23  as 2"])
  }

  @Test func `HEADERS of many streams may come before their DATA`() {
    var bytes = opening
    var expected: [String] = []
    for id in stride(from: UInt32(1), to: 400, by: 2) { bytes += headers(id, request(), .endHeaders) }
    for id in stride(from: UInt32(1), to: 400, by: 2) {
      bytes += data(id, "{\(id)}")
      expected.append("request \(id) {\(id)}")
    }
    var conversation = Conversation()
    conversation.receive(bytes)
    #expect(conversation.told == expected)
  }
}
