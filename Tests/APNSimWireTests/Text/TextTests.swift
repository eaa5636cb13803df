import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

struct HexTests {
  @Test(arguments: 0...70) func `eight digits at once are what each is by itself`(count: Int) {
    let alphabet = Array("0123456789abcdefABCDEF".utf8)
    let digits = (0..<count).map { alphabet[($0 * 7 + count) % alphabet.count] }
    digits.withUnsafeBytes { text in
      #expect(Hex.areDigits(text))
      guard count % 2 == 0 else { return }
      var bytes = [UInt8](repeating: 0xFF, count: count / 2)
      bytes.withUnsafeMutableBytes { Hex.decode(text, to: $0) }
      #expect(bytes == Hex.decode(text))
    }
    for place in digits.indices {
      var text = digits
      for byte in UInt8.min...UInt8.max where Hex.value(of: byte) == nil {
        text[place] = byte
        #expect(text.withUnsafeBytes { !Hex.areDigits($0) })
      }
    }
  }

  @Test func `every byte survives the round trip, in either case`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Hex.encode(bytes) == bytes.map { String(format: "%02x", $0) }.joined())
    #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    #expect(Hex.decode(Hex.encode(bytes).uppercased()) == bytes)
    #expect(Hex.decode("") == [])
  }

  @Test(arguments: ["0", "012", "0g", "g0", " 01", "01 ", "01 02", "0x01", "é", "٠١"])
  func `anything but an even number of digits is refused`(text: String) {
    #expect(Hex.decode(text) == nil)
  }

  @Test func `a commented text has spaces, line ends and comments`() {
    #expect(Hex.decode(commented: "01 # one\r\n# 99\n\t02 0 3 #") == [1, 2, 3])
    #expect(Hex.decode(commented: "01 xx") == nil)
    #expect(Hex.decode(commented: "01 0") == nil)
  }
}

struct Base64Tests {
  @Test func `bytes of every length encode as Foundation encodes them, and back`() {
    var generator = SeededGenerator(seed: 64)
    for length in 0..<300 {
      let bytes = generator.bytes(length)
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test func `every byte is a digit or is not, wherever it stands`() {
    let digits = Array(Data((0..<72).map { UInt8($0 * 3) }).base64EncodedString().utf8)
    for place in digits.indices {
      for byte in UInt8.min...UInt8.max {
        var text = digits
        text[place] = byte
        var bytes: [UInt8] = []
        let isGood = text.withUnsafeBytes { Base64.decode($0, into: &bytes) }
        let expected = Data(base64Encoded: Data(text)).map { Array($0) }
        // Foundation lets a padding pass that leaves bits over.
        if byte == UInt8(ascii: "="), place >= digits.count - 2 { continue }
        #expect((isGood ? bytes : nil) == expected, "\(byte) at \(place)")
      }
    }
  }

  static let loose = [
    "A", "AA", "AAA", "AA==AA==", "A===", "====", "AA=A", "AAA-", "AA A", "AAAA\n", "AB==", "AAB=",
  ]

  @Test(arguments: loose)
  func `loose texts are refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｶﾅ", 2), ("Ａ", 2), ("한", 2), ("👍🏽", 2),
    ("👩‍👩‍👧", 2), ("—…", 2),
  ])
  func `a text is as wide as a terminal shows it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }
}

struct TokenSizesTests {
  @Test func `32 is the only size until another is inserted`() {
    var sizes = TokenSizes()
    #expect(sizes.values == [32])
    for size in [1, 54, 63, 64, 100, 0, -1, 101, .max, .min] { sizes.insert(size) }
    #expect(sizes.values == [1, 32, 54, 63, 64, 100])
    #expect(!sizes.contains(0) && !sizes.contains(101) && !sizes.contains(.max) && !sizes.contains(.min))
  }

  @Test func `a command set knows its command bytes`() {
    #expect((0...255).filter { CommandSet.all.contains(command: UInt8($0)) } == [0, 1, 2])
    #expect(CommandSet([.simple, .framed]).contains(command: 2))
    #expect(!CommandSet([.simple, .framed]).contains(command: 1))
  }
}
