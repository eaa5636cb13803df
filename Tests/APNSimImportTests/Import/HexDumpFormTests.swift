import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimImport

private let reports = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../../fixtures/reports").standardized

private func report(_ name: String) throws -> [UInt8] {
  try [UInt8](Data(contentsOf: reports.appendingPathComponent(name)))
}

private func bytes(_ text: String) throws -> [UInt8] { try HexDump.bytes(of: Array(text.utf8)[...]) }

/// The dumps that programs print, each of the same frame.
@Suite struct `Forms of dumps` {
  @Test(
    arguments: [
      "hex-buffer.txt", "hex-mbedtls.txt", "hex-openssl.txt", "hex-scapy.txt", "jsse-frame.txt",
    ]
  )
  func `a frame is read from what programs print of it`(name: String) throws {
    let text = try report(name)
    #expect(HexDump.isLikely(text[...]))
    #expect(try HexDump.bytes(of: text[...]) == report("frame.bin"))
  }

  @Test func `Wireshark's Follow Stream is read in one direction and in both`() throws {
    #expect(try HexDump.bytes(of: report("follow-hex-provider.txt")[...]) == report("stream.bin"))
    let both = try HexDump.pieces(of: report("follow-hex.txt")[...])
    #expect(both.map(\.isIndented) == [false, true])
    #expect(try both.first?.bytes == report("stream.bin"))
    #expect(both.last?.bytes == [8, 2, 0, 0, 0, 2])
  }

  @Test func `the text beside the bytes settles where a line ends`() throws {
    // The gap after eight of eleven bytes is as wide as the one in front of the text.
    let python = "00000000: 01 00 00 00 01 7F FF FF  FF 00 20                 .......... \n"
    #expect(try bytes(python) == [1, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0x20])
    #expect(try bytes("0000   61 62 20 63   ab c\n") == Array("ab c".utf8))
    #expect(try bytes("0000  20 61 62   ab\n") == Array(" ab".utf8))
    #expect(try bytes("00000000: 0001 020a  6162\n").count == 6)
  }

  @Test func `bytes are refused before they are left out`() {
    for text in ["0000  01 02  03 0g\n", "0000: 01 02  03 4\n", "x 0000: 01 02\nx 0010: 03 04\n"] {
      #expect(throws: HexDump.Failure.self, "\(text)") { try bytes(text) }
    }
  }

  @Test(
    arguments: [
      "write to 0x55 [0x66] (4 bytes => 4 (0x4))\n0000 - 00 01 02 0a    ....\n",
      "2026-11-25 08:00:00.123 DEBUG tls - 0000: 00 01\n2026-11-25 08:00:00.124 DEBUG tls - 0002: 02 0a\n",
      "Plaintext before ENCRYPTION (\n  0000: 00 01 02 0A      ....\n)\n",
      "sent <Buffer 00 01 02 0a>\n", "b'\\x00\\x01\\x02\\n'\n", "bytearray(b\"\\x00\\x01\\x02\\x0a\")",
      "\"\\000\\001\\002\\n\"",
      "char peer0_0[] = { /* Packet 4 */\n0x00, 0x01 };\nchar peer0_1[] = { /* Packet 6 */\n0x02, 0x0a };\n",
      "00000000h: 00 01 02 0a ; ....\n",
      "   Label: Byte[]\n\n          00 01 02 03\n0000000000000000 00 01 02 0A  ....\n",
    ]
  )
  func `the same bytes stand in logs and source code`(text: String) throws {
    #expect(HexDump.isLikely(Array(text.utf8)[...]))
    #expect(try bytes(text) == [0, 1, 2, 10])
    let wide: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) {
      $0 += [UInt8(truncatingIfNeeded: $1), UInt8($1 >> 8)]
    }
    #expect(try HexDump.bytes(of: wide[...]) == [0, 1, 2, 10])
  }

  @Test(.mustNotHang)
  func `a line as long as a file is not read from each of its words on`() {
    let words = String(repeating: "abcd ", count: 40_000)
    #expect(throws: HexDump.Failure.self) { try bytes(words + "zz\n") }
    #expect(throws: HexDump.Failure.self) {
      try bytes("0x00 <" + words.replacing("abcd", with: "0x00 <") + "zz\n")
    }
  }

  @Test func `what a program has left out is said`() {
    let found = #expect(throws: HexDump.Failure.self) { try bytes("<Buffer 01 00 ... 44 more bytes>") }
    #expect(found?.message == "all bytes were expected, found \"... 44 more bytes\"")
    let again = #expect(throws: HexDump.Failure.self) { try bytes("a 0000: 01 02\nb 0000: 01 02\n") }
    #expect(again?.message.hasPrefix("offset 0 a second time") == true)
    let arrays = "unsigned char a[] = { 0x01 };\nunsigned char b[] = { 0x02 };\n"
    #expect(throws: HexDump.Failure.self) { try bytes(arrays) }
  }

  @Test(
    arguments: [
      "write(3, \"\\1\\0\\0\\0\\1\\177\\377\\n\", 8) = 8\n",
      "[pid  47] 12:00:00 sendto(3<TCP:[1->2]>, \"\\x01\\x00\\x00\\x00\", 4, 0, NULL, 0) = 4\n"
        + "[pid  47] 12:00:01 write(3, \"\\1\\177\\377\\n\\1\", 5) = 4\nclose(3) = 0\n",
      "write(3, \"\\1\\0\", 2) = -1 EAGAIN (Resource temporarily unavailable)\n"
        + "write(3, \"\\1\\0\\0\\0\\1\\177\\377\\n\", 8) = 8\n",
      "write to 0x55d [0x55e] (4 bytes => 4 (0x4))\n0000 - 01 00 00 00   ....\n---\nread from 0x1 [0x2] (6 bytes => -1)\n"
        + "write to 0x55d [0x55e] (4 bytes => 4 (0x4))\n0000 - 01 7f ff 0a   ....\n",
      ">>> TLS 1.2, RecordHeader [length 0005]\n    01 00 00 00 01\n>>> TLS 1.2, Alert [length 0003]\n    7f ff 0a\n",
      "(byte)0x01, (byte)0x00, (byte) 0, 0, 1, 127, (byte)0xff, 10\n", "[1, 0, 0, 0, 1, 127, -1, 10]\n",
      "byte[] frame = new byte[] { 1, 0, 0, 0, 1, 127, -1, 0xA };\n", "<01000000 017fff0a>\n",
      "2026-11-25 app[1:2] {length = 8, bytes = 0x01000000 017fff0a }\n",
      "{\"type\":\"Buffer\",\"data\":[1,0,0,0,1,127,255,10]}\n",
      "[]byte{0x1, 0x0, 0x0, 0x0, 0x1, 0x7f, 0xff, 0xa}\n",
      "new byte[] {(byte)0x01, (byte)0x00, 0, 0, 1, 127, (byte)0xff, 10}\n",
      "writev(3, [{iov_base=\"\\1\\0\\0\", iov_len=3}, {iov_base=\"\\0\\1\\177\\377\\n\", iov_len=5}], 2) = 8\n",
      "sendmsg(3, {msg_name=NULL, msg_iov=[{iov_base=\"\\1\\0\\0\\0\\1\\177\\377\\n\", iov_len=8}], msg_iovlen=1}, 0) = 8\n",
    ]
  )
  func `tools print the same bytes in ways of their own`(text: String) throws {
    #expect(HexDump.isLikely(Array(text.utf8)[...]))
    #expect(try bytes(text) == [1, 0, 0, 0, 1, 0x7F, 0xFF, 0x0A])
  }

  @Test func `both directions of a trace are told apart`() throws {
    for text in [
      "write(3, \"\\1\\0\", 2) = 2\nread(3, \"\\10\\2\", 6) = 2\n",
      "write to 0x1 [0x2] (2 bytes => 2 (0x2))\n0000 - 01 00  ..\n"
        + "read from 0x1 [0x2] (6 bytes => 2 (0x2))\n0000 - 08 02  ..\n",
    ] {
      let both = try HexDump.directions(of: Array(text.utf8)[...])
      #expect(both.provider == [1, 0] && both.answers == [8, 2])
    }
  }

  @Test func `Base64 is read where it begins as the protocol does`() throws {
    let frame = try report("frame.bin")
    let text = Data(frame).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    #expect(HexDump.isLikely(Array(text.utf8)[...]))
    #expect(try bytes(text + "\n") == frame)
    let other = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    #expect(HexDump.isLikely(Array(other.utf8)[...]))
    #expect(try bytes(other) == frame)
    #expect(!HexDump.isLikely(Array("Hello".utf8)[...]) && !HexDump.isLikely(Array("Zm9vYmFy".utf8)[...]))
  }

  @Test(
    arguments: [
      ("write(3, \"\\1\\0\"..., 45) = 45\n", "found a string that strace has cut"),
      ("write(3, \"\\1\", 45) = 45\n", "45 bytes were expected, as the call returned, found 1"),
      (
        "write(3, \"\\1\", 1) = 1\nwrite(4, \"\\1\", 1) = 1\n",
        "found a call on descriptor 4 after one on descriptor 3"
      ),
      ("writev(3, [{iov_base=\"\\1\"..., iov_len=40}], 1) = 40\n", "found a string that strace has cut"),
      ("{length = 60, bytes = 0x01000000 02201122 ... 33445566 }\n", "found \"... 33445566 \""),
      ("{length = 60, bytes = 0x01000000}\n", "60 bytes were expected, as the length says, found 4"),
      (
        "write to 0x1 [0x2] (4 bytes => 4 (0x4))\n0000 - 01 00  ..\n0002 - <SPACES/NULS>\n",
        "left out 2 at the end"
      ),
      ("write to 0x1 [0x2] (4 bytes => 4 (0x4))\n0000 - 01 00  ..\n", "2 more bytes were expected"),
    ]
  )
  func `bytes that a tool has left out are said, and none are dropped`(text: String, expected: String) {
    let found = #expect(throws: HexDump.Failure.self, "\(text)") { try bytes(text) }
    #expect(found?.message.contains(expected) == true, "\(String(describing: found))")
  }
}
