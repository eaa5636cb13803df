import APNSimWire
import Testing

/// Bytes that are no frame: which defect, where, and which identifier can still be echoed.
struct FrameDefectTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: String
    var defect: FrameDefect
    var offset: Int
    var identifier: String = "00000000"
    var testDescription: String { name }
  }

  static let id = "03 0004 01020304"

  static let cases = [
    Case(name: "command 3", bytes: "03", defect: .unknownCommand, offset: 0),
    Case(name: "an HTTP client", bytes: "474554202f", defect: .unknownCommand, offset: 0),
    Case(name: "frame length 0", bytes: "02 00000000", defect: .emptyFrame, offset: 1),
    Case(name: "frame length 131073", bytes: "02 00020001", defect: .frameTooLong, offset: 1),
    Case(name: "frame length 4294967295", bytes: "02 ffffffff", defect: .frameTooLong, offset: 1),
    Case(
      name: "1 stray byte",
      bytes: "02 00000008 \(id) 00",
      defect: .strayBytes,
      offset: 12,
      identifier: "01020304"
    ),
    Case(name: "2 stray bytes", bytes: "02 00000002 0101", defect: .strayBytes, offset: 5),
    Case(name: "item 0", bytes: "02 00000003 00 0000", defect: .unknownItem, offset: 5),
    Case(
      name: "item 6 after the identifier",
      bytes: "02 0000000b \(id) 06 0001 00",
      defect: .unknownItem,
      offset: 12,
      identifier: "01020304"
    ),
    Case(
      name: "item 6 before the identifier",
      bytes: "02 0000000b 06 0001 00 \(id)",
      defect: .unknownItem,
      offset: 5
    ),
    Case(name: "item 255", bytes: "02 00000003 ff 0000", defect: .unknownItem, offset: 5),
    Case(
      name: "two identifiers: the first is echoed",
      bytes: "02 0000000e \(id) 03 0004 a1b2c3d4",
      defect: .duplicateItem,
      offset: 12,
      identifier: "01020304"
    ),
    Case(name: "two empty tokens", bytes: "02 00000006 01 0000 01 0000", defect: .duplicateItem, offset: 8),
    Case(name: "two payloads", bytes: "02 00000008 02 0001 20 02 0001 20", defect: .duplicateItem, offset: 9),
    Case(
      name: "two priorities",
      bytes: "02 00000008 05 0001 0a 05 0001 0a",
      defect: .duplicateItem,
      offset: 9
    ),
    Case(
      name: "identifier of 3 bytes",
      bytes: "02 00000006 03 0003 010203",
      defect: .wrongItemLength,
      offset: 6
    ),
    Case(
      name: "identifier of 5 bytes",
      bytes: "02 00000008 03 0005 0102030405",
      defect: .wrongItemLength,
      offset: 6
    ),
    Case(name: "expiry of 8 bytes", bytes: "02 00000003 04 0008", defect: .wrongItemLength, offset: 6),
    Case(name: "priority of 0 bytes", bytes: "02 00000003 05 0000", defect: .wrongItemLength, offset: 6),
    Case(name: "priority of 2 bytes", bytes: "02 00000005 05 0002 000a", defect: .wrongItemLength, offset: 6),
    Case(name: "token past the end", bytes: "02 00000004 01 0020 00", defect: .itemOverrun, offset: 6),
    Case(name: "payload past the end", bytes: "02 00000003 02 ffff", defect: .itemOverrun, offset: 6),
    Case(
      name: "identifier past the end",
      bytes: "02 00000006 03 0004 010203",
      defect: .itemOverrun,
      offset: 6
    ),
  ]

  @Test(arguments: cases)
  func `a defect has its place and keeps the identifier before it`(_ test: Case) throws {
    for mode in [FrameDecoder.Mode.judging(FrameLimits()), .reading] {
      let frame = try #require(decode(hex(test.bytes), mode))
      #expect(frame.form == .malformed)
      #expect(frame.defect == test.defect)
      #expect(frame.defectOffset == test.offset)
      #expect(frame.identifier.hex == test.identifier)
    }
  }

  @Test func `a command that is switched off is unknown`() throws {
    let frame = try #require(decode([2], .judging(FrameLimits(commands: [.simple, .enhanced]))))
    #expect(frame.defect == .unknownCommand)
    #expect(frame.end == 1)
    #expect(decode([2], .reading) == nil)
  }

  @Test func `a frame length is refused before the frame arrives, an item only after`() {
    #expect(decode(hex("02 000000")) == nil)
    #expect(decode(hex("02 00020001"))?.end == 5)
    #expect(decode(hex("02 00020000")) == nil)
    #expect(decode(hex("02 00000004 06 0000")) == nil)
    #expect(decode(hex("02 00000004 06 0000 00"))?.end == 9)
  }

  @Test func `a gateway may take shorter frames, never longer ones`() {
    #expect(decode(hex("02 00001001"), .judging(FrameLimits(frame: 4096)))?.defect == .frameTooLong)
    #expect(decode(hex("02 00020001"), .judging(FrameLimits(frame: .max)))?.defect == .frameTooLong)
  }

  @Test func `every defect says what it is`() {
    #expect(Set(FrameDefect.allCases.map(\.summary)).count == FrameDefect.allCases.count)
  }
}
