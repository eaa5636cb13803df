import APNSimWire
import Testing

@testable import APNSimScenario

@Suite struct `A JSON document` {
  @Test(arguments: [
    "x \u{2028} y", "x \u{2029} y", "x\u{85}y", "\u{7F}", "\u{9F}", "\u{FEFF}", "\u{FFFF}", "&x ]: * ?",
    "\\ud83d\\ude00",
    "\\u0085\\/\\\"\\n",
  ])
  func `a JSON document says what its strings say`(text: String) throws {
    let json = "{\"\(text)\":[\"\(text)\",\"&x\",{}],\"n\":-1.50e3,\"f\":false,\"z\":null}"
    #expect(try BodyText.read(json) { $0.json } == JSONValue.parse(json))
    #expect(try Document(text: json, name: "a.json").root.json == JSONValue.parse(json))
  }

  @Test func `a JSON document may have long keys, and pointers to them`() throws {
    let key = String(repeating: "k", count: 3000)
    let json = "{\"\(key)\":{\"a\":1}}"
    #expect(try BodyText.read(json) { $0.json } == JSONValue.parse(json))
    let error = #expect(throws: DocumentError.self) {
      try BodyText.read(json) { root -> Bool? in
        root.entries("a body").first?.value.report("not this")
        return true
      }
    }
    #expect(error?.problems.first?.pointer == "/\(key)")
    #expect(error?.problems.first?.location == APNSimScenario.SourceLocation(line: 1, column: 3005))
  }

  @Test func `a JSON document has its values where an editor shows them`() throws {
    let json =
      "{\"\\ud83d\\ude00\": \"\u{2028}\u{85}\u{1F600}\", \"b\" :[1,\r\n\t{}],\n\"c\":\"\\u0041\" , \"d\":0}"
    var places: [APNSimScenario.SourceLocation] = []
    for entry in try Document(text: json, name: "a.json").root.entries("it") {
      places += [entry.key.location, entry.value.location]
      if entry.name == "b" { places += (entry.value.list("some") ?? []).map(\.location) }
    }
    #expect(
      places.map { "\($0.line):\($0.column)" } == [
        "1:2", "1:18", "1:25", "1:30", "1:31", "2:2", "3:1", "3:5", "3:16", "3:20",
      ]
    )
  }

  @Test(arguments: [
    ("{\"b\":1,\"a\":[],\"a\":2}", "1:8 duplicate key \"a\""),
    (
      "{\n  \"a\": 1,\n  \"a\": 2\n}",
      "3:3 duplicate key \"a\"; the first is on line 2"
    ),
  ])
  func `a JSON document has no key twice`(text: String, expected: String) {
    #expect(findings(in: text) == [expected])
  }

  @Test func `a JSON document is not read with half of a surrogate pair`() {
    #expect(throws: DocumentError.self) { try BodyText.read(#"{"a":"\ud83d"}"#) { $0.json } }
  }
}
