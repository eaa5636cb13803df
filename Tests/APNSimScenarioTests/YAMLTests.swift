import APNSimWire
import Testing

@testable import APNSimScenario

@Suite struct `YAML` {
  /// The tree in brackets: texts with their style, and each value with its place.
  private func shape(_ node: Node) -> String {
    let place = "\(node.location.line):\(node.location.column)"
    switch node {
    case .scalar(let scalar): return "\(scalar.style)(\(scalar.string))@\(place)"
    case .sequence(let items): return "[\(items.map(shape).joined(separator: " "))]@\(place)"
    case .mapping(let pairs):
      return "{\(pairs.map { "\(shape($0.key))=\(shape($0.value))" }.joined(separator: " "))}@\(place)"
    }
  }

  private func shape(of text: String) throws -> String? {
    try YAMLComposer.root(of: text, in: SourceText(name: "a.yaml", text: text)).map(shape)
  }

  private func problem(in text: String) -> String? {
    let error = #expect(throws: DocumentProblem.self) { try shape(of: text) }
    return error.map { "\($0.location.line):\($0.location.column) \($0.message)" }
  }

  @Test(arguments: [
    ("a", "plain(a)@1:1"), ("'a'", "singleQuoted(a)@1:1"), (#""\x41\0b""#, "doubleQuoted(A\0b)@1:1"),
    ("|\n x\n y\n", "block(x\ny\n)@1:1"), (">\n x\n y\n", "block(x y\n)@1:1"),
    ("--- a\n...\n", "plain(a)@1:5"),
    ("[no, 0123, ~]", "[plain(no)@1:2 plain(0123)@1:6 plain(~)@1:12]@1:1"), ("[]", "[]@1:1"),
    ("{}", "{}@1:1"),
    ("b: 1\na:", "{plain(b)@1:1=plain(1)@1:4 plain(a)@2:1=plain()@2:3}@1:1"),
    ("é: [日, \u{1F600}, x]", "{plain(é)@1:1=[plain(日)@1:5 plain(\u{1F600})@1:8 plain(x)@1:11]@1:4}@1:1"),
    ("? [a]\n: b", "{[plain(a)@1:4]@1:3=plain(b)@2:3}@1:1"), ("!!str 5", "plain(5)@1:1"),
    ("!x y", "plain(y)@1:1"),
  ])
  func `YAML is a tree of texts with their places`(text: String, expected: String) throws {
    #expect(try shape(of: text) == expected)
  }

  @Test(arguments: ["", "\n", "# nothing", "\u{FEFF}"])
  func `YAML without a document is nothing`(text: String) throws {
    #expect(try shape(of: text) == nil)
  }

  @Test(arguments: [
    ("[&a x, *a]", "[plain(x)@1:2 plain(x)@1:2]@1:1"),
    ("[&a x, *a, &a y, *a]", "[plain(x)@1:2 plain(x)@1:2 plain(y)@1:12 plain(y)@1:12]@1:1"),
    ("[&a [x], *a]", "[[plain(x)@1:6]@1:2 [plain(x)@1:6]@1:2]@1:1"),
    ("[&a x, &a [*a], *a]", "[plain(x)@1:2 [plain(x)@1:2]@1:8 [plain(x)@1:2]@1:8]@1:1"),
  ])
  func `YAML has in place of an alias what it stands for`(text: String, expected: String) throws {
    #expect(try shape(of: text) == expected)
  }

  @Test(arguments: [
    ("a: *b", "1:4 not readable as YAML or JSON: found undefined alias"),
    ("&a [*a]", "1:5 not readable as YAML or JSON: found undefined alias"),
    (
      "a: 1\n---\nb: 2",
      "2:1 not readable as YAML or JSON: expected a single document in the stream: but found another document"
    ),
    (
      "a: [1, 2",
      "2:1 not readable as YAML or JSON: while parsing a flow sequence: did not find expected ',' or ']'"
    ),
    (
      "a: 'x",
      "1:6 not readable as YAML or JSON: while scanning a quoted scalar: found unexpected end of stream"
    ),
    ("é: 1\nb:\n\tc: 2", "3:1 not readable as YAML or JSON: found a tab; YAML indents with spaces"),
    (
      "a: @",
      "1:4 not readable as YAML or JSON: while scanning for the next token: found character that cannot start any token"
    ),
    ("a: b: c", "1:5 not readable as YAML or JSON: mapping values are not allowed in this context"),
    ("日: é\nb: \u{1}", "2:4 not readable: control characters are not allowed"),
    ("a: 1\n!x a: 2", "1:1 duplicate key \"a\""),
    ("{b: 1, a: 2, b: 3, 'a': 4}", "1:8 duplicate key \"a\""),
    (String(repeating: "[", count: 66), "1:66 nested deeper than 64 lists and mappings"),
    (String(repeating: "{a: ", count: 66), "1:261 nested deeper than 64 lists and mappings"),
    (String(repeating: "? ", count: 200), "1:131 nested deeper than 64 lists and mappings"),
  ])
  func `YAML says what is wrong, and where`(text: String, expected: String) {
    #expect(problem(in: text) == expected)
  }

  @Test func `YAML of the depth that is allowed is read`() throws {
    let text = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(try shape(of: text)?.hasSuffix("@1:2]@1:1") == true)
  }
}
