import APNSimCore
import APNSimTestSupport
import Testing

@testable import APNSimScenario

@Suite struct `Documents` {
  @Test func `an error reads as a compiler's, with line, caret and suggestion`() {
    let text = "devices:\n  alice: { online: true, tokn: \"aa\" }\n"
    let error = #expect(throws: DocumentError.self) {
      try ScenarioFile.parse(text, name: "office.yaml")
    }
    #expect(
      error?.description == """
        office.yaml:2:26: error: unknown key "tokn" in a device; known keys: token, apps, online, installed and languages
            alice: { online: true, tokn: "aa" }
                                   ^~~~
          did you mean "token"?
        """
    )
  }

  @Test func `the caret stands right after tabs and wide text`() {
    let error = #expect(throws: DocumentError.self) {
      try ScenarioFile.parse("{\n\t\"name\": \"é\", \"seed\": \"x\"}", name: "a.json")
    }
    #expect(error?.description.split(separator: "\n").last == "  \t                     ^~~")
    let wide = #expect(throws: DocumentError.self) {
      try ScenarioFile.parse("{ \"name\": \"日本\", \"seed\": \"日\" }", name: "a.json")
    }
    #expect(wide?.description.split(separator: "\n").last == "                            ^~~~")
  }

  @Test func `a very long line is cut around the place`() throws {
    let text = "{\"name\": \"\(String(repeating: "x", count: 5000))\", \"seed\": true, \"clock\": \"real\"}"
    let error = try #require(throws: DocumentError.self) { try ScenarioFile.parse(text, name: "a.json") }
    let lines = error.description.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 140 })
    let caret = try #require(lines.last?.firstIndex(of: "^"))
    let offset = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(offset).hasPrefix("true"))
  }

  @Test func `at most twenty errors are listed`() throws {
    let entries = (0..<50).map { "k\($0): 1" }.joined(separator: "\n")
    let error = try #require(throws: DocumentError.self) { try ScenarioFile.parse(entries, name: "a.yaml") }
    #expect(error.problems.count == 20)
    #expect(error.omitted == 30)
    #expect(error.description.hasSuffix("a.yaml: 30 more errors are not shown"))
  }

  @Test(arguments: [
    (
      "devices:\n  a:\n  b:\n  'a':\n",
      "4:3 duplicate key \"a\"; the first is on line 2"
    ),
    ("name: x\nseed: 1\nname: y", "3:1 duplicate key \"name\"; the first is on line 1"),
    (
      "apps:\n  \u{E9}: {}\n  e\u{301}: {}",
      "3:3 this key differs from the one on line 2 only in how its characters are composed, which is told apart in JSON "
        + "and not in YAML: write the document as JSON"
    ),
    ("apps: { a: , b: , a: }", "1:9 duplicate key \"a\""),
  ])
  func `a key twice is an error`(text: String, expected: String) {
    #expect(findings(in: text) == [expected])
  }

  @Test func `a name of several lines is shown on one`() {
    #expect(
      problems(in: "\"na\\nme\": x").first?.message.hasPrefix(#"unknown key "na\nme" in a scenario"#) == true
    )
  }

  @Test(arguments: [
    ("name: \"open", 1), ("name: [1, 2", 2), ("\tname: x", 1), ("name: x\n bad: y", 2), ("a: *nobody", 1),
    ("name: a\n---\nname: b", 2), ("name: \u{1}", 1), ("{\"name\": \"\\ud800\"}", 1), ("", 1),
    ("# nothing", 1),
  ])
  func `what is no YAML is refused with its line`(text: String, line: Int) {
    #expect(problems(in: text).map(\.location.line) == [line])
  }

  @Test func `aliases that repeat aliases are refused`() {
    var text = "name: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...12 {
      text +=
        "k\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    #expect(problems(in: text).first?.message.hasPrefix("more than 1000000 values") == true)
    for key in ["? *a12\n: x\n", "? [*a12, *a12]\n: x\n", "[*a12]: x\n", "*a12 : x\n"] {
      #expect(problems(in: text + key).first?.message.hasPrefix("more than 1000000 values") == true, "\(key)")
    }
  }

  @Test(arguments: [
    "# *d: the same\ndevices:\n  alice: &d { apps: [com.example.app] }\n  bob: *d\n",
    "description: \"what arrives at [alice]: two pushes\"\ndevices:\n  alice: &d { apps: [com.example.app] }\n  bob: *d\n",
    "devices:\n  &alice alice: { apps: [com.example.app] }\nfeedback:\n- { device: *alice, app: com.example.app, after: 1s }\n",
  ])
  func `signs of aliases in texts and comments are none`(text: String) {
    #expect(problems(in: text).isEmpty, "\(findings(in: text))")
  }

  @Test func `more than a thousand anchors are refused, and none in a text are counted`() {
    #expect(findings(in: String(repeating: "- &a x\n", count: 1001)) == ["1001:3 more than 1000 anchors"])
    let quoted = "description: \"" + String(repeating: " &x", count: 1100) + "\"\n"
    #expect(problems(in: quoted).isEmpty)
  }

  @Test func `many directives are refused unread`() {
    let text = (0..<60_000).map { "%TAG !a\($0)! tag:x,2000:\n" }.joined() + "---\nname: a\n"
    #expect(findings(in: text) == ["101:1 more than 100 lines begin with %"])
    #expect(findings(in: "name: a\n...\n" + text) == ["103:1 more than 100 lines begin with %"])
    #expect(problems(in: "%YAML 1.1\n---\nname: a\n").isEmpty)
  }

  @Test func `an error shows the beginning of a long name`() {
    let long = "x" + String(repeating: "\u{301}", count: 100_000)
    for text in ["\(long): 1\n", "? \(long)\n: 1\n? \(long)\n: 2\n", "name: [\"\(long)\"]\n", "\(long)"] {
      #expect(problems(in: text).allSatisfy { $0.message.utf8.count < 1000 }, "\(text.prefix(3))")
      #expect(!problems(in: text).isEmpty)
    }
  }

  @Test(.mustNotHang, arguments: ["", "? *a12\n: x\n? [*a12]\n: y\n"])
  func `a body that is refused unread is not read for the place in it either`(keys: String) throws {
    var text = "name: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...12 {
      text +=
        "k\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    let error = #expect(throws: DocumentError.self) {
      try SandboxBody.read(text + keys, serverSettings: [])
    }
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.pointer == nil)
    let read = #expect(throws: DocumentError.self) {
      try SandboxBody.read("clock: {speed: 2}", serverSettings: [])
    }
    #expect(read?.problems.first?.pointer == "/clock/speed")
  }

  @Test(arguments: [65, 900, 5000, 200_000])
  func `deep nesting is refused`(depth: Int) {
    let flow = "name: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let tooDeep = "nested deeper than 64 lists and mappings"
    #expect(problems(in: flow).map(\.message) == [tooDeep])
    #expect(problems(in: String(repeating: "- ", count: depth) + "x").map(\.message) == [tooDeep])
    #expect(problems(in: String(repeating: "{\"a\":", count: depth)).count == 1)
  }

  /// An alias brings along what is inside of it.
  @Test(arguments: [
    64, 1000, 200_000,
  ])
  func `a chain of aliases is refused`(count: Int) {
    let message = "nested deeper than 64 lists and mappings"
    let links = "- &a [1]\n" + String(repeating: "- &a [*a]\n", count: count - 1)
    #expect(problems(in: links).map(\.message) == [message])
    // The parser breaks lines there as well.
    let broken = "name: [&a [1]" + String(repeating: ",\u{2028}&a [*a]", count: count - 1) + "]"
    #expect(problems(in: broken).map(\.message) == [message])
  }

  @Test func `aliases of deep lists are refused, whatever is inside of them`() {
    let tooDeep = "nested deeper than 64 lists and mappings"
    let (open, close) = (String(repeating: "[", count: 60), String(repeating: "]", count: 60))
    // A tree of 60,000 lists inside one another, were it made, could not be released.
    let steps = (1..<1000).map { "- &a\($0) \(open)*a\($0 - 1)\(close)\n" }.joined()
    #expect(findings(in: "- &a0 x\n" + steps) == ["3:67 \(tooDeep)"])
    let pairs = (1..<40).map { "- &a\($0) {x: {x: *a\($0 - 1)}}\n" }.joined()
    #expect(problems(in: "- &a0 x\n" + pairs).map(\.message) == [tooDeep])
    #expect(problems(in: "- &a0 x\n- &a1 {? *a0 : [*a0]}\n").map(\.message) != [tooDeep])
  }

  @Test func `an ampersand between words is no anchor`() {
    let names = (0..<2000).map { "- a & b\($0) AT&T\n" }.joined()
    #expect(problems(in: names).map(\.message) != ["more than 1000 anchors"])
  }

  @Test func `a large file is refused unread`() {
    let text = "# " + String(repeating: "x", count: 4 * 1024 * 1024)
    #expect(findings(in: text) == ["1:1 the file is larger than 4 MiB"])
  }

  @Test func `aliases of much text are counted with what they stand for`() {
    let text =
      "name: &a " + String(repeating: "x", count: 1 << 20) + "\nlist: [" + String(repeating: "*a,", count: 16)
      + "]"
    #expect(
      problems(in: text).map(\.message) == [
        "more than 16 MiB once every alias is expanded"
      ]
    )
  }

  @Test func `a scenario has to fit into a journal's line`() {
    // Each of these is six characters in JSON.
    let controls = String(repeating: #"\x01"#, count: 1 << 18)
    func rules(_ count: Int) -> String {
      "rules:\n- { when: { payload: { aps.alert: &a \"\(controls)\" } }, reply: 8 }\n"
        + String(repeating: "- { when: { payload: { aps.alert: *a } }, reply: 8 }\n", count: count - 1)
    }
    #expect(problems(in: rules(1)).isEmpty)
    #expect(
      findings(in: rules(11)) == [
        "1:1 the scenario is larger than 16 MiB when written out in full"
      ]
    )
  }

  @Test func `ten thousand devices are read`() throws {
    var text = "devices:\n"
    for number in 0..<10_000 {
      let token = String(repeating: "0", count: 58) + String(100_000 + number)
      text += "  d\(number): { token: \"\(token)\", apps: [com.example.app] }\n"
    }
    #expect(try ScenarioFile.parse(text, name: "many.yaml").devices.count == 10_000)
  }

  @Test func `what a file says is collected in place, however much it is`() {
    var draft = ScenarioDraft(serverSettings: [])
    draft.scenario.feedback.reserveCapacity(100)
    func place() -> UnsafeRawPointer? {
      draft.script.scenario.feedback.withUnsafeBytes { $0.baseAddress }
    }
    let tuple = FeedbackSpecification(subject: .token([1]), app: productionApp, moment: .after(.zero))
    draft.scenario.feedback.append(tuple)
    let first = place()
    for _ in 1..<100 { draft.scenario.feedback.append(tuple) }
    #expect(place() == first && draft.script.scenario.feedback.count == 100)
  }

  @Test(.mustNotHang) func `names are looked for among many as often as problems are listed`()
    throws
  {
    let devices = (0..<2_000).map { "  device\($0): { apps: [com.example.app] }" }
    let slips = (0..<2_000).map { "- { at: 1s, do: { device.online: devicee\($0) } }" }
    let steps = (0..<2_000).map { "- { connection: c\($0) }" }
    let text = (["devices:"] + devices + ["timeline:"] + slips + ["traffic:"] + steps).joined(separator: "\n")
    let error = try #require(throws: DocumentError.self) { try ScenarioFile.parse(text, name: "a.yaml") }
    #expect(error.problems.map(\.suggestion).prefix(2) == ["device0", "device1"])
    #expect(error.omitted == 1_980)
  }

  @Test(arguments: [
    ("x: &x {}\ndevices:\n  <<: *x", "3:3"), ("devices: { a: { <<: { online: false } } }", "1:17"),
  ])
  func `a merge key is refused`(text: String, place: String) {
    #expect(
      findings(in: text) == ["\(place) merge keys (<<) are not supported: write out what they stand for"]
    )
    #expect(findings(in: "devices: { '<<': }").isEmpty)
  }
}
