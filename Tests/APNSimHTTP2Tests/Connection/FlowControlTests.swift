import APNSimHTTP2
import Testing

@Suite("RFC 9113 5.2 and 6.9, flow control")
struct FlowControlTests {
  private static let answer = Array(#"{"reason":"BadDeviceToken"}"#.utf8)

  private static func asked(_ window: UInt32) -> Conversation {
    var conversation = Conversation()
    conversation.receive(preface + bytes { $0.appendSettings([.initialWindowSize(window)]) } + headers(1))
    conversation.sent = []
    _ = answer.withUnsafeBytes { conversation.connection.respond(to: 1, status: 400, apnsID: nil, body: $0) }
    conversation.receive([])
    return conversation
  }

  @Test func `HEADERS go out, and a body waits for the stream's window`() {
    var conversation = Self.asked(0)
    #expect(conversation.frames.map(\.type) == [.headers])
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 1) })
    conversation.receive(bytes { $0.appendSettings([.initialWindowSize(3)]) })
    #expect(conversation.frames.filter { $0.type == .data }.map(\.length) == [1, 3])
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 100) })
    #expect(conversation.frames.last?.flags == .endStream)
    #expect(conversation.frames.filter { $0.type == .data }.map(\.length) == [1, 3, 23])
    #expect((conversation.connection.openStreams) == 0)
  }

  @Test func `a window may become negative by SETTINGS`() {
    var conversation = Self.asked(10)
    conversation.receive(bytes { $0.appendSettings([.initialWindowSize(0)]) })
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 10) })
    #expect(conversation.frames.filter { $0.type == .data }.map(\.length) == [10])
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 1) })
    #expect(conversation.frames.filter { $0.type == .data }.map(\.length) == [10, 1])
  }

  @Test func `SETTINGS that make a window too large end the connection`() {
    var conversation = Self.asked(0)
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 1) })
    conversation.receive(bytes { $0.appendWindowUpdate(stream: 1, by: 1000) })
    #expect((conversation.connection.openStreams) == 0)
    conversation.receive(
      headers(3, request(), .endHeaders) + bytes { $0.appendWindowUpdate(stream: 3, by: 1) }
    )
    conversation.receive(bytes { $0.appendSettings([.initialWindowSize(0x7FFF_FFFF)]) })
    #expect(conversation.told.last == "failed 3")
  }

  @Test func `a reset stream forgets what waits on it`() {
    var conversation = Self.asked(0)
    conversation.receive(frame(.resetStream, [], 1, [0, 0, 0, 8]))
    conversation.receive(bytes { $0.appendSettings([.initialWindowSize(1000)]) })
    #expect(!conversation.frames.contains { $0.type == .data })
  }

  @Test func `the connection's window is given back by halves, padding included`() {
    var limits = HTTP2Limits()
    limits.connectionWindow = 65_535
    var conversation = Conversation(limits)
    conversation.receive(opening + headers(1, request(), .endHeaders))
    conversation.sent = []
    let padded = frame(.data, .padded, 1, [255] + [UInt8](repeating: 0, count: 16_383))
    conversation.receive(padded)
    #expect(conversation.sent.isEmpty)
    conversation.receive(padded)
    #expect(conversation.sent == hex("000004 08 00 00000000 00008000"))
  }

  @Test func `DATA beyond a window is refused`() {
    let much = frame(.data, [], 1, [UInt8](repeating: 0, count: 16_384))
    let open = headers(1, request(), .endHeaders)
    var limits = HTTP2Limits()
    limits.body = 1 << 20
    var generous = Conversation(limits, starts: true)
    generous.receive(opening + open + much + much + much + much)
    #expect(generous.told.last == "refused 1 3")
    var conversation = Conversation()
    conversation.connection.returnsWindow = false
    conversation.receive(opening + open + headers(3, request(), .endHeaders) + much + much)
    conversation.receive(frame(.data, [], 3, [UInt8](repeating: 0, count: 16_384)) + much)
    #expect(conversation.told.last == "failed 3")
  }

  @Test
  func
    `the rest of a body that is too large is read, up to a bound, for clients that read the answer after it`()
  {
    var conversation = Conversation(starts: true)
    conversation.answers = true
    conversation.receive(opening + headers(1, request(), .endHeaders))
    let piece = frame(.data, [], 1, [UInt8](repeating: 0, count: 16_384))
    conversation.receive(piece + piece)
    #expect(conversation.told == ["bound body", "request 1 too large"])
    conversation.sent = []
    conversation.receive(piece)
    #expect(conversation.sent == hex("000004 08 00 00000001 0000c000"))
    conversation.sent = []
    conversation.receive(piece + piece)
    #expect(conversation.sent == hex("000004 08 00 00000001 00008000"))
    for _ in 0..<60 { conversation.receive(piece) }
    #expect(conversation.told.last == "refused 1 0")
    conversation.receive(headers(3, request(), [.endHeaders, .endStream]))
    #expect(conversation.told.last?.hasPrefix("request 3") == true)
  }

  @Test func `DATA on refused streams uses the window, and it is given back`() {
    var limits = HTTP2Limits()
    limits.connectionWindow = 65_535
    var conversation = Conversation(limits)
    conversation.receive(opening + headers(1, request(), .endHeaders))
    conversation.connection.reset(1, .cancel)
    for _ in 0..<50 { conversation.receive(frame(.data, [], 1, [UInt8](repeating: 0, count: 16_384))) }
    #expect(conversation.told.isEmpty)
  }
}
