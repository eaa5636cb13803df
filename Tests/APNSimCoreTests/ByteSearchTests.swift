import Testing

@testable import APNSimCore

@Suite struct `Looking for bytes` {
  @Test func `takes those for plain that stand for themselves in JSON`() {
    for byte in UInt8.min ... .max {
      let isPlain = (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\\")
      for place in 0..<40 {
        var text = [UInt8](repeating: UInt8(ascii: "x"), count: 40)
        text[place] = byte
        #expect(text.withUnsafeBytes(ByteSearch.isPlain) == isPlain, "\(byte) at \(place)")
      }
    }
    #expect([UInt8]().withUnsafeBytes(ByteSearch.isPlain))
  }
}
