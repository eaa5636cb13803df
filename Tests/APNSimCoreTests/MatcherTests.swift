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
}
