import Testing

@testable import APNSimCore

@Suite struct `Looking for bytes` {
  @Test func `a search for bytes takes those for plain that stand for themselves in JSON`() {
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

  @Test(arguments: [
    ("", false), ("aba", false), ("xabax", false), ("ababa", false), ("abaaba", true), ("xabaxxabax", true),
    ("abacaba", true), ("abab", false), ("aababaa", false),
  ]) func `a search for bytes finds what is there twice, apart from each other`(text: String, isTwice: Bool) {
    let found = Array(text.utf8).withUnsafeBytes { ByteSearch.isTwice(Array("aba".utf8), in: $0) }
    #expect(found == isTwice)
    #expect(!Array(text.utf8).withUnsafeBytes { ByteSearch.isTwice([], in: $0) })
  }
}
