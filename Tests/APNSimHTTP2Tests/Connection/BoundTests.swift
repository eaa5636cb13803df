import APNSimHTTP2
import Testing

@Suite("Bounds")
struct BoundTests {
  @Test func `a header block has at most so many CONTINUATION frames`() {
    let begun = headers(1, request(), .endStream)
    let more = [[UInt8]](repeating: frame(.continuation, [], 1), count: 17).joined()
    #expect(told(begun + more) == ["bound continuations", "failed 11"])
  }

  @Test func `a header block has at most so many bytes`() {
    let piece = frame(.continuation, [], 1, [UInt8](repeating: 0x82, count: 16_384))
    #expect(
      told(headers(1, [], .endStream), piece, piece, frame(.continuation, [], 1, [0x82])).suffix(2)
        == ["bound headerBlock", "failed 11"]
    )
  }

  @Test func `a header list beyond what was announced is decoded and dropped`() {
    let large = request([
      ("x-large", String(repeating: "x", count: 4000)), ("y", String(repeating: "y", count: 4000)),
    ])
    #expect(
      told(headers(1, large), headers(3, large)) == [
        "bound headerList", "request 1  list too large", "request 3  list too large",
      ]
    )
  }

  @Test func `a table entry of 4 KiB does not fill memory by one-byte references`() {
    var conversation = Conversation()
    let entry = block([("x", String(repeating: "x", count: 4000))], .incrementalIndexing)
    conversation.receive(opening + headers(1, request() + entry + [UInt8](repeating: 0xBE, count: 10_000)))
    #expect(conversation.told.last == "request 1  list too large")
    #expect(conversation.lists[0].count == 4)
  }

  @Test func `resets by either side are counted`() {
    var limits = HTTP2Limits()
    limits.resets = 10
    var rapid: [UInt8] = []
    var made: [UInt8] = []
    for id in stride(from: UInt32(1), to: 40, by: 2) {
      rapid += headers(id, request(), .endHeaders) + frame(.resetStream, [], id, [0, 0, 0, 8])
      made += headers(id, request(), .endHeaders) + frame(.windowUpdate, [], id, [0, 0, 0, 0])
    }
    #expect(told(rapid, limits: limits).suffix(2) == ["bound resets", "failed 11"])
    #expect(told(made, limits: limits).suffix(2) == ["bound resets", "failed 11"])
  }

  @Test(arguments: [
    frame(.ping, .acknowledgement, 0, [UInt8](repeating: 0, count: 8)), frame(.settings, .acknowledgement),
    frame(.priority, [], 1, [0, 0, 0, 3, 0]), frame(FrameType(rawValue: 77)), data(1, "", []),
    frame(.windowUpdate, [], 0, [0, 0, 0, 1]),
  ])
  func `frames that do nothing are counted`(idle: [UInt8]) {
    var limits = HTTP2Limits()
    limits.idleFrames = 20
    let many = [[UInt8]](repeating: idle, count: 21).joined()
    #expect(
      told(headers(1, request(), .endHeaders) + many, limits: limits).suffix(2) == [
        "bound idleFrames", "failed 11",
      ]
    )
  }

  @Test func `acknowledgements that nobody reads are bounded`() {
    var limits = HTTP2Limits()
    limits.acknowledgements = 5
    var conversation = Conversation(limits)
    let ping = frame(.ping, [], 0, [UInt8](repeating: 0, count: 8))
    conversation.receive(opening + [[UInt8]](repeating: ping, count: 4).joined())
    conversation.connection.noteFlushed()
    conversation.receive(Array([[UInt8]](repeating: ping, count: 5).joined()))
    #expect(conversation.told.isEmpty)
    conversation.receive(ping)
    #expect(conversation.told == ["bound acknowledgements", "failed 11"])
  }

  @Test func `answers that wait for a closed window are bounded`() {
    var limits = HTTP2Limits()
    limits.heldAnswers = 1000
    var conversation = Conversation(limits)
    conversation.receive(preface + bytes { $0.appendSettings([.initialWindowSize(0)]) })
    for id in stride(from: UInt32(1), to: 40, by: 2) {
      conversation.receive(headers(id))
      let body = [UInt8](repeating: 0, count: 100)
      _ = body.withUnsafeBytes { conversation.connection.respond(to: id, status: 400, apnsID: nil, body: $0) }
    }
    #expect(conversation.sent.count < 2000)
    #expect((conversation.connection.isOver) == true)
  }

  @Test func `a body that is too large is handed over at once`() {
    var limits = HTTP2Limits()
    limits.body = 4
    let open = headers(1, request(), .endHeaders)
    #expect(
      told(open, data(1, "12345", []), data(1, "6"), limits: limits) == ["bound body", "request 1 too large"]
    )
  }

  @Test func `bodies that do not end are bounded`() {
    var limits = HTTP2Limits()
    limits.bodies = 100
    let open = headers(1, request(), .endHeaders) + headers(3, request(), .endHeaders)
    let piece = String(repeating: "x", count: 60)
    #expect(
      told(open, data(1, piece, []), data(3, piece, []), limits: limits) == ["bound bodies", "refused 3 11"]
    )
  }
}
