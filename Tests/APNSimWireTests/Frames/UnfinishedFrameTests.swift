import APNSimWire
import Testing

@Suite struct `An unfinished frame` {
  @Test(
    arguments: [
      ([], nil), ([7, 0], nil), ([2], "1 of at least 5 bytes of a command 2 frame"),
      ([2, 0, 0, 0, 69, 1], "6 of 74 bytes of a command 2 frame"),
      ([0, 0], "2 of at least 5 bytes of a command 0 frame"),
      ([0, 0, 32], "3 of at least 37 bytes of a command 0 frame"),
      ([0, 0, 1, 9, 0, 2, 0x7B], "7 of 8 bytes of a command 0 frame"),
      ([1, 0, 0, 0, 1], "5 of at least 13 bytes of a command 1 frame"),
      ([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 32], "11 of at least 45 bytes of a command 1 frame"),
      ([2, 0xFF, 0xFF, 0xFF, 0xFF], "5 of 4294967300 bytes of a command 2 frame"),
    ] as [([UInt8], String?)]
  )
  func `an unfinished frame says how much of it has come`(bytes: [UInt8], text: String?) {
    #expect(bytes.withUnsafeBytes { UnfinishedFrame($0) }?.description == text)
  }
}
