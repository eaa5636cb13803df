import APNSimWire
import Testing

@testable import APNSimImport

/// Bytes as OpenSSL prints them: `BIO_dump`, and the lines above it.
@Suite struct `Dumps of OpenSSL` {
  /// The rows as `BIO_dump` prints them: 16 bytes, with a dash after the eighth, and the same as text.
  private func rows(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 16) {
      let row = bytes[start...].prefix(16)
      let offset = String(start, radix: 16)
      text += String(repeating: "0", count: max(0, 4 - offset.count)) + offset + " - "
      for place in 0..<16 {
        let isThere = place < row.count
        text += isThere ? Hex.encode([row[start + place]]) + (place == 7 ? "-" : " ") : "   "
      }
      text += "  "
      text += String(row.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." }) + "\n"
    }
    return text
  }

  private func written(_ bytes: [UInt8]) -> String {
    let count =
      "\(bytes.count) bytes => \(bytes.count) (0x\(String(bytes.count, radix: 16, uppercase: true)))"
    return "write to 0x55d5f0 [0x55d600] (\(count))\n" + rows(bytes)
  }

  private func frame(_ payload: String) -> [UInt8] {
    [0, 0, 32] + Array(0xA0..<0xC0) + [0, UInt8(payload.utf8.count)] + Array(payload.utf8)
  }

  @Test(
    arguments: [
      "{}", #"{"aps":{"alert":"hi"}}"#, #"{"aps":{"alert":"[]=byte[] {"}}"#, #"{"a":"b'\\x00'","aps":{}}"#,
      #"{"a":"<Buffer 01 02>","aps":{}}"#, #"{"a":"write(3, \"x\", 1) = 1","aps":{}}"#,
      ##"{"a":"# * |","aps":{}}"##,
      #"{"a":"0000: 01 02   ab cd ef","aps":{}}"#, #"{"a":"length = 4, bytes = 0x01020304}","aps":{}}"#,
      "{\"aps\":{}, \"a\":[1,2,-3] }", "{\"aps\":{\n}}",
    ]
  )
  func `any payload may stand in the text beside the bytes`(payload: String) throws {
    // Blanks move the payload to each column.
    for shift in 0..<16 {
      let bytes = frame(String(repeating: " ", count: shift) + payload)
      for text in [written(bytes), "CONNECTED(00000003)\n" + written(bytes), rows(bytes)] {
        #expect(HexDump.isLikely(Array(text.utf8)[...]), "\(text)")
        #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == bytes, "\(text)")
      }
    }
  }

  @Test func `what the other side said may stand between the rows as it is`() throws {
    let bytes = frame("{}")
    let text = Array("CONNECTED(00000003)\n".utf8) + [8, 7, 0, 0, 0, 1] + Array("\n\(written(bytes))".utf8)
    #expect(HexDump.isLikely(text[...]) && !HexDump.isLikely(text.prefix(30)))
    #expect(try HexDump.bytes(of: text[...]) == bytes)
  }

  @Test func `a row of any length is read`() throws {
    for count in 1...48 {
      let bytes = (0..<UInt8(count)).map { $0 &* 7 }
      #expect(try HexDump.bytes(of: Array(written(bytes).utf8)[...]) == bytes, "\(count)")
    }
  }

  @Test(
    arguments: [
      (
        "CONNECTED(00000003)\nwrite to 0x5609 [0x560a] (5 bytes => 5 (0x5))\n0000 - 16 03 01 00 b7   .....\n",
        2
      ),
      ("read from 0x5609 [0x560a] (5 bytes => 5 (0x5))\n0000 - 17 03 03 00 20   .... \n---\n", 1),
      ("CONNECTED(00000003)\n>>> TLS 1.0, RecordHeader [length 0005]\n    16 03 01 00 b7\n", 2),
      (">>> TLS 1.2 Handshake [length 0004], ServerHelloDone\n    0e 00 00 00\n", 1),
      (
        ">>> TLS 1.2, Handshake [length 0004], ServerHelloDone\n    0e 00 00 00\n"
          + "write to 0x5 [0x6] (40 bytes => 40 (0x28))\n0000 - 01 02   ..\n", 1
      ),
      ("17 03 03 00 02 aa bb\n", 1), ("\n16030100b7\n", 2),
    ]
  )
  func `TLS is named, and is nobody's frames`(text: String, line: Int) {
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(
      found?.message.contains("the notifications are encrypted") == true,
      "\(String(describing: found))"
    )
    #expect(found?.line == line && found?.hint?.contains("--keylog") == true)
  }
}
