// From bytes to a tree: the judge's scanner decides whether they are JSON, then a builder without doubts reads them.

extension JSONValue {
  /// Parses a text in UTF-8, UTF-16 or UTF-32 without byte order mark. The root may be any value; more than 512 open
  /// arrays and objects are refused. A lone surrogate escape, legal JSON but no text, reads as U+FFFD.
  package static func parse(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
    let bytes = Array(bytes)
    let verdict = bytes.withUnsafeBytes { PayloadJudge.judge($0, rules: PayloadRules(tables: false)) }
    guard verdict.problem.isJSON else {
      let diagnosis = PayloadDiagnosis(verdict, payload: bytes)
      let expected = verdict.problem == .expectedRoot ? "a value" : diagnosis.expected
      throw JSONError(offset: diagnosis.offset, expected: expected, found: diagnosis.found)
    }
    let value = bytes.withUnsafeBytes { buffer in
      guard verdict.facts.encoding != .utf8 else { return build(buffer) }
      return PayloadText(buffer, encoding: verdict.facts.encoding).utf8.withUnsafeBytes(build)
    }
    guard let value else { throw JSONError(offset: 0, expected: "a value", found: "none") }
    return value
  }

  package static func parse(_ text: String) throws(JSONError) -> JSONValue {
    try parse(text.utf8)
  }

  /// An array or object whose end has not come yet.
  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [Member] = []
    /// The name whose value comes next.
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

  /// Reads UTF-8 that the grammar has accepted. Tokens are told apart by their first byte, structure by a stack.
  private static func build(_ text: UnsafeRawBufferPointer) -> JSONValue? {
    guard let base = text.baseAddress else { return nil }
    var cursor = JSONCursor(base: base, count: text.count)
    var stack: [Container] = []
    while cursor.at < cursor.count {
      var complete: JSONValue?
      switch cursor.byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        stack.append(Container(isObject: cursor.byte == UInt8(ascii: "{")))
        cursor.at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        complete = stack.popLast()?.value
        cursor.at += 1
      case UInt8(ascii: "\""):
        guard let string = string(at: &cursor) else { return nil }
        cursor.skipWhitespace()
        if cursor.byte == UInt8(ascii: ":"), !stack.isEmpty {
          stack[stack.count - 1].key = string
        } else {
          complete = .string(string)
        }
      case let byte:
        guard let kind = JSONKind(startingWith: byte) else {
          cursor.at += 1  // White space, a comma or a colon.
          continue
        }
        complete = scalar(kind, at: &cursor)
        guard complete != nil else { return nil }
      }
      if let complete {
        if stack.isEmpty { return complete }
        stack[stack.count - 1].append(complete)
      }
    }
    return nil
  }

  private static func string(at cursor: inout JSONCursor) -> String? {
    let start = cursor.at + 1
    guard cursor.skipString() else { return nil }
    return JSONString.decode(UnsafeRawBufferPointer(rebasing: cursor.text(from: start).dropLast()))
  }

  private static func scalar(_ kind: JSONKind, at cursor: inout JSONCursor) -> JSONValue? {
    let start = cursor.at
    guard kind == .number ? cursor.skipNumber() : cursor.skipLiteral() else { return nil }
    let text = String(decoding: cursor.text(from: start), as: UTF8.self)
    return switch kind {
    case .number: .number(text)
    case .boolean: .bool(text == "true")
    default: .null
    }
  }
}
