import Testing

@testable import APNSimWire

/// The words of bits beside what they stand for, over bytes of all kinds, lengths and places.
@Suite struct `The copy of a text` {
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Mostly plain characters, so that there are runs of them as long as the words and longer.
  private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let oddity = UInt8.random(in: 1...60, using: &generator)
    return (0..<count).map { _ in
      if UInt8.random(in: 0..<oddity, using: &generator) == 0 {
        return .random(in: 0...255, using: &generator)
      }
      return .random(in: 0x5D...0x7F, using: &generator)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `the copy of a text knows where strings stop`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for count in Array(0...330) + [639, 640, 641, 700, 1023, 2048, 5000] {
      // At every alignment in memory.
      let margin = Int.random(in: 0..<64, using: &generator)
      let all = Self.bytes(margin + count, &generator)
      let bytes = all[margin...]
      let expected = (0...count).map { start in
        bytes.dropFirst(start).firstIndex { !Self.isPlain($0) }.map { $0 - margin } ?? count
      }
      all.withUnsafeBytes { all in
        IndexedText.with(UnsafeRawBufferPointer(rebasing: all[margin...])) { text in
          #expect(text.count == count)
          #expect(Array(text[0..<count]) == Array(bytes))
          #expect((count..<count + 64).allSatisfy { text[$0] == 0 })
          #expect((0...count).map { text.stop(from: $0) } == expected)
        }
      }
    }
  }

  @Test func `the copy of a text tells every byte apart`() {
    for byte in UInt8.min...UInt8.max {
      for place in [0, 1, 15, 16, 63, 64, 65, 130] {
        var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 140)
        bytes[place] = byte
        let stop = bytes.withUnsafeBytes { IndexedText.with($0) { $0.stop(from: 0) } }
        #expect(stop == (Self.isPlain(byte) ? 140 : place))
      }
    }
  }
}
