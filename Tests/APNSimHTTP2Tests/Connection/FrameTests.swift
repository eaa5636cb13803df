import APNSimHTTP2
import Testing

@Suite("RFC 9113 4, frames")
struct FrameTests {
  @Test func `unknown types and unknown flags are ignored`() {
    #expect(told(frame(FrameType(rawValue: 0x16), [], 0, [1, 2])).isEmpty)
    #expect(told(frame(.ping, FrameFlags(rawValue: 0x16), 0, hex("0000000000000000"))).isEmpty)
  }

  @Test func `the reserved bit is ignored`() {
    #expect(told(hex("000008 06 00 80000000 0000000000000000")).isEmpty)
  }

  @Test func `a frame of 16384 bytes is read, a larger one is refused by its header alone`() {
    let large = String(repeating: "x", count: 16_384)
    #expect(told(headers(1, request(), .endHeaders), data(1, large)) == ["request 1 \(large)"])
    #expect(told(hex("004001 00 00 00000001")) == ["failed 6"])
  }

  @Test func `a damaged header block ends the connection`() {
    #expect(told(headers(1, hex("80"))) == ["failed 9"])
    #expect(told(headers(1, hex("ff80808080 8001"))) == ["failed 9"])
    #expect(told(headers(1, hex("bf"))) == ["failed 9"])
  }

  @Test func `a header block is not interrupted`() {
    let begun = headers(1, request(), .endStream)
    #expect(told(begun, data(1)) == ["failed 1"])
    #expect(told(begun, frame(FrameType(rawValue: 0x16))) == ["failed 1"])
    #expect(told(begun, headers(3)) == ["failed 1"])
    #expect(told(begun, frame(.continuation, .endHeaders, 3)) == ["failed 1"])
  }

  @Test func `CONTINUATION ends a block, wherever it is cut`() {
    let whole = request([("apns-topic", "com.example")])
    for cut in 0...whole.count {
      let first = headers(1, Array(whole[..<cut]), .endStream)
      let rest = frame(.continuation, .endHeaders, 1, Array(whole[cut...]))
      #expect(told(first, frame(.continuation, [], 1), rest) == ["request 1 "])
    }
  }

  @Test func `CONTINUATION needs HEADERS before it that did not end`() {
    #expect(told(frame(.continuation, .endHeaders, 1)) == ["failed 1"])
    #expect(told(headers(1), frame(.continuation, .endHeaders, 1)) == ["request 1 ", "failed 1"])
  }

  @Test func `nothing is read after an error`() {
    #expect(told(frame(.pushPromise, .endHeaders, 1), headers(1)) == ["failed 1"])
  }
}

@Suite("RFC 9113 6, what each frame must look like")
struct FrameRuleTests {
  static let eight = [UInt8](repeating: 0, count: 8)

  @Test(arguments: [
    ("DATA on stream 0", data(0), 1),
    ("DATA on an idle stream", data(1), 1),
    ("HEADERS on stream 0", headers(0), 1),
    ("HEADERS on an even stream", headers(2), 1),
    ("HEADERS without room for its padding length", headers(1, [], [.endHeaders, .padded]), 6),
    ("HEADERS with more padding than room", headers(1, [9, 0x82], [.endHeaders, .padded]), 1),
    ("HEADERS without room for its priority", headers(1, [0, 0], [.endHeaders, .priority]), 6),
    ("PRIORITY on stream 0", frame(.priority, [], 0, [0, 0, 0, 1, 0]), 1),
    ("RST_STREAM on stream 0", frame(.resetStream, [], 0, [0, 0, 0, 8]), 1),
    ("RST_STREAM on an idle stream", frame(.resetStream, [], 1, [0, 0, 0, 8]), 1),
    ("SETTINGS on a stream", frame(.settings, [], 1), 1),
    ("SETTINGS of 5 bytes", frame(.settings, [], 0, [0, 1, 0, 0, 0]), 6),
    ("an acknowledgement with a payload", frame(.settings, .acknowledgement, 0, [0]), 6),
    ("ENABLE_PUSH 2", frame(.settings, [], 0, hex("0002 00000002")), 1),
    ("INITIAL_WINDOW_SIZE 2^31", frame(.settings, [], 0, hex("0004 80000000")), 3),
    ("MAX_FRAME_SIZE 16383", frame(.settings, [], 0, hex("0005 00003fff")), 1),
    ("MAX_FRAME_SIZE 2^24", frame(.settings, [], 0, hex("0005 01000000")), 1),
    ("PUSH_PROMISE", frame(.pushPromise, .endHeaders, 1, [0, 0, 0, 2]), 1),
    ("PING on a stream", frame(.ping, [], 1, eight), 1),
    ("PING of 7 bytes", frame(.ping, [], 0, Array(eight.dropLast())), 6),
    ("GOAWAY on a stream", frame(.goAway, [], 1, eight), 1),
    ("GOAWAY of 7 bytes", frame(.goAway, [], 0, Array(eight.dropLast())), 6),
    ("WINDOW_UPDATE of 3 bytes", frame(.windowUpdate, [], 0, [0, 0, 1]), 6),
    ("WINDOW_UPDATE by 0", frame(.windowUpdate, [], 0, [0, 0, 0, 0]), 1),
    ("WINDOW_UPDATE on an idle stream", frame(.windowUpdate, [], 1, [0, 0, 0, 1]), 1),
    ("WINDOW_UPDATE beyond 2^31-1", frame(.windowUpdate, [], 0, hex("7fffffff")), 3),
  ])
  func `a frame against the rules ends the connection`(what: String, bytes: [UInt8], code: Int) {
    #expect(told(bytes) == ["failed \(code)"], "\(what)")
  }

  @Test(arguments: [
    ("DATA with more padding than room", frame(.data, [.padded, .endStream], 1, [2, 0]), "failed 1"),
    ("DATA without room for its padding length", frame(.data, [.padded, .endStream], 1), "failed 6"),
    ("RST_STREAM of 3 bytes", frame(.resetStream, [], 1, [0, 0, 8]), "failed 6"),
    ("PRIORITY of 4 bytes", frame(.priority, [], 1, [0, 0, 0, 3]), "refused 1 6"),
    ("a stream that depends on itself", frame(.priority, [], 1, [0, 0, 0, 1, 9]), "refused 1 1"),
    ("WINDOW_UPDATE by 0", frame(.windowUpdate, [], 1, [0, 0, 0, 0]), "refused 1 1"),
    ("WINDOW_UPDATE beyond 2^31-1", frame(.windowUpdate, [], 1, hex("7fffffff")), "refused 1 3"),
    ("RST_STREAM", frame(.resetStream, [], 1, [0, 0, 0, 8]), "reset 1 8"),
  ])
  func `a frame within the rules leaves an open stream open`(what: String, bytes: [UInt8], outcome: String) {
    #expect(told(headers(1, request(), .endHeaders), bytes) == [outcome], "\(what)")
  }

  @Test func `padding and priority are taken off`() {
    let padded = [3] + hex("80000000 ff") + request() + [0, 0, 0]
    let body = frame(.data, [.padded, .endStream], 1, [4] + Array("{}".utf8) + [0, 0, 0, 0])
    #expect(told(headers(1, padded, [.padded, .priority, .endHeaders]), body) == ["request 1 {}"])
    #expect(told(headers(1, hex("00000001 00") + request(), [.priority, .endHeaders])) == ["refused 1 1"])
  }

  @Test func `PING is answered with its bytes, an acknowledgement is not`() {
    var conversation = Conversation()
    conversation.receive(opening)
    conversation.sent = []
    conversation.receive(frame(.ping, [], 0, hex("0102030405060708")))
    #expect(conversation.sent == hex("000008 06 01 00000000 0102030405060708"))
    conversation.receive(frame(.ping, .acknowledgement, 0, hex("0000000000000007")))
    #expect(conversation.told == ["pong 7"])
    conversation.connection.answersPings = false
    conversation.sent = []
    conversation.receive(frame(.ping, [], 0, hex("0102030405060708")))
    #expect(conversation.sent.isEmpty)
  }

  @Test func `GOAWAY is told with its debug data`() {
    #expect(told(frame(.goAway, [], 0, hex("00000005 00000000") + Array("bye".utf8))) == ["goaway 5 0 bye"])
  }
}
