import APNSimHTTP2
import Testing

@Suite("RFC 9113 3.4, the preface")
struct OpeningTests {
  @Test func `a server sends SETTINGS first and opens its window`() {
    var conversation = Conversation(starts: true)
    conversation.receive([])
    #expect(conversation.frames.map(\.type) == [.settings, .windowUpdate])
    #expect(conversation.frames[0].length == 30)
  }

  @Test func `SETTINGS after the preface are acknowledged`() {
    var conversation = Conversation()
    conversation.receive(opening)
    #expect(conversation.sent == hex("000000 04 01 00000000"))
  }

  @Test(arguments: [1, 3, 7, 18, 19, 20, 200])
  func `HTTP/1.1 is answered as Apple does, however it is cut`(size: Int) {
    var conversation = Conversation()
    let line = Array("POST /3/device/ab HTTP/1.1\r\nhost: a\r\n\r\n".utf8)
    for start in stride(from: 0, to: line.count, by: size) {
      conversation.receive(Array(line[start..<min(line.count, start + size)]))
    }
    #expect(conversation.told == ["failed 1"])
    #expect(conversation.reasons == ["Unexpected HTTP/1.x request: POST /3/device/ab"])
  }

  @Test func `other bytes are no preface`() {
    var conversation = Conversation()
    conversation.receive([0x16, 3, 1, 0, 5])
    #expect(conversation.reasons == ["expected the connection preface \"PRI * HTTP/2.0\""])
  }

  @Test func `a line without an end is bounded`() {
    var conversation = Conversation()
    for _ in 0..<300 { conversation.receive([0x41]) }
    #expect(conversation.told == ["failed 1"])
  }

  @Test(arguments: [frame(.ping, [], 0, [UInt8](repeating: 0, count: 8)), frame(.settings, .acknowledgement)])
  func `the first frame is SETTINGS`(first: [UInt8]) {
    var conversation = Conversation()
    conversation.receive(preface + first)
    #expect(conversation.told == ["failed 1"])
  }
}
