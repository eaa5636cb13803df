import APNSimCore
import APNSimWire
import Testing

@Suite struct `A matcher` {
  @Test(arguments: [
    (#"{"loc-key":"K","body":"B"}"#, #"{"body":"B","loc-key":"K"}"#, true),
    (#"{"a":[{"b":1,"c":2.0}]}"#, #"{"a":[{"c":2,"b":1e0}]}"#, true),
    ("[5]", "[5.0]", true), ("5", "5.0", true), ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false),
    (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), (#"{"a":1,"b":2}"#, #"{"a":1}"#, false),
    (#"{"a":"5"}"#, #"{"a":5}"#, false), (#"{"a":null}"#, "{}", false),
    ("9007199254740993", "9007199254740992", false), ("[9007199254740993]", "[9007199254740993]", true),
    ("-9007199254740993", "-9007199254740992", false), ("3e0", "3", true), ("-0", "0", true),
    ("1000000000000000", "1e15", true),
    // Of members of one name the last one counts.
    (#"{"a":1,"a":2}"#, #"{"a":2}"#, true), (#"{"a":1,"a":2}"#, #"{"a":1}"#, false),
  ])
  func `a matcher compares what values say, not how they are written`(
    _ left: String,
    _ right: String,
    _ areSame: Bool
  ) throws {
    let (left, right) = (try JSONValue.parse(left), try JSONValue.parse(right))
    #expect(Matcher.equals(left).matches(right) == areSame)
    #expect(Matcher.equals(right).matches(left) == areSame)
  }

  @Test(arguments: [
    ("\u{E9}", "e\u{301}", 2), ("\u{212A}", "K", 1), ("\n", "\r\n", 2),
    ("a\u{301}\u{323}", "a\u{323}\u{301}", 3),
  ])
  func `a matcher compares and counts the code points as sent`(_ wanted: String, _ text: String, _ count: Int)
  {
    #expect(!Matcher.equals(.string(wanted)).matches(.string(text)))
    #expect(Matcher.equals(.string(text)).matches(.string(text)))
    #expect(Matcher.size(count).matches(.string(text)))
    let objects = [wanted, text].map { JSONValue.object([.init(key: $0, value: .null)]) }
    #expect(!Matcher.equals(objects[0]).matches(objects[1]))
  }

  private static let alike: [(JSONValue, JSONValue?, String, String)] = [
    (.string("17"), .number("17"), #""17" (a text, not a number)"#, "17"),
    (.number("17"), .string("17"), "17 (a number, not a text)", #""17""#),
    (.string("a "), .string("a\u{A0}"), #""a ""#, #""a\u00a0""#),
    (.string("caf\u{E9}"), .string("cafe\u{301}"), "\"caf\u{E9}\"", #""cafe\u0301""#),
    (.string("K"), .string("\u{212A}"), #""K""#, #""\u212a""#),
    (.string("null"), .null, #""null" (a text, not null)"#, "null"), (.null, nil, "null", "nothing"),
    (.string("x"), .string("x\u{1F469}\u{200D}"), #""x""#, "\"x\u{1F469}\\u200d\""),
    (.string("x"), .string("\u{E0001}"), #""x""#, #""\udb40\udc01""#),
  ]

  @Test(arguments: alike)
  func `what differs looks different`(wanted: JSONValue, actual: JSONValue?, expected: String, found: String)
  {
    #expect(ValueText.expected(.equals(wanted), butFound: actual) == expected)
    #expect(ValueText.found(actual) == found)
  }

  @Test(arguments: [
    ("\n", "a\r\nb", true), ("\r", "a\r\nb", true), ("e", "cafe\u{301}", true),
    ("caf\u{E9}", "cafe\u{301}", false),
    ("cafe\u{301}", "caf\u{E9}", false), ("e", "caf\u{E9}", false), ("\u{212A}", "K", false), ("", "a", true),
    ("a", "", false),
  ])
  func `a matcher finds what stands in a text as it was sent, and no other form of it`(
    _ wanted: String,
    _ text: String,
    _ isThere: Bool
  ) {
    #expect(Matcher.contains(wanted).matches(.string(text)) == isThere)
  }

  @Test(arguments: [
    ("cafe", "cafe\u{301}s", true), ("a\r", "a\r\nb", true), ("caf\u{E9}", "cafe\u{301}s", false),
    ("cafe\u{301}", "caf\u{E9}s", false), ("cafe", "caf\u{E9}", false), ("\u{212A}", "Kilo", false),
    ("e", "cafe", false),
  ])
  func `a matcher finds what a text begins with as it was sent, and no other form of it`(
    _ wanted: String,
    _ text: String,
    _ isThere: Bool
  ) {
    #expect(Matcher.startsWith(wanted).matches(.string(text)) == isThere)
  }

  @Test func `a report has bounds as people write them`() {
    #expect(Matcher.greaterThan(9).summary == "is greater than 9")
    #expect(Matcher.lessThan(-0.5).summary == "is less than -0.5")
    #expect(Matcher.lessThan(1e300).summary == "is less than 1e+300")
  }
}
