import APNSimTestSupport
import APNSimWire
import Testing

struct JSONValueTests {
  @Test func `a tree keeps order, duplicates and digits`() throws {
    let value = try JSONValue.parse(#" {"b":1.50,"a":[true,false,null,"x",{}],"b":1e400} "#)
    #expect(
      value
        == .object([
          .init(key: "b", value: .number("1.50")),
          .init(key: "a", value: .array([.bool(true), .bool(false), .null, .string("x"), .object([])])),
          .init(key: "b", value: .number("1e400")),
        ])
    )
    #expect(value.description == #"{"b":1.50,"a":[true,false,null,"x",{}],"b":1e400}"#)
    #expect(value.member("b") == .number("1e400"))
  }

  @Test(arguments: [
    "1", "-0.5e3", "true", "false", "null", #""a""#, "[]", "{}", #"[[],{"a":{}}]"#, #"{"a":"b:c,d"}"#,
  ])
  func `any value may be the root, and writes back`(json: String) throws {
    #expect(try JSONValue.parse(json).description == json)
  }

  @Test(arguments: [
    (#""\u0041\n\"\\\/\b\f\r\t""#, "A\n\"\\/\u{8}\u{c}\r\t"), (#""\ud83d\ude00""#, "😀"),
    (#""\ud83d""#, "\u{FFFD}"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\u0000""#, "\0"), (#""é日😀""#, "é日😀"),
  ])
  func `escapes become text, lone surrogates U+FFFD`(json: String, text: String) throws {
    #expect(try JSONValue.parse(json).stringValue == text)
  }

  @Test func `a path goes through objects and arrays`() throws {
    let value = try JSONValue.parse(
      #"{"aps":{"alert":{"body":"hi"},"a.b":1},"x":[{"y":2}],"com.example":{"k":3},"x.0":4}"#
    )
    #expect(value["aps.alert.body"]?.stringValue == "hi")
    #expect(value["aps.a.b"]?.intValue == 1)
    #expect(value["x.0.y"]?.intValue == 2)
    #expect(value["x.0"]?.intValue == 4)
    #expect(value["com.example.k"]?.intValue == 3)
    for path in ["", ".", "aps.", "x.1", "x.-1", "x.y", "aps.alert.body.z", "nothing"] {
      #expect(value[path] == nil)
    }
  }

  @Test func `the longest of names that a path begins with goes before, and the last of equal ones`() throws {
    let value = try JSONValue.parse(
      #"{"a":{"b.c":1,"b":{"c":2}},"a.b":{"c":3},"a.b":{"c":4},"x":{"y":{"z":5}},"x.y":{"w":6},"":{"":7}}"#
    )
    #expect(value["a.b.c"]?.intValue == 4)
    #expect(value["x.y.z"]?.intValue == 5)
    #expect(value["x.y.w"]?.intValue == 6)
    #expect(value["."]?.intValue == 7)
  }

  @Test func `a name is found by its code points, and separated by the code point of a dot`() throws {
    let value = try JSONValue.parse(
      "{\"e\u{301}.x\":{\"y\":1},\"K\":2,\"a\":{\"\u{301}b\":3},\"c.\u{301}d\":{\"e\":4},\"\u{E9}\":5}"
    )
    #expect(value["e\u{301}.x.y"]?.intValue == 1)
    #expect(value["\u{E9}.x.y"] == nil)
    #expect(value["\u{E9}"]?.intValue == 5)
    #expect(value["\u{212A}"] == nil)
    #expect(value.member("\u{212A}") == nil)
    #expect(value["a.\u{301}b"]?.intValue == 3)
    #expect(value["c.\u{301}d.e"]?.intValue == 4)
  }

  @Test func `texts and names are equal by their code points`() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.string("\r\n") == .string("\r\n"))
    let names = ["\u{E9}", "e\u{301}"].map { JSONValue.Member(key: $0, value: .null) }
    #expect(names[0] != names[1])
    #expect(Set(names).count == 2)
    #expect(Set(names.map { ExactText($0.key) }).count == 2)
  }

  @Test(.mustNotHang) func `a path of many dots is looked for in no time`() {
    let dots = String(repeating: ".", count: 60_000)
    var value = JSONValue.number("1")
    for _ in 0..<400 { value = .object([JSONValue.Member(key: "", value: value)]) }
    #expect(value[dots] == nil)
  }

  @Test func `accessors answer for their own type only`() throws {
    #expect(JSONValue.number("5").intValue == 5)
    #expect(JSONValue.number("5.0").intValue == nil)
    #expect(JSONValue.number("5.5").doubleValue == 5.5)
    #expect(JSONValue.bool(true).intValue == nil)
    #expect(JSONValue.number("1").boolValue == nil)
    #expect(JSONValue.string("1").intValue == nil)
    #expect(JSONValue.object([]).arrayValue == nil)
    #expect(JSONValue.array([]).objectValue == nil)
  }

  @Test func `UTF-16 and UTF-32 parse like UTF-8`() throws {
    let json = #"{"a":"é😀"}"#
    let value = try JSONValue.parse(json)
    #expect(try JSONValue.parse(json.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == value)
    let utf32 = json.unicodeScalars.flatMap { scalar in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
    }
    #expect(try JSONValue.parse(utf32) == value)
  }

  @Test func `an error says where, what was expected and what was found`() {
    #expect(throws: JSONError(offset: 3, expected: "a value after ','", found: "']'")) {
      try JSONValue.parse("[1,]")
    }
    #expect(throws: JSONError(offset: 0, expected: "a value", found: "the end of the payload")) {
      try JSONValue.parse("")
    }
  }

  @Test func `512 levels parse, 513 do not`() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try JSONValue.parse(deep).description == deep)
    #expect(throws: JSONError.self) { try JSONValue.parse("[" + deep + "]") }
  }
}
