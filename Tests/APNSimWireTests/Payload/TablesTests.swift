import APNSimWire
import Testing

/// The shape of a payload and tables 3-1 and 3-2 of the guide.
struct TablesTests {
  static let kinds = [
    "string": #""s""#, "number": "7", "true": "true", "null": "null", "object": "{}", "array": "[]",
  ]

  struct Key: Sendable, CustomTestStringConvertible {
    var path: String
    var allowed: Set<String>
    var problem: PayloadProblem
    var before: String
    var after: String
    var testDescription: String { path }

    static func aps(_ name: String, _ allowed: Set<String>, _ problem: PayloadProblem) -> Key {
      Key(path: name, allowed: allowed, problem: problem, before: "{\"aps\":{\"\(name)\":", after: "}}")
    }

    static func alert(_ name: String, _ allowed: Set<String>, _ problem: PayloadProblem) -> Key {
      Key(
        path: name,
        allowed: allowed,
        problem: problem,
        before: "{\"aps\":{\"alert\":{\"\(name)\":",
        after: "}}}"
      )
    }
  }

  static let keys: [Key] = [
    Key(path: "aps", allowed: ["object"], problem: .apsNotObject, before: #"{"aps":"#, after: "}"),
    .aps("alert", ["string", "object"], .alertType),
    .aps("badge", ["number"], .badgeType),
    .aps("sound", ["string"], .soundType),
    .aps("content-available", ["number"], .contentAvailableType),
    .alert("body", ["string"], .bodyType),
    .alert("action-loc-key", ["string", "null"], .actionLocKeyType),
    .alert("loc-key", ["string"], .locKeyType),
    .alert("loc-args", ["array"], .locArgsType),
    .alert("launch-image", ["string"], .launchImageType),
    Key(
      path: "loc-args[1]",
      allowed: ["string"],
      problem: .locArgType,
      before: #"{"aps":{"alert":{"loc-args":["a","#,
      after: "]}}}"
    ),
  ]

  @Test(arguments: keys)
  func `each key takes the types of its table and no other`(_ key: Key) {
    for (kind, value) in Self.kinds {
      let verdict = judge(key.before + value + key.after)
      let isAllowed = key.allowed.contains(kind)
      #expect(verdict.problem == (isAllowed ? .none : key.problem), "\(kind)")
      #expect(verdict.offset == (isAllowed ? 0 : key.before.utf8.count), "\(kind)")
      #expect(verdict.problem.isJSON)
    }
  }

  @Test(arguments: keys.dropFirst())
  func `the tables can be left out`(_ key: Key) {
    for value in Self.kinds.values {
      #expect(judge(key.before + value + key.after, PayloadRules(tables: false)).problem == .none)
    }
  }

  @Test(arguments: [
    ("[]", 0), (" []", 1), (#"[{"aps":{}}]"#, 0), ("7", 0), (#""aps""#, 0), ("null", 0), ("true", 0),
    (" -1e5", 1),
  ])
  func `the root is a dictionary`(json: String, offset: Int) {
    let verdict = judge(json)
    #expect(verdict.problem == .rootNotObject)
    #expect(verdict.problem.category == .root)
    #expect(verdict.offset == offset)
  }

  @Test(arguments: [
    "{}", #"{"acme":1}"#, #"{"APS":{}}"#, #"{"aps ":{}}"#, #"{"ap":{},"apss":{}}"#, #"{"acme":{"aps":{}}}"#,
    #"{"mdm":"A1B2"}"#, #"{"\u0061\u0070":{}}"#,
  ])
  func `a dictionary named aps is in the root`(json: String) {
    #expect(judge(json).problem == .apsMissing)
    #expect(!judge(json).facts.hasAPS)
    #expect(judge(json).problem.isJSON)
  }

  @Test(arguments: [
    #"{"\u0061ps":{"badge":"x"}}"#, #"{"aps":{"b\u0061dge":"x"}}"#, #"{"\u0061\u0070\u0073":{"badge":[]}}"#,
    #"{"aps":{"badge":null},"a":1}"#,
  ])
  func `escapes are part of a name`(json: String) {
    #expect(judge(json).problem == .badgeType)
  }

  @Test(arguments: [
    #"{"aps":{"category":7,"thread-id":null,"mutable-content":"1","alerts":5,"Badge":"5"}}"#,
    #"{"aps":{"alert":{"title":5,"subtitle":null,"loc-arg":"x"}}}"#,
    #"{"alert":5,"badge":"x","sound":[],"aps":{}}"#,
    #"{"acme":{"badge":"x","alert":5,"aps":7},"aps":{}}"#,
    #"{"aps":{"x":{"badge":"5","alert":1}}}"#,
    #"{"aps":{"alert":{"x":{"body":5,"loc-args":[1]},"y":[1]}}}"#,
    #"{"aps":{"alert":{"loc-args":[]}},"loc-args":[1]}"#,
    #"{"aps":[{"aps":1}],"aps":{}}"#,
  ])
  func `names mean something only where the tables have them`(json: String) {
    #expect(judge(json).problem == .none)
  }

  @Test(arguments: [
    (#"{"aps":{"badge":"5","badge":5}}"#, PayloadProblem.none),
    (#"{"aps":{"badge":5,"badge":"5"}}"#, .badgeType),
    (#"{"aps":7,"aps":{}}"#, .none), (#"{"aps":{},"aps":7}"#, .apsNotObject),
    (#"{"aps":{"badge":"5"},"aps":{}}"#, .none), (#"{"aps":{"alert":{"body":5},"alert":"x"}}"#, .none),
    (#"{"aps":{"alert":{"body":5,"body":"x"}}}"#, .none),
    (#"{"aps":{"alert":{"body":"x","body":5}}}"#, .bodyType),
    (#"{"aps":{"alert":{"loc-args":[1],"loc-args":[]}}}"#, .none),
    (#"{"aps":{"alert":{"loc-args":[1]},"alert":{"loc-args":["1"]}}}"#, .none),
    (#"{"aps":{"sound":1,"badge":"5","badge":5}}"#, .soundType),
    (#"{"aps":{},"\u0061ps":null}"#, .apsNotObject),
  ])
  func `the last of a repeated name counts`(json: String, problem: PayloadProblem) {
    #expect(judge(json).problem == problem)
  }

  @Test func `the first of several wrong values in the text is named`() {
    let json = #"{"aps":{"sound":1,"badge":"5","alert":{"loc-args":["a",1,2],"body":{}}}}"#
    #expect(judge(json).problem == .soundType)
    #expect(judge(json).offset == 16)
    let inArray = judge(#"{"aps":{"alert":{"loc-args":["a",1,2],"body":{}}}}"#)
    #expect(inArray.problem == .locArgType)
    #expect(inArray.offset == 33)
  }

  @Test func `a text that is no JSON is that, whatever its values`() {
    #expect(judge(#"{"aps":{"badge":"5"},}"#).problem == .expectedKey)
    #expect(judge(#"[1,]"#).problem == .expectedElement)
  }
}
