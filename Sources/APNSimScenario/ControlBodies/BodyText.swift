import APNSimWire

/// The body of a request: strict JSON, read with the same readers as files, and its problems located by JSON pointer.
package enum BodyText {
  /// The name in errors, in the place of a file's.
  static let name = "request body"

  /// Reads a JSON body.
  /// - Parameter origin: `.people` for what stems from a file, whose values have other types.
  /// - Throws: `DocumentError` whose problems have pointers.
  static func read<Result>(
    _ text: String,
    from origin: Document.Origin = .program,
    _ body: (Value) -> Result?
  ) throws(DocumentError) -> Result {
    guard !isEmpty(text) else { throw empty(body) }
    do throws(JSONError) {
      _ = try JSONValue.parse(text)
    } catch {
      throw notJSON(text, error)
    }
    do throws(DocumentError) {
      return try Document(text: text, name: name, from: origin).read(body)
    } catch {
      throw error.pointed(in: text)
    }
  }

  private static func isEmpty(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  /// Throws for an empty body.
  package static func requireSome(_ text: String, _ expected: String) throws(DocumentError) {
    if isEmpty(text) { throw empty("expected \(expected)") }
  }

  /// The error of an empty body, which says what the reader would have expected.
  private static func empty<Result>(_ body: (Value) -> Result?) -> DocumentError {
    do throws(DocumentError) {
      let nothing = try Document(text: "null", name: name)
      _ = body(nothing.root)
      try nothing.problems.throwIfAny()
      return empty("expected JSON")
    } catch {
      return empty(error.problems.first?.message ?? "expected JSON")
    }
  }

  private static func empty(_ expected: String) -> DocumentError {
    DocumentError(
      source: SourceText(name: name, text: ""),
      problems: [DocumentProblem(location: .start, message: "the body is empty: \(expected)")],
      omitted: 0
    )
  }

  private static func notJSON(_ text: String, _ error: JSONError) -> DocumentError {
    let before = text.utf8.prefix(error.offset)
    let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    let column = before.reversed().prefix { $0 != 0x0A }.reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    return DocumentError(
      source: SourceText(name: name, text: text),
      problems: [
        DocumentProblem(
          location: SourceLocation(line: line, column: column),
          message: "expected \(error.expected), found \(error.found)"
        )
      ],
      omitted: 0
    )
  }
}

/// The body of a request without parameters: none, or `{}`.
package enum EmptyBody {
  package static func read(_ text: String) throws(DocumentError) {
    try BodyText.read(text.isEmpty ? "{}" : text) { root in
      for entry in root.entries("no body, or an empty object") {
        entry.key.report("unknown key \"\(Value.shown(entry.name))\"; expected none")
      }
      return ()
    }
  }
}
