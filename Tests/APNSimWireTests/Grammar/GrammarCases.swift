import APNSimWire
import Testing

/// A value, written where a custom value stands, and what the grammar says of it.
struct GrammarCase: Sendable, CustomTestStringConvertible {
  var json: String
  var problem: PayloadProblem
  /// The offset of the problem from the start of `json`.
  var offset: Int

  init(_ json: String, _ problem: PayloadProblem = .none, at offset: Int = 0) {
    self.json = json
    self.problem = problem
    self.offset = offset
  }

  var testDescription: String { json.debugDescription }

  static let values = [
    "0", "-0", "1", "-1", "10", "1234567890123456789012345678901234567890", "0.0", "-0.5", "1.25", "1e1",
    "1E1",
    "1e+1", "1e-1", "0e0", "0E+0", "1.5e400", "-1e-400", "123e65", "0e1", "20e1",
    "1.0000000000000000000000000001",
    "true", "false", "null", "[]", "{}", "[ ]", "{ }", "[[]]", "[{}]", #"{"a":[]}"#, #"{"a":{}}"#, "[1]",
    "[1,2]",
    "[ 1 , 2 ]", "[\t1\n,\r2 ]", #"["a",1,true,false,null,[],{}]"#, #"{"a":1,"b":2}"#,
    #"{ "a" : 1 , "b" : 2 }"#,
    #"{"a":1,"a":2}"#, #"{"":0}"#, #"{"\u0000":0}"#, #"{"a b":0}"#, #""""#, #""a""#, #"" ""#, #""abcdefg""#,
    #""abcdefgh""#, #""abcdefghi""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#,
    #""\uD834\uDD1E""#,
    #""\ud800""#, #""\udc00\ud800""#, #""\ud800x""#, #""\uDFFF""#, #""\uFFFF\uFFFE\uFEFF""#, #""abcdefg\n""#,
    #""abcdef\u0041""#, "\"\u{7f}\"", "\"\u{80}\"", "\"é\"", "\"ü\u{2028}\u{2029}\"", "\"日本語\"", "\"😀\"",
    "\"\u{10FFFF}\"", "\"\u{FFFE}\"", "\"aaaaaaa😀\"", "\"/\"", "\"'\"", "\"{[,:]}\"", "\"// no comment\"",
  ].map { GrammarCase($0) }

  static let structure = [
    GrammarCase("", .expectedMember, at: 0),
    GrammarCase("[1,]", .expectedElement, at: 3),
    GrammarCase("[,1]", .expectedFirstElement, at: 1),
    GrammarCase("[,]", .expectedFirstElement, at: 1),
    GrammarCase("[1,,2]", .expectedElement, at: 3),
    GrammarCase("[1 2]", .expectedCommaOrArrayEnd, at: 3),
    GrammarCase("[1:2]", .expectedCommaOrArrayEnd, at: 2),
    GrammarCase("[1;2]", .expectedCommaOrArrayEnd, at: 2),
    GrammarCase("[1}", .expectedCommaOrArrayEnd, at: 2),
    GrammarCase("[}", .expectedFirstElement, at: 1),
    GrammarCase(#"["a"b]"#, .expectedCommaOrArrayEnd, at: 4),
    GrammarCase(#"["a":1]"#, .expectedCommaOrArrayEnd, at: 4),
    GrammarCase("[[1],]", .expectedElement, at: 5),
    GrammarCase("]", .expectedMember, at: 0),
    GrammarCase("}", .expectedMember, at: 0),
    GrammarCase(",", .expectedMember, at: 0),
    GrammarCase(":", .expectedMember, at: 0),
    GrammarCase(#"{"a":1,}"#, .expectedKey, at: 7),
    GrammarCase(#"{"a":1,,"b":2}"#, .expectedKey, at: 7),
    GrammarCase(#"{,"a":1}"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{a:1}"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{'a':1}"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{1:1}"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{null:1}"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{]"#, .expectedFirstKey, at: 1),
    GrammarCase(#"{"a":1,b:2}"#, .expectedKey, at: 7),
    GrammarCase(#"{"a"}"#, .expectedColon, at: 4),
    GrammarCase(#"{"a",1}"#, .expectedColon, at: 4),
    GrammarCase(#"{"a" 1}"#, .expectedColon, at: 5),
    GrammarCase(#"{"a"=1}"#, .expectedColon, at: 4),
    GrammarCase(#"{"a":}"#, .expectedMember, at: 5),
    GrammarCase(#"{"a"::1}"#, .expectedMember, at: 5),
    GrammarCase(#"{"a":1 "b":2}"#, .expectedCommaOrObjectEnd, at: 7),
    GrammarCase(#"{"a":1;"b":2}"#, .expectedCommaOrObjectEnd, at: 6),
    GrammarCase(#"{"a":1]"#, .expectedCommaOrObjectEnd, at: 6),
    GrammarCase("/* c */ 1", .expectedMember, at: 0),
    GrammarCase("1 // c", .expectedCommaOrObjectEnd, at: 2),
    GrammarCase("# c", .expectedMember, at: 0),
    GrammarCase("\u{0B}1", .expectedMember, at: 0),
    GrammarCase("\u{0C}1", .expectedMember, at: 0),
    GrammarCase("\u{A0}1", .expectedMember, at: 0),
    GrammarCase("\u{FEFF}1", .expectedMember, at: 0),
    GrammarCase("\u{00}1", .expectedMember, at: 0),
    GrammarCase("1\u{00}", .expectedCommaOrObjectEnd, at: 1),
  ]

  static let tokens = [
    GrammarCase("True", .expectedMember),
    GrammarCase("TRUE", .expectedMember),
    GrammarCase("NULL", .expectedMember),
    GrammarCase("NaN", .expectedMember),
    GrammarCase("Infinity", .expectedMember),
    GrammarCase("-Infinity", .expectedDigit, at: 1),
    GrammarCase("tru", .invalidLiteral),
    GrammarCase("truE", .invalidLiteral),
    GrammarCase("fals", .invalidLiteral),
    GrammarCase("nul", .invalidLiteral),
    GrammarCase("nil", .invalidLiteral),
    GrammarCase("nan", .invalidLiteral),
    GrammarCase("truex", .expectedCommaOrObjectEnd, at: 4),
    GrammarCase("nulll", .expectedCommaOrObjectEnd, at: 4),
    GrammarCase("+1", .expectedMember),
    GrammarCase("++1", .expectedMember),
    GrammarCase(".5", .expectedMember),
    GrammarCase("-.5", .expectedDigit, at: 1),
    GrammarCase("-", .expectedDigit, at: 1),
    GrammarCase("--1", .expectedDigit, at: 1),
    GrammarCase("-a", .expectedDigit, at: 1),
    GrammarCase("- 1", .expectedDigit, at: 1),
    GrammarCase("01", .leadingZero, at: 1),
    GrammarCase("-01", .leadingZero, at: 2),
    GrammarCase("00", .leadingZero, at: 1),
    GrammarCase("012.5", .leadingZero, at: 1),
    GrammarCase("1.", .expectedDigit, at: 2),
    GrammarCase("1.e1", .expectedDigit, at: 2),
    GrammarCase("1.5.5", .expectedCommaOrObjectEnd, at: 3),
    GrammarCase("1e", .expectedDigit, at: 2),
    GrammarCase("1e+", .expectedDigit, at: 3),
    GrammarCase("1E-", .expectedDigit, at: 3),
    GrammarCase("1e1.5", .expectedCommaOrObjectEnd, at: 3),
    GrammarCase("0x10", .expectedCommaOrObjectEnd, at: 1),
    GrammarCase("1_000", .expectedCommaOrObjectEnd, at: 1),
    GrammarCase("1,000", .expectedKey, at: 2),
    GrammarCase("１", .expectedMember),
    GrammarCase("'a'", .expectedMember),
    GrammarCase("a", .expectedMember),
    GrammarCase("\\u0041", .expectedMember),
  ]

  static let strings = [
    GrammarCase(#""a"#, .unterminatedString, at: 3),  // After the brace that closes the payload.
    GrammarCase(#""a\"#, .invalidEscape, at: 2),
    GrammarCase(#""\x41""#, .invalidEscape, at: 1),
    GrammarCase(#""\'""#, .invalidEscape, at: 1),
    GrammarCase(#""\a""#, .invalidEscape, at: 1),
    GrammarCase(#""\0""#, .invalidEscape, at: 1),
    GrammarCase(#""\U0041""#, .invalidEscape, at: 1),
    GrammarCase(#""\ ""#, .invalidEscape, at: 1),
    GrammarCase("\"\\\n\"", .invalidEscape, at: 1),
    GrammarCase("\"\\é\"", .invalidEscape, at: 1),
    GrammarCase(#""\u""#, .expectedHexDigit, at: 3),
    GrammarCase(#""\u0""#, .expectedHexDigit, at: 4),
    GrammarCase(#""\u004""#, .expectedHexDigit, at: 6),
    GrammarCase(#""\u00G0""#, .expectedHexDigit, at: 5),
    GrammarCase(#""\u-041""#, .expectedHexDigit, at: 3),
    GrammarCase(#""\u 041""#, .expectedHexDigit, at: 3),
    GrammarCase(#""\ud800\u""#, .expectedHexDigit, at: 9),
    GrammarCase("\"\t\"", .controlCharacter, at: 1),
    GrammarCase("\"\n\"", .controlCharacter, at: 1),
    GrammarCase("\"a\rb\"", .controlCharacter, at: 2),
    GrammarCase("\"\u{00}\"", .controlCharacter, at: 1),
    GrammarCase("\"\u{1F}\"", .controlCharacter, at: 1),
    GrammarCase("\"abcdefg\u{01}hijklmn\"", .controlCharacter, at: 8),
    GrammarCase("\"ab\u{7f}é\u{01}\"", .controlCharacter, at: 6),
  ]
}
