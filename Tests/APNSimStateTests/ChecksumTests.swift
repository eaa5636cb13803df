import CProcessor
import Testing

@testable import APNSimState

@Suite struct `Checksums of the log` {
  private static func sum(_ bytes: [UInt8], after seed: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { Checksum.of($0, after: seed) }
  }

  @Test(
    arguments: [
      // RFC 3720, section B.4, and the check value of the catalogue of CRCs.
      (Array("123456789".utf8), 0xE306_9283),
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      (Array(0..<32), 0x46DD_794E),
      (Array((0..<32).reversed()), 0x113F_DB5C),
      ([], 0),
    ] as [([UInt8], UInt32)]
  )
  func `the checksums of the log are CRC-32C`(bytes: [UInt8], sum: UInt32) {
    #expect(Self.sum(bytes) == sum)
  }

  @Test func `checksums are the same with and without the processor's instruction, at any length and place`()
  {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }
    for start in 0..<9 {
      for end in start..<bytes.count {
        let part = Array(bytes[start..<end])
        let slow = part.withUnsafeBufferPointer { ~apnsim_crc32c_slowly(~0, $0.baseAddress, $0.count) }
        #expect(Self.sum(part) == slow)
      }
    }
  }

  @Test func `the checksum of the whole follows from that of its beginning`() {
    let bytes = Array("what comes after another".utf8)
    for cut in 0...bytes.count {
      #expect(Self.sum(Array(bytes[cut...]), after: Self.sum(Array(bytes[..<cut]))) == Self.sum(bytes))
    }
  }
}
