import Testing

@testable import APNSimWire

@Suite struct `What a payload means` {
  private static func meaning(_ payload: String) -> UInt64 {
    Array(payload.utf8).withUnsafeBytes { PayloadMeaning.of($0) }
  }

  /// More containers and more names than a scan has room for.
  private static let deep =
    String(repeating: "[", count: 40) + #"{"a":1}"# + String(repeating: "]", count: 40)
  private static let names = (0..<100).map { #""name\#($0)":\#($0)"# }
  private static let wide = "{" + names.joined(separator: ",") + "}"

  /// Payloads in a row mean the same.
  static let rows: [[String]] = [
    [#"{"aps":{"alert":"a","badge":1},"x":[1,2]}"#, #"{"x": [1, 2],"aps":{"badge":1,"alert":"a"}}"#],
    [#"{"aps":{"alert":"a","badge":1},"x":[2,1]}"#],
    [#"{"aps":{"alert":"a"},"badge":1,"x":[1,2]}"#],
    [#"{"aps":{"badge":"a","alert":1},"x":[1,2]}"#],
    [#"{"x":2,"aps":{}}"#, #"{"aps":{},"x":1,"x":2}"#, #"{"x":{"y":3},"aps":{"a":1},"aps":{},"x":2}"#],
    [#"{"x":2,"aps":{"a":1}}"#, #"{"aps":{},"x":2,"\u0061ps":{"a":1}}"#],
    [#"{"a":"\u00e9\n\/"}"#, #"{"\u0061":"é\u000a/"}"#],
    [#"{"a":"e\u0301\n/"}"#],
    [#"{"a":"\ud83d\ude00"}"#, #"{"a":"😀"}"#],
    [#"{"a":"\ud83d"}"#, #"{"a":"\ufffd"}"#],
    [#"{"a":10}"#, #"{"a":1e1}"#, #"{"a":10.0}"#, #"{"a":100E-1}"#],
    [#"{"a":-10}"#, #"{"a":-1e1}"#],
    [#"{"a":0}"#, #"{"a":-0}"#, #"{"a":0.0}"#, #"{"a":-0e5}"#],
    [#"{"a":1e999}"#, #"{"a":10e998}"#],
    [#"{"a":123456789012345}"#, #"{"a":123456789012345.0}"#],
    [#"{"a":1234567890123456}"#],
    [#"{"a":12345678901234567890}"#],
    [#"{"a":12345678901234567891}"#],
    [#"{"a":true}"#], [#"{"a":false}"#], [#"{"a":null}"#], [#"{"a":"true"}"#], [#"{"a":"10"}"#],
    [#"{"a":{}}"#, #"{"a":{ }}"#], [#"{"a":[]}"#], ["{}"], ["[]", " [ ] "], [#"{"a":[[]]}"#],
    [#"{"a":[{}]}"#],
    [#"{"a":[{},[]]}"#], [#"{"a":{"0":1}}"#], [#"{"a":[1]}"#], [#"{"a":[1,1]}"#], [#"{"a":{"b":1},"c":2}"#],
    [#"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2,"b":1}}"#], [#"[{"a":1},{"b":2}]"#], [#"[{"b":2},{"a":1}]"#],
    [#"[{"a":1,"b":2}]"#, #"[{"b":2,"a":1}]"#], ["1"], [#""1""#], ["12345678"],
    [#"{"a":"12345678"}"#], [#"{"a":"123456789"}"#], [#"{"a":""}"#], [#"{"a":"\u0000"}"#], [#"{"":"a"}"#],
    [deep, " " + deep], [deep.replacing("1", with: "2")],
    [wide, "{" + names.reversed().joined(separator: ", ") + "}"],
    ["{" + (names + [#""name7":8"#]).joined(separator: ",") + "}", wide.replacing(":7,", with: ":8,")],
    // A text that is no JSON means its bytes.
    ["{"], ["{ "], [""], [#"{"a":01}"#], [#"{"a" :01}"#], [#"{"a":1,}"#],
  ]

  @Test(arguments: rows)
  func `a payload means the same however it is written`(row: [String]) {
    #expect(Set(row.map(Self.meaning)).count == 1)
  }

  @Test func `every other value has another meaning`() {
    #expect(Set(Self.rows.map { Self.meaning($0[0]) }).count == Self.rows.count)
  }

  @Test func `what a payload means does not depend on its encoding`() {
    for payload in Self.rows.joined() where payload.utf8.count > 3 {
      let wide = payload.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      let isJSON = Array(payload.utf8).withUnsafeBytes { PayloadJudge.judge($0).problem.isJSON }
      guard isJSON else { continue }
      #expect(wide.withUnsafeBytes { PayloadMeaning.of($0) } == Self.meaning(payload))
    }
  }
}
