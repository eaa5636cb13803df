import APNSimWire
import Testing

/// The facts that the judge gathers, and its diagnosis of a refusal.
struct FactsTests {
  @Test(arguments: [
    ("5", 5), ("0", 0), ("-3", -3), ("1.9", 1), ("-1.9", -1), ("0.99", 0), ("1e2", 100), ("1.25e1", 12),
    ("25e-1", 2),
    ("0.001e4", 10), ("1e-400", 0), ("1e400", .max), ("-1e400", .min), ("0e999999999999999999999", 0),
    ("-0", 0),
    ("9223372036854775807", .max), ("9223372036854775808", .max), ("-9223372036854775808", .min),
    ("99999999999999999999e-1", .max), ("100000000000000000000e-20", 1), ("1e-99999999999999999999", 0),
    ("1E99999999999999999999", .max), ("9223372036854775807.5", .max),
    ("12345678901234567890e-10", 1_234_567_890),
  ])
  func `a badge is the number cut off toward zero and clamped`(digits: String, value: Int) {
    let facts = judge("{\"aps\":{\"badge\":\(digits),\"content-available\":\(digits)}}").facts
    #expect(facts.badge == value)
    #expect(facts.contentAvailable == value)
    #expect(facts.hasBadge && facts.hasContentAvailable)
  }

  @Test func `a key counts when it has a value of its type`() {
    let facts = judge(#"{"aps":{"alert":"a","badge":1,"sound":"s","content-available":1}}"#).facts
    #expect(facts.hasAPS && facts.hasAlert && facts.hasBadge && facts.hasSound && facts.hasContentAvailable)
    let wrong = judge(#"{"aps":{"alert":1,"badge":"1","sound":1,"content-available":"1"}}"#).facts
    #expect(wrong.hasAPS)
    #expect(!wrong.hasAlert && !wrong.hasBadge && !wrong.hasSound && !wrong.hasContentAvailable)
    #expect(wrong.badge == 0)
    let replaced = judge(#"{"aps":{"badge":4,"badge":"1"}}"#).facts
    #expect(!replaced.hasBadge)
    #expect(replaced.badge == 0)
  }

  @Test(arguments: [
    (#"{"aps":{"content-available":1}}"#, true), (#"{"aps":{"content-available":1,"category":"x"}}"#, true),
    (#"{"aps":{"content-available":1,"sound":""}}"#, false),
    (#"{"aps":{"content-available":1,"badge":0}}"#, false),
    (#"{"aps":{"content-available":1,"alert":"x"}}"#, false), (#"{"aps":{}}"#, false),
    (#"{"aps":{"content-available":1},"alert":"x"}"#, true),
  ])
  func `only content-available means no alert, badge or sound`(json: String, isOnly: Bool) {
    #expect(judge(json).facts.onlyContentAvailable == isOnly)
  }

  @Test(arguments: [
    (#"{"aps":{"alert":{"body":"x"}}}"#, true), (#"{"aps":{"alert":{"body":"x","title":"y"}}}"#, false),
    (#"{"aps":{"alert":{"title":"y","body":"x"}}}"#, false), (#"{"aps":{"alert":"x"}}"#, false),
    (#"{"aps":{"alert":{}}}"#, false), (#"{"aps":{"alert":{"loc-key":"k"}}}"#, false),
    (#"{"aps":{"alert":{"body":"x"},"alert":"y"}}"#, false),
    (#"{"aps":{"alert":{"loc-key":"k"},"alert":{"body":"x"}}}"#, true),
    (#"{"aps":{"alert":{"body":"x"}},"aps":{}}"#, false), (#"{"aps":{"alert":{"b\u006fdy":"x"}}}"#, true),
  ])
  func `an alert with nothing but a body should have been a string`(json: String, isOnly: Bool) {
    #expect(judge(json).facts.alertHasOnlyBody == isOnly)
  }

  @Test(arguments: [
    (#"{"aps":{},"acme":null}"#, true), (#"{"acme":[1,{"x":null}],"aps":{}}"#, true),
    (#"{"aps":{"alert":{"action-loc-key":null},"x":null,"y":[null]}}"#, false),
    (#"{"aps":{},"acme":"null"}"#, false),
    (#"{"acme":null,"aps":{},"aps":{}}"#, true),
  ])
  func `a null outside aps is noted`(json: String, isNoted: Bool) {
    #expect(judge(json).facts.hasCustomNull == isNoted)
  }

  @Test func `a second aps replaces the first and is noted`() {
    let facts = judge(#"{"aps":{"badge":9,"sound":"s"},"aps":{"alert":"x"}}"#).facts
    #expect(facts.duplicateAPS)
    #expect(facts.hasAlert && !facts.hasBadge && !facts.hasSound)
    #expect(facts.badge == 0)
    #expect(!judge(#"{"aps":{"aps":{}},"acme":{"aps":1}}"#).facts.duplicateAPS)
  }

  @Test func `white space between tokens is counted, white space in strings is not`() {
    let facts = judge(" {\n\"aps\" :\t{ } , \"acme\":[ 1 , \"a  b\" ]\r}\n").facts
    #expect(facts.insignificantWhitespace == 13)
    #expect(judge(#"{"aps":{"alert":"a b"}}"#).facts.insignificantWhitespace == 0)
  }

  @Test(arguments: [
    (#"{"aps":{"badge":5,}}"#, "at offset 18: expected a string after ',', found '}'"),
    (#"{"aps":{"badge":"5"}}"#, "at offset 16: expected a number as 'badge', found a string"),
    (#"{"aps":{}"#, "at offset 9: expected ',' or '}', found the end of the payload"),
    (#"{'aps':{}}"#, "at offset 1: expected a string or '}' after '{', found a single quote"),
    (
      "{\"aps\":{\"alert\":\"a\tb\"}}",
      "at offset 18: expected an escape in place of a control character, found U+0009"
    ),
    (#"{"aps":{"alert":"\x"}}"#, #"at offset 17: expected one of " \ / b f n r t u after '\', found '\x'"#),
    (#"{"aps":{},"a":nil}"#, "at offset 14: expected true, false or null, found 'nil'"),
    (#"{"acme":1}"#, "at offset 0: expected a dictionary 'aps' in the root, found none"),
    (#"{"aps":null}"#, "at offset 7: expected a dictionary as 'aps', found null"),
    ("7", "at offset 0: expected a dictionary as the root, found a number"),
    ("", "at offset 0: expected a dictionary, found the end of the payload"),
    ("{\"aps\":{}}\0", "at offset 10: expected the end of the payload, found U+0000"),
    ("\u{FEFF}{}", "at offset 0: expected no byte order mark, found bytes ef bb bf"),
    ("é", "at offset 0: expected a dictionary, found U+00E9"),
  ])
  func `a diagnosis says where, what was expected and what was found`(json: String, text: String) {
    #expect(PayloadDiagnosis(judge(json), payload: json.utf8).description == text)
  }

  @Test func `a diagnosis reads other encodings and raw bytes`() {
    let utf8 = Array(#"{"aps":{"alert":""#.utf8) + [0xFF, 0x22]
    #expect(
      PayloadDiagnosis(judge(utf8), payload: utf8).description.hasSuffix("well-formed UTF-8, found byte ff")
    )
    let utf16 = #"{"aps":7}"#.utf8.flatMap { [$0, 0] as [UInt8] }
    #expect(PayloadDiagnosis(judge(utf16), payload: utf16).found == "a number")
  }

  @Test func `every problem has a category`() {
    for problem in PayloadProblem.allCases {
      #expect((problem.category == .none) == (problem == .none))
    }
    #expect(Set(PayloadProblem.allCases.map(\.category)).count == PayloadProblem.Category.allCases.count)
  }
}
