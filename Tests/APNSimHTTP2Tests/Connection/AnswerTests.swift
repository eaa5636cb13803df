import APNSimHTTP2
import Testing

@Suite("Answers")
struct AnswerTests {
  private static let id = Array("0123456789ABCDEF0123456789ABCDEF0123".utf8)

  private static func asked() -> Conversation {
    var conversation = Conversation()
    conversation.receive(opening + headers(1))
    conversation.sent = []
    return conversation
  }

  @Test func `200 with apns-id has 56 bytes`() {
    var conversation = Self.asked()
    _ = Self.id.withUnsafeBytes { conversation.connection.respond(to: 1, status: 200, apnsID: $0) }
    conversation.receive([])
    #expect(conversation.sent == hex("00002f 01 05 00000001 88 00 07 61706e732d6964 24") + Self.id)
    #expect(conversation.sent.count == 56)
    #expect((!conversation.connection.canAnswer(1)) == true)
  }

  @Test func `a refusal has HEADERS and DATA`() {
    var conversation = Self.asked()
    let body = Array(#"{"reason":"TooManyRequests"}"#.utf8)
    _ = body.withUnsafeBytes { conversation.connection.respond(to: 1, status: 429, apnsID: nil, body: $0) }
    conversation.receive([])
    #expect(conversation.sent == hex("000005 01 04 00000001 0803343239 00001c 00 01 00000001") + body)
  }

  @Test func `parts may come later, and a long block in CONTINUATION frames`() {
    var conversation = Self.asked()
    conversation.connection.sendHeaders(on: 1, endsStream: false) { output in
      for _ in 0..<40_000 { output.append(0x88) }
    }
    conversation.receive([])
    _ = [UInt8](repeating: 1, count: 20_000).withUnsafeBytes {
      conversation.connection.sendBody(on: 1, $0, endsStream: true)
    }
    conversation.receive([])
    #expect(conversation.frames.map(\.length) == [16_384, 16_384, 7232, 16_384, 3616])
    #expect(conversation.frames.map(\.flags.rawValue) == [0, 0, 4, 0, 1])
  }

  @Test func `a request that was answered before it ended stays readable`() {
    var conversation = Conversation()
    conversation.receive(opening + headers(1, request(), .endHeaders))
    conversation.connection.respond(to: 1, status: 500, apnsID: nil)
    conversation.receive(data(1, "{", []))
    conversation.receive(data(1, "}"))
    #expect(conversation.told == ["request 1 {}"])
    #expect((conversation.connection.openStreams) == 0)
  }

  @Test func `any bytes may be written between frames`() {
    var conversation = Self.asked()
    conversation.connection.output.appendFrame(
      .windowUpdate,
      stream: 0,
      payload: hex("7fffffff"),
      declaredLength: 3
    )
    conversation.connection.output.appendReset(stream: 999, .refusedStream)
    conversation.receive([])
    #expect(conversation.sent == hex("000003 08 00 00000000 7fffffff 000004 03 00 000003e7 00000007"))
  }
}
