import APNSimCore
import APNSimHTTP2
import Testing

@Suite("Answers do not depend on how the bytes were cut")
struct CutTests {
  private static let script: [UInt8] = {
    var bytes = opening
    for id in stride(from: UInt32(1), to: 60, by: 2) {
      bytes += headers(
        id,
        request([("authorization", "bearer \(id % 5)"), ("apns-topic", "t\(id)")]),
        .endHeaders
      )
      if id % 3 == 0 { bytes += frame(.ping, [], 0, hex("0102030405060708")) }
    }
    for id in stride(from: UInt32(1), to: 60, by: 2) {
      if id % 7 == 0 { bytes += frame(.resetStream, [], id, [0, 0, 0, 8]) }
      if id % 4 == 1 { bytes += data(id, "{", []) }
      bytes += data(id, "}\(id)")
    }
    return bytes + headers(3)
  }()

  private static func outcome(_ pieces: [ArraySlice<UInt8>]) -> ([String], [[String]], [UInt8]) {
    var conversation = Conversation(starts: true)
    for piece in pieces { conversation.receive(Array(piece)) }
    return (conversation.told, conversation.lists, conversation.sent)
  }

  @Test func `single bytes, one piece and random pieces give the same`() {
    let whole = Self.outcome([Self.script[...]])
    #expect(whole.0.last == "refused 3 5")
    #expect(whole.0.count > 30)
    let single = Self.outcome(Self.script.indices.map { Self.script[$0...$0] })
    #expect(single.0 == whole.0)
    #expect(single.1 == whole.1)
    #expect(single.2 == whole.2)
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < Self.script.count {
        let end = min(Self.script.count, start + Int.random(in: 1...200, using: &random))
        pieces.append(Self.script[start..<end])
        start = end
      }
      let cut = Self.outcome(pieces)
      #expect(cut.0 == whole.0)
      #expect(cut.1 == whole.1)
      #expect(cut.2 == whole.2)
    }
  }

  @Test(arguments: [" \u{7F}\r\n", "\r\n\u{7F}", String(repeating: "x", count: 400), "\n"])
  func `another protocol is answered alike however its first line is cut`(end: String) {
    let bytes = Array("POST /3/device/ab HTTP/1.1\(end)".utf8)
    var whole = Conversation()
    whole.receive(bytes)
    for size in [1, 7, 100, 300] {
      var cut = Conversation()
      for start in stride(from: 0, to: bytes.count, by: size) {
        cut.receive(Array(bytes[start..<min(bytes.count, start + size)]))
      }
      #expect(cut.reasons == whole.reasons && cut.reasons.count == 1)
    }
  }

  @Test func `random frames in random pieces never trap`() {
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = opening
      for _ in 0..<Int.random(in: 1...40, using: &random) { bytes += Self.randomFrame(&random) }
      if seed % 4 == 0 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8(seed % 8) }
      var conversation = Conversation(starts: true)
      conversation.answers = seed % 2 == 0
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...300, using: &random))
        conversation.receive(Array(bytes[start..<end]))
        start = end
      }
      #expect(conversation.sent.count < 100_000)
    }
  }

  private static func randomFrame(_ random: inout SeededGenerator) -> [UInt8] {
    let stream = UInt32.random(in: 0...9, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3:
      return headers(
        stream | 1,
        request(),
        Bool.random(using: &random) ? .endHeaders : [.endHeaders, .endStream]
      )
    case 4, 5: return data(stream, "{}", Bool.random(using: &random) ? [] : .endStream)
    case 6:
      let length = Int.random(in: 0...60, using: &random)
      let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      return headers(stream | 1, noise, FrameFlags(rawValue: UInt8.random(in: 0...255, using: &random)))
    default:
      let length = [0, 4, 5, 6, 8, 12, 30].randomElement(using: &random) ?? 0
      let noise = (0..<length).map { _ in UInt8.random(in: 0...2, using: &random) }
      return frame(
        FrameType(rawValue: UInt8.random(in: 0...10, using: &random)),
        FrameFlags(rawValue: UInt8.random(in: 0...255, using: &random)),
        stream,
        noise
      )
    }
  }
}
