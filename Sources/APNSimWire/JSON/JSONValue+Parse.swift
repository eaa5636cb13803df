// Parsing of bytes into a tree: the judge's scanner decides whether they are JSON, then a builder that relies on it
// reads them.

extension JSONValue {
  /// Parses a text in UTF-8, UTF-16 or UTF-32 without byte order mark. The root may be any value; more than 512 open
  /// arrays and objects are refused. A lone surrogate escape, legal JSON but not Unicode text, reads as U+FFFD.
  package static func parse(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
    let bytes = Array(bytes)
    let verdict = bytes.withUnsafeBytes { PayloadJudge.judge($0, rules: PayloadRules(tables: false)) }
    guard verdict.problem.isJSON else {
      let diagnosis = PayloadDiagnosis(verdict, payload: bytes)
      let expected = verdict.problem == .expectedRoot ? "a value" : diagnosis.expected
      throw JSONError(offset: diagnosis.offset, expected: expected, found: diagnosis.found)
    }
    let value = bytes.withUnsafeBytes { buffer in
      guard verdict.facts.encoding != .utf8 else { return IndexedText.with(buffer, build) }
      let text = PayloadText(buffer, encoding: verdict.facts.encoding).utf8
      return text.withUnsafeBytes { IndexedText.with($0, build) }
    }
    guard let value else { throw JSONError(offset: 0, expected: "a value", found: "none") }
    return value
  }

  package static func parse(_ text: String) throws(JSONError) -> JSONValue {
    try parse(text.utf8)
  }

  /// An array or object that is still open.
  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [Member] = []
    /// The name of the next value.
    var key = ""

    mutating func append(_ value: JSONValue) {
      if isObject {
        members.append(Member(key: key, value: value))
      } else {
        elements.append(value)
      }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
  }

  /// Builds the tree of UTF-8 text that the grammar has accepted. The first byte distinguishes tokens; a stack holds
  /// the open containers.
  private static func build(_ text: IndexedText) -> JSONValue? {
    var notes = JSONNotes()
    var at = 0
    var stack: [Container] = []
    while at < text.count {
      let start = at
      var complete: JSONValue?
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        stack.append(Container(isObject: text[at] == UInt8(ascii: "{")))
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        complete = stack.popLast()?.value
        at += 1
      case UInt8(ascii: "\""):
        guard let end = text.endOfString(at: at, &notes) else { return nil }
        let string = JSONString.decode(text[start + 1..<end - 1])
        at = text.token(from: end, &notes)
        if text[at] == UInt8(ascii: ":"), !stack.isEmpty {
          stack[stack.count - 1].key = string
        } else {
          complete = .string(string)
        }
      case let byte:
        guard let kind = JSONKind(startingWith: byte) else {
          at += 1  // White space, a comma or a colon.
          continue
        }
        guard let end = text.end(of: kind, at: at, &notes) else { return nil }
        complete = scalar(kind, String(decoding: text[start..<end], as: UTF8.self))
        at = end
      }
      if let complete {
        if stack.isEmpty { return complete }
        stack[stack.count - 1].append(complete)
      }
    }
    return nil
  }

  private static func scalar(_ kind: JSONKind, _ text: String) -> JSONValue {
    switch kind {
    case .number: .number(text)
    case .boolean: .bool(text == "true")
    default: .null
    }
  }
}
