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
  func `compares what values say, not how they are written`(
    _ left: String,
    _ right: String,
    _ areSame: Bool
  ) throws {
    let (left, right) = (try JSONValue.parse(left), try JSONValue.parse(right))
    #expect(Matcher.equals(left).matches(right) == areSame)
    #expect(Matcher.equals(right).matches(left) == areSame)
  }

  @Test(arguments: [
    ("\n", "a\r\nb", true), ("\r", "a\r\nb", true), ("e", "cafe\u{301}", true),
    ("caf\u{E9}", "cafe\u{301}", true),
    ("cafe\u{301}", "caf\u{E9}", true), ("e", "caf\u{E9}", false), ("\u{212A}", "K", true), ("", "a", true),
    ("a", "", false),
  ])
  func `finds what stands in a text, and what is the same in another form`(
    _ wanted: String,
    _ text: String,
    _ isThere: Bool
  ) {
    #expect(Matcher.contains(wanted).matches(.string(text)) == isThere)
  }

  @Test(arguments: [
    ("cafe", "cafe\u{301}s", true), ("a\r", "a\r\nb", true), ("caf\u{E9}", "cafe\u{301}s", true),
    ("cafe\u{301}", "caf\u{E9}s", true), ("cafe", "caf\u{E9}", false), ("\u{212A}", "Kilo", true),
    ("e", "cafe", false),
  ])
  func `finds what a text begins with, and what is the same in another form`(
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
