import APNSimWire
import Foundation
import Testing

struct JSONWriterTests {
  @Test func `commas and colons come by themselves`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.int(1)
    writer.key("b")
    writer.beginArray()
    writer.int(-2)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.bool(true)
    writer.bool(false)
    writer.endArray()
    writer.key("c" + "d")
    writer.raw(#"{"x":1}"#.utf8)
    writer.key("h")
    writer.hex([0, 0x9F, 0xFF])
    writer.key("s")
    writer.base64([1, 2, 3, 4])
    writer.endObject()
    let expected = #"{"a":1,"b":[-2,{},[],null,true,false],"cd":{"x":1},"h":"009fff","s":"AQIDBA=="}"#
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test func `integers of every width are written in full`() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.int(Int.min)
    writer.int(Int.max)
    writer.int(UInt64.max)
    writer.int(UInt8(0))
    writer.endArray()
    let expected = "[-9223372036854775808,9223372036854775807,18446744073709551615,0]"
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test func `any string survives the round trip`() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
        let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
        return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator))
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      var writer = JSONWriter()
      writer.beginObject()
      writer.key(text)
      writer.string(text)
      writer.endObject()
      let value = try JSONValue.parse(writer.bytes)
      #expect(value == .object([.init(key: text, value: .string(text))]))
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(writer.bytes)) }
    }
  }

  @Test func `control characters take the short escape where there is one`() {
    var writer = JSONWriter()
    writer.string("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}")
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == #""\u0000\b\t\n\u000b\f\r\u001f\"\\/"# + "\u{7f}\""
    )
  }

  @Test func `lines follow each other and the memory is kept`() {
    var writer = JSONWriter(reservingCapacity: 100)
    for number in 1...2 {
      writer.beginArray()
      writer.int(number)
      writer.endArray()
      writer.newline()
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1]\n[2]\n")
    writer.removeAll()
    writer.int(3)
    #expect(writer.bytes == [0x33])
  }
}
