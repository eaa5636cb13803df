import APNSimWire
import Foundation
import Testing

@testable import APNSimCapture

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

  @Test(.timeLimit(.minutes(1)))
  func `a line as long as a file is not read from each of its words on`() {
    let words = String(repeating: "abcd ", count: 200_000)
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
}
