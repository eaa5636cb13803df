import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `A query in one line` {
  @Test(arguments: [
    ("topic:com.example.*", "topic", Matcher.like("com.example.*")),
    ("topic:a*\u{301}b", "topic", .like("a*\u{301}b")),
    ("status:8", "status", .equals(.number("8"))),
    (#"status:"Invalid token""#, "status", .equals(.number("8"))),
    ("status:protocolError", "status", .equals(.number("128"))),
    (#"alert~"my order""#, "alert", .contains("my order")),
    ("!device:bob", "device", .not(.equals(.string("bob")))),
    ("-device:bob", "device", .not(.equals(.string("bob")))),
    ("badge>3", "payload.aps.badge", .greaterThan(3)),
    ("badge<=3", "payload.aps.badge", .lessThan(Double(3).nextUp)),
    ("payload.acme:*", "payload.acme", .exists(true)),
    ("alert.body^Or", "payload.aps.alert.body", .startsWith("Or")),
    ("payload.list#2", "payload.list", .size(2)),
    ("token:AB", "token", .equals(.string("ab"))),
    // The text that a path has in place of a token.
    ("token:Undefined", "token", .equals(.string("undefined"))),
    ("identifier:3", "identifier", .equals(.string("00000003"))),
    (#"payload.n:"3""#, "payload.n", .equals(.string("3"))),
    ("payload.n:true", "payload.n", .equals(.bool(true))),
  ]) func `means the same as the matchers`(_ line: String, _ path: String, _ matcher: Matcher) throws {
    #expect(try QueryLine.parse(line) == Query([Query.Condition(path: path, matcher: matcher)]))
  }

  @Test func `a query in one line holds several terms, and regular expressions between slashes`() throws {
    let query = try QueryLine.parse(#"  topic:a  alert~/^a\/b \d$/ status:0 "#)
    #expect(query.conditions.map(\.path) == ["topic", "alert", "status"])
    #expect(query.conditions[1].matcher == .matches(try Pattern(#"^a/b \d$"#)))
    #expect(try QueryLine.parse("").conditions.isEmpty)
  }

  @Test(arguments: [
    ("topic:a statuss:8", 9), ("status:eight", 8), ("topic", 6), ("topic:", 7), (#"alert~"a"#, 7),
    ("alert~/(/", 9), ("badge>x", 7), ("outcome:stord", 9),
  ]) func `points at the column of what is wrong`(_ line: String, _ column: Int) {
    do throws(DocumentError) {
      _ = try QueryLine.parse(line)
      Issue.record("no error")
    } catch {
      #expect(error.problems.first?.location.column == column)
      #expect(error.description.contains("^"))
    }
  }

  @Test(arguments: [
    ("badge>e\u{301}\u{302}", 3), ("payload.l#e\u{301}", 2), ("payload.l#-1", 2), ("badge>xy", 2),
  ])
  func `a query in one line marks what is wrong over its whole length, as columns are counted`(
    _ line: String,
    _ length: Int
  ) {
    let error = #expect(throws: DocumentError.self) { try QueryLine.parse(line) }
    #expect(error?.problems.first?.length == length)
  }
}
