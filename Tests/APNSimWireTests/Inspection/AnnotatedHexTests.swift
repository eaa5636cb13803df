import APNSimWire
import Foundation
import Testing

struct AnnotatedHexTests {
  @Test func `a frame is rendered in columns`() throws {
    let bytes = try Fixture.frame("enhanced-listing-5-2")
    let text = bytes.withUnsafeBytes { buffer in
      decode(bytes).map { AnnotatedHex.render(AnnotatedHex.lines(of: $0, in: buffer)) }
    }
    #expect(
      text == """
        000000  01                                               command          1, enhanced notification
        000001  d2 04 00 00                                      identifier       d2040000, 3523477504 or 1234 little endian
        000005  4f c8 06 00                                      expiration date  1338508800, 2012-06-01T00:00:00Z
        000009  00 20                                            token length     32
        00000b  96 38 5d a7 67 19 11 21 a8 51 96 39 83 fd ac 9b  device token
        00001b  bd f7 4d cf 62 19 ae 14 ed 8d 08 22 88 aa eb af
        00002b  00 16                                            payload length   22
        00002d  7b 22 61 70 73 22 3a 7b 22 61 6c 65 72 74 22 3a  payload          {"aps":{"alert":
        00003d  22 68 69 22 7d 7d                                                 "hi"}}

        """
    )
  }

  @Test(arguments: [
    ("framed-duplicate-identifier", "item", "3, notification identifier <- item appears twice"),
    ("framed-unknown-item", "item", "6, unknown item <- unknown item identifier"),
    ("framed-item-overrun", "item length", "23 <- item runs past the end of its frame"),
    ("framed-stray-byte", "unread", "<- stray bytes after the last item"),
    ("framed-length-0", "frame length", "0 <- frame length is 0"),
    ("unknown-command", "command", "71, unknown command <- unknown command byte"),
  ])
  func `the line where a frame breaks says why`(name: String, field: String, meaning: String) throws {
    let bytes = try Fixture.frame(name)
    let frame = try #require(decode(bytes))
    let marked = bytes.withUnsafeBytes { AnnotatedHex.lines(of: frame, in: $0) }.filter {
      $0.meaning.contains("<-")
    }
    #expect(marked.map(\.field) == [field])
    #expect(marked.map(\.meaning) == [meaning])
  }

  @Test func `a frame that was decided by a length says so`() throws {
    let bytes = try Fixture.frame("enhanced-token-of-31-bytes")
    let frame = try #require(decode(bytes))
    let lines = bytes.withUnsafeBytes { AnnotatedHex.lines(of: frame, in: $0) }
    #expect(lines.last?.meaning == "31, refused on the declared length")
  }

  @Test func `replies and leftovers have lines too`() {
    let response = ErrorResponse(status: .shutdown, identifier: .none)
    #expect(AnnotatedHex.lines(of: response, at: 4).map(\.offset) == [4, 5, 6])
    #expect(AnnotatedHex.lines(of: response)[1].meaning == "10, Shutdown")
    let rest = AnnotatedHex.lines(ofUnread: [UInt8](repeating: 0, count: 17), at: 3, meaning: "cut off")
    #expect(rest.map(\.offset) == [3, 19])
    #expect(rest.map(\.meaning) == ["cut off", ""])
    #expect(AnnotatedHex.render([]) == "")
  }

  @Test func `a civil time is what Foundation says`() {
    let formatter = ISO8601DateFormatter()
    var generator = SeededGenerator(seed: 7)
    let fixed: [UInt32] = [0, 951_782_399, 951_782_400, 1_709_164_800, 4_107_542_399, 4_107_542_400, .max]
    for seconds in fixed + (0..<200).map({ _ in UInt32(truncatingIfNeeded: generator.next()) }) {
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      #expect(CivilTime(seconds).description == formatter.string(from: date))
    }
  }
}
