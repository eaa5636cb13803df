import APNSimScenario
import APNSimWire
import Testing

@testable import APNSimImport

private let zeros = String(repeating: "0", count: 60)

@Suite struct `Hex texts` {
  @Test(
    arguments: [
      "0001020a", "00 01 02 0A", "00:01:02:0a", "0x00, 0x01, 0x02, 0x0a", "# a frame\n00 01 # two\n\n02 0a\n",
      "00000000: 0001 020a                                ....\n",
      "00000000: 0001                                     ..\n00000002: 020a                                     ab\n",
      "00000000  00 01 02 0a                                       |....|\n00000004\n",
      "000000 00 01 02 0a  >....<\n000004\n", "0000   00 01 02 0a   ab c\n",
      "000000 00 01 02 0a\n000004\n", "00000000: 0001 020a  61 62\n", "0001\r\n020a\r\n",
      "0000000 00 01 02 0a\n0000004\n", "0000000    00  01  02  0a            \n0000004\n",
      "# Gerät ä, das erste\n0001 # schön\n020a\n", "\\x00\\x01\\x02\\x0a", "\\x00 \\x01, \\x02\\x0A\n",
      "\u{FEFF}0001020a\n", "0x7ffee4c0:\t0x00\t0x01\t0x02\t0x0a\n",
      "0x7ffee4c0 <frame>:\t0x00\t0x01\r\n0x7ffee4c2 <frame+2>:\t0x02\t0x0a\r\n",
      "0x7ffee4cf <std::array<int, 2>::x>:\t0x00\t0x01\n\n0x7ffee4d1:\t0x02\t0x0a",
      "00-01-02-0A", "00-01\n02-0a\n",
      "unsigned char frame_bin[] = {\n  0x00, 0x01,\n  0x02, 0x0a\n};\n"
        + "unsigned int frame_bin_len = 4;\n", "static const uint8_t x[4] = { 0x00, 0x01, 0x02, 0x0A };",
      "0x100003f50: 00 01 02 0a                                      #...\n",
    ]
  )
  func `the same bytes are read from every form`(text: String) throws {
    #expect(HexDump.isLikely(Array(text.utf8)[...]))
    #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == [0, 1, 2, 10])
  }

  @Test func `mistakes in an array of source code stand where they are in the text`() {
    let text = Array("unsigned char x[] = {\n  0x00, 0x0g\n};\n".utf8)
    #expect(HexDump.isLikely(text[...]))
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: text[...]) }
    #expect(found?.place == ":2:12", "\(found)")
    for text in ["-00-01", "00-01-", "00--01", "0-001"] {
      #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    }
  }

  @Test func `a squeezed dump is whole again`() throws {
    let text = """
      00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
      *
      00000030  01 02                                             |..|
      00000032
      """
    #expect(
      try HexDump.bytes(of: Array(text.utf8)[...]) == [UInt8](repeating: 0, count: 48) + [1, 2]
    )
  }

  @Test(arguments: [4, 8, 32]) func `a squeezed dump repeats its last line, however wide`(width: Int) throws {
    let (first, second) = ([UInt8](repeating: 1, count: width), [UInt8](repeating: 0x41, count: width))
    func line(_ offset: Int, _ bytes: [UInt8]) -> String {
      let digits = String(offset, radix: 16)
      return String(repeating: "0", count: 6 - digits.count) + digits
        + bytes.map { " \(Hex.encode([$0]))" }.joined() + "\n"
    }
    let text = line(0, first) + line(width, second) + "*\n" + line(5 * width, [2]) + line(5 * width + 1, [])
    let all = first + second + second + second + second + [2]
    #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == all)
  }

  @Test(arguments: ["0102\r# a comment\r0304", "# a comment\r0102\r0304\r", "0102\r\n# a comment\r\n0304"])
  func `a comment ends with its line, whatever that ends with`(text: String) throws {
    #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == [1, 2, 3, 4])
  }

  @Test func `a run of millions of bytes is squeezed of any line, and a longer one is damage`() throws {
    func dump(_ line: String, to end: String) -> ArraySlice<UInt8> {
      Array("00000000  \(line)  |.|\n*\n\(end)  09  |.|\n".utf8)[...]
    }
    for line in ["01", "01 02 03"] {
      let bytes = try HexDump.bytes(of: dump(line, to: "00fffff0"))
      #expect(bytes.count == 0xFFFFF1 && bytes.last == 9)
      #expect(bytes[0xFFFFEF] == (line == "01" ? 1 : UInt8(0xFFFFEF % 3 + 1)))
    }
    #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: dump("01", to: "01fffff0")) }
  }

  @Test func `xxd may count in decimal, and leave lines out as it does`() throws {
    let line = "0000 0000 0000 0000 0000 0000 0000 0000  ................\n"
    let text =
      "00000000: " + line + "*\n00000048: " + line + "00000064: 0102                                     ..\n"
    #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == [UInt8](repeating: 0, count: 64) + [1, 2])
  }

  @Test func `bits are said to be some`() {
    let text = """
      00000000: 00000001 00000000 00000000 00000000 00000001 01111111  ......
      00000006: 11111111 11111111 11111111 00000000 00100000 00000000  .... .
      """
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(found?.message == "pairs of hex digits were expected, found bits")
    #expect(found?.line == 1 && found?.hint == "xxd -b prints bits; xxd does not")
    // Of four bytes in a word there are four in the gutter.
    let words = "00000000: 00000001 11111111  ........\n"
    #expect((try? HexDump.bytes(of: Array(words.utf8)[...])) == [0, 0, 0, 1, 0x11, 0x11, 0x11, 0x11])
  }

  @Test func `the last line of od is an offset, also after a single byte`() throws {
    #expect(try HexDump.bytes(of: Array("000000 61\n000001\n".utf8)[...]) == [0x61])
    #expect(try HexDump.bytes(of: Array("000000 61\n000002\n".utf8)[...]) == [0, 0, 0, 0x61, 0, 0, 2])
  }

  @Test func `words that are swapped show in the text beside them`() throws {
    let text = "00000000: 64636261 68676665 6c6b6a69 706f6e6d  abcdefghijklmnop\n"
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(found?.line == 1 && found?.hint == "xxd -e swaps the bytes of words; xxd does not")
    let straight = "00000000: 61626364 65666768 696a6b6c 6d6e6f70  abcdefghijklmnop\n"
    #expect(try HexDump.bytes(of: Array(straight.utf8)[...]) == Array("abcdefghijklmnop".utf8))
  }

  @Test func `frames of zeros in plain digits are no offsets`() throws {
    let text = "00000000\n00000000\n"
    #expect(try HexDump.bytes(of: Array(text.utf8)[...]) == [UInt8](repeating: 0, count: 8))
  }

  @Test(
    arguments: [
      ("00 01\n0g", 2, "pairs of hex digits were expected, found \"0g\""),
      ("00 012", 1, "pairs of hex digits were expected, found \"012\""),
      ("0000000 0100 0a02\n0000004\n", 1, "pairs of hex digits were expected, found \"0100\""),
      ("0000000 000400 005002\n0000004\n", 1, "pairs of hex digits were expected, found \"000400\""),
      ("00\n" + zeros + "0", 2, "pairs of hex digits were expected, found 61 of them in a row"),
      (
        "00\n" + zeros + "\u{7}g" + zeros, 2,
        "pairs of hex digits were expected, found \"?g000000000000000000…\""
      ),
      (
        "0000004c: 0001 020a  ....\n", 1,
        "offset 0 was expected, found \"0000004c:\": the dump is not of the beginning"
      ),
      (
        "0000004c  00 01 02 0a  |....|\n", 1,
        "offset 0 was expected, found \"0000004c\": the dump is not of the beginning"
      ),
      (
        "0000000 00 01 02 0a\n0000010 00\n", 2,
        "the offset 0000004 was expected, found \"0000010\": lines are missing"
      ),
      (
        "0000   00 01 02 0a\n0004   00\n\n0000   00 01\n", 4,
        "offset 0 a second time: the bytes of one stream were expected, found another packet or file"
      ),
      (
        "12:00:00.5 IP 10.0.0.1.5 > 10.0.0.2.2195: Flags [P.]\n\t0x0000:  4500 0034\n", 2,
        "the bytes of one stream were expected, found packets as tcpdump prints them"
      ),
      (
        "00000000: 0001 020a\n00000010: 0102\n", 2,
        "the offset 00000004 was expected, found \"00000010:\": lines are missing"
      ),
    ]
  )
  func `what is no hex is named with its line`(text: String, line: Int, message: String) {
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(found?.line == line && found?.message == message)
  }

  @Test func `the offsets of od are octal, decimal or hex, as they fit together`() throws {
    let bytes = (0..<40).map { UInt8($0) }
    func dump(_ radix: Int) -> String {
      let places = [0, 16, 32, 40].map { place in
        let digits = String(place, radix: radix)
        let line = bytes[place..<min(place + 16, 40)].map { Hex.encode([$0]) }.joined(separator: " ")
        return String(repeating: "0", count: 7 - digits.count) + digits + " " + line
      }
      return places.joined(separator: "\n") + "\n"
    }
    for radix in [8, 10, 16] { #expect(try HexDump.bytes(of: Array(dump(radix).utf8)[...]) == bytes) }
  }

  @Test func `offsets of od after squeezed lines are read where they fit in one way only`() throws {
    let line = " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
    let octal = "0000000\(line)*\n0000100\(line)0000120 01\n0000121\n"
    #expect(try HexDump.bytes(of: Array(octal.utf8)[...]) == [UInt8](repeating: 0, count: 80) + [1])
    let open = "0000000\(line)*\n0000060 01\n0000061\n"
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(open.utf8)[...]) }
    #expect(
      found?.line == 2 && found?.message == "the offsets after \"*\" can be read as octal, decimal or hex"
    )
  }

  @Test(arguments: [
    ("0x7ffee4c0:\t0x00\t0x01\n0x7ffee4c8:\t0x02\n", 2, nil, "the address 0x7ffee4c2 was expected"),
    ("0x7ffee4c0 <a>:\t0x00010203\n", 1, 17, #"found "0x00010203""#),
    ("0x7ffee4c0:\t0x00\n(gdb) quit\n", 2, nil, #"an address was expected, found "(gdb)""#),
  ])
  func `a debugger's dump is of one piece, byte by byte`(
    text: String,
    line: Int,
    column: Int?,
    message: String
  ) {
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(
      found?.line == line && found?.column == column && found?.message.contains(message) == true,
      "\(found)"
    )
  }

  @Test func `what is wrong in a long line is shown from its place on`() {
    let text = zeros + "O" + zeros
    #expect(HexDump.isMeant(Array(text.utf8)[...]))
    let found = #expect(throws: HexDump.Failure.self) { try HexDump.bytes(of: Array(text.utf8)[...]) }
    #expect(found?.line == 1 && found?.column == 61)
  }

  @Test func `binary and prose are not taken for hex`() {
    #expect(!HexDump.isMeant(Array("Dear customer".utf8)[...]))
    #expect(!HexDump.isLikely([0, 0, 32, 1]))
    #expect(!HexDump.isLikely(Array("Dear customer".utf8)[...]))
  }
}
